import ArgumentParser
import Diagnostics
import Essentials
import FileSystem
import ModelChecking
import ModelLoading
import Momtool

/// `momtool model prune`: takes out versions that no store has any more.
struct PruneCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Take out versions that no store has any more.",
        discussion: """
            Removes the folders of the versions, their entries in Xcode projects, mapping
            models that lead from or to nothing else, and what .momtool.yml, stages files
            and cases say of them. MODEL.lock keeps their hashes, marked with the day, so
            that identify, doctor and lock --check still name them. Says which stores
            cannot be migrated any more; look at it with --dry-run first.

            The current version stays, and no version is taken out that stores of a
            version that stays go through. All files are changed or none. Versions that
            Swift sources declare are deleted there by hand, and then marked by the same
            command. So is a model that was deleted as a whole and whose lock is kept.

            EXAMPLE
              momtool model prune Shop.xcdatamodeld --before V5 --dry-run
              momtool model prune Shop.xcdatamodeld V1 V2 --dry-run
            """
    )

    @OptionGroup var options: VersionOptions

    @Argument(help: "The versions to take out.", completion: .version)
    var versions: [String] = []

    @Option(
        help: "Take out all versions before this one, which stays.",
        completion: .version
    )
    var before: String?

    @Option(
        help: ArgumentHelp(
            "The day that the lock gets, such as 2026-11-24; today when left out.",
            valueName: "day"
        )
    )
    var day: String?

    private var model: String { options.model }

    func validate() throws {
        guard before != nil || !versions.isEmpty else {
            throw ValidationError("name the versions, or the first one that stays with --before")
        }
        if let day, !ModelLock.isDay(day) {
            throw ValidationError("'\(day)' is no day; write it as 2026-11-24")
        }
    }

    func run() throws {
        try MomtoolCommands.run {
            let (bundle, turn) = try read()
            let pruning = try Pruning(
                Pruning.Choice(before: before, versions),
                of: bundle,
                on: day ?? Self.today
            )
            let names = pruning.versions.map(\.name) + pruning.missing.map(\.name)
            let list = names.map { "'\($0)'" }.listed(most: 5)
            try pruning.change.carryOut(
                as: "pruned \(names.count.counted("version")): \(list)",
                of: bundle.path,
                in: turn,
                options,
                telling: pruning.consequences + pruning.company
            )
        }
    }

    /// Reads the model in the turn to change it; what a command that was killed left is taken back first.
    private func read() throws -> (bundle: ModelBundle, turn: ChangeTurn?) {
        if let gone = Pruning.goneModel(at: model) {
            return (gone, options.dryRun ? nil : try changeTurn(around: model))
        }
        guard !SwiftEditRun.isMeant(model) else {
            let editor = try SwiftSourceEditor(model, isDry: options.dryRun)
            return (editor.bundle, editor.turn)
        }
        let editor = try BundleEditor(model, version: nil, options)
        try editor.requireBundle()
        return (editor.bundle, editor.turn)
    }

    /// The present day, everywhere the same.
    private static var today: String {
        Date().formatted(.iso8601.year().month().day())
    }
}
