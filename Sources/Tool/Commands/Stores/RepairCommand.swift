import ArgumentParser
import Diagnostics
import Essentials
import ModelLoading
import Momtool
import ObjectModel
import Reporting
import StoreFormat
import StoreMigration

/// `momtool repair`: what can be made right in a damaged store.
struct RepairCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract: "Repair a damaged store without inventing values.",
        discussion: """
            Prints what it would do, with --sql as the statements that run. With -o or
            --backup it makes the repairs in one transaction, verifies the result, and
            discards it when anything is worse; when there is nothing to repair, -o makes
            a copy, and --backup none. Missing tables, columns, indexes and triggers are
            created, key numbers and order keys computed again, objects get the only entity
            that is possible, and links that only one side has are added to the other. With
            --model, metadata and the model cache are written again. Lost values are never
            invented: repair asks for them by name. Ends with status 0 only when momtool
            verify finds nothing wrong afterwards, with 1 when there is something to repair
            and nothing was done, and with 3 when it needs a decision from you.

            EXAMPLE
              momtool repair Shop.sqlite
              momtool repair Shop.sqlite --model Shop.xcdatamodeld#V7 --set Book.title=unknown -o Repaired.sqlite
            """
    )

    @Argument(help: "The store.", completion: .store)
    var store: String

    @Option(
        help:
            "The model, or MODEL#VERSION for another version than the current one; the one in the store when left out.",
        completion: .model
    )
    var model: String?

    @Option(
        name: .customLong("set"),
        help:
            "A value for required attributes that have none, and for values of another type: Entity.attribute=value; may be repeated."
    )
    var values: [String] = []

    @Flag(help: "Convert values of another type where that loses nothing, such as the text 12.")
    var convert = false

    @Flag(help: "Remove links to objects that do not exist.")
    var clearLinks = false

    @Flag(help: "Create lost tables empty that had rows.")
    var allowDataLoss = false

    @Option(
        help: ArgumentHelp(
            "Remove persistent history older than this number of days.",
            valueName: "days"
        )
    )
    var pruneHistory: Double?

    @Flag(help: "Show each SQL statement.")
    var sql = false

    @Option(
        name: .shortAndLong,
        help: "The file for the repaired store; the store itself is only read."
    )
    var output: String?

    @Option(help: "Repair the store in place, and keep a copy of the original at this path.")
    var backup: String?

    @OptionGroup var swift: SwiftOptions

    @OptionGroup var report: OutputOptions<TextFormats>

    func validate() throws {
        if let pruneHistory, !(pruneHistory >= 0) {
            throw ValidationError("--prune-history takes a number of days from 0")
        }
        if output != nil, backup != nil { throw ValidationError("give -o or --backup, not both") }
    }

    func run() throws {
        try Commands.run {
            let file = try StoreFile(path: store)
            let model = try StoreModels(named: model, swift.settings).model(of: file)
            let repair = try planned(file, model)
            let isWanted = output != nil || backup != nil
            // The new file is there whenever the command ends with 0: what comes next reads it.
            let isDone =
                isWanted && repair.obstacles.isEmpty && (!repair.steps.isEmpty || output != nil)
            var left = repair.remaining
            if isDone {
                try carryOut(repair, file)
                left = try faults(against: model)
            }
            let inputs = InputFiles([store] + [self.model].compactMap(\.self))
            var text = RepairReport(repair, of: store, isDone: isDone, left, showsSQL: sql)
            if isDone { text.output = output }
            try report.deliver(sparing: inputs, text.rendered)
            guard repair.obstacles.isEmpty else { throw CommandFailure(.refused, []) }
            guard left.allSatisfy({ $0.severity != .error }) || !repair.steps.isEmpty && !isDone
            else { throw CommandFailure(.refused, []) }
            guard left.isEmpty, isDone || repair.isEmpty else {
                throw CommandFailure(.findings, [])
            }
        }
    }

    private func planned(_ file: StoreFile, _ model: ManagedObjectModel) throws -> StoreRepair {
        let options = RepairOptions(
            values: try given(for: model),
            convertsValues: convert,
            clearsLinks: clearLinks,
            allowsDataLoss: allowDataLoss,
            historyStart: pruneHistory.map {
                Date().timeIntervalSinceReferenceDate - $0 * 24 * 60 * 60
            }
        )
        return try WorkDisplay.during("repair", unit: "parts") { progress in
            try Interruptions.cancelling { cancellation in
                try StoreRepair(
                    of: file,
                    against: model,
                    options: options,
                    cancellation: cancellation,
                    progress: progress
                )
            }
        }
    }

    private func carryOut(_ repair: StoreRepair, _ file: StoreFile) throws {
        try WorkDisplay.during("repair", unit: "steps") { progress in
            try Interruptions.cancelling { cancellation in
                if let output {
                    try repair.run(
                        from: file,
                        toNewFile: output,
                        cancellation: cancellation,
                        progress: progress
                    )
                } else {
                    try repair.run(
                        inPlace: store,
                        backup: backup,
                        cancellation: cancellation,
                        progress: progress
                    )
                }
            }
        }
    }

    /// What is still wrong after the repair.
    private func faults(against model: ManagedObjectModel) throws -> [StoreFinding] {
        let repaired = try StoreFile(path: output ?? store)
        let findings = try WorkDisplay.during("repair", unit: "checks") { progress in
            try verify(repaired, against: model, progress: progress)
        }
        return findings.filter { $0.severity != .note }
    }

    /// The values that are given, by the names of attributes.
    private func given(for model: ManagedObjectModel) throws -> [String: AttributeValue] {
        var given: [String: AttributeValue] = [:]
        for text in values {
            let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let names = sides[0].split(separator: ".").map(String.init)
            guard sides.count == 2, names.count == 2 else {
                let message = "'--set \(text)' does not have the form Entity.attribute=value"
                throw CommandFailure(usage: message)
            }
            let attribute = model.entities.first { $0.name == names[0] }?.attributes
                .first { $0.name == names[1] }
            guard let attribute else {
                let known = model.entities.flatMap { entity in
                    entity.attributes.map { "\(entity.name).\($0.name)" }
                }
                let nearest = suggestion(for: String(sides[0]), among: known)
                throw CommandFailure(usage: "there is no attribute '\(sides[0])'\(nearest)")
            }
            guard let value = attributeValue(ofText: String(sides[1]), type: attribute.type) else {
                let type = attribute.type.sourceName ?? "Undefined"
                throw CommandFailure(usage: "'\(sides[1])' is not a value of type \(type)")
            }
            given[String(sides[0])] = value
        }
        return given
    }
}
