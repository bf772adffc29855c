import ArgumentParser
import Diagnostics
import ModelLoading
import Momtool
import MomtoolReporting
import ObjectModel
import StoreFormat

struct StoreArguments: ParsableArguments {
    @Argument(help: "The stores.", completion: .store) var stores: [String] = []

    @Option(help: StoreList.help, completion: .file()) var fromList: String?

    func validate() throws {
        guard !stores.isEmpty || fromList != nil else {
            throw ValidationError("name a store, or a list of stores with --from-list")
        }
        guard !stores.contains("") else {
            throw ValidationError("the name of a store is empty; nothing was done")
        }
        if let advice = modelAdvice(among: stores) { throw ValidationError(advice) }
    }

    /// Whether results go into a folder although only one store may be found.
    var isList: Bool { stores.count > 1 || fromList != nil }

    func all() throws -> [String] { try stores + StoreList.paths(inList: fromList) }

    /// The names of results in the folder of several; with a list only by the path, as the next list may differ.
    private var naming: MigrationTarget.Naming {
        guard isList else { return .lone }
        return fromList != nil ? .byPath : .belowSharedFolder
    }

    func targets(
        among stores: [String],
        output: String?,
        backup: String? = nil
    ) throws -> [MigrationTarget] {
        try MigrationTarget.all(
            for: stores,
            output: output,
            backup: backup,
            naming: naming
        )
    }
}

enum StoreList {
    static let help = ArgumentHelp(
        "A file with the paths of more stores, one per line or separated by NUL; - for standard input.",
        valueName: "file"
    )

    /// The stores in a list; a NUL anywhere means that NULs separate them, so that a path may hold a line break.
    static func paths(inList file: String?) throws -> [String] {
        guard let file else { return [] }
        var text = try readText(file, limit: listLimit)
        // Editors on Windows put a byte-order mark before the first path.
        if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
        let separator: UInt8 = text.utf8.contains(0) ? 0 : UInt8(ascii: "\n")
        let paths = text.utf8.split(separator: separator).map { part in
            let isReturn = separator != 0 && part.last == UInt8(ascii: "\r")
            return String(Substring(isReturn ? part.dropLast() : part))
        }.filter { !$0.isEmpty }
        guard !paths.isEmpty else {
            throw CommandFailure(.noInput, file, "the list names no store", "no-stores")
        }
        return paths
    }

    /// The limit of a list in bytes: ten million paths of a hundred bytes.
    private static let listLimit = 1 << 30
}

/// The models to read stores with: the version of the named one that wrote a store, or the store's own.
///
/// The named one is read once for all stores.
final class StoreModels: Sendable {
    private let name: String?
    private let swift: SwiftSettings
    /// Whether the app's classes count, which the command then searches.
    private let asRequired: Bool
    private let bundle = Locked<ModelBundle?>(nil)

    init(named name: String?, _ swift: SwiftSettings, asRequired: Bool = false) {
        (self.name, self.swift, self.asRequired) = (name, swift, asRequired)
    }

    func model(of store: StoreFile) throws -> ManagedObjectModel {
        if let bundle = try named() { return try bundle.model(of: store) }
        guard let version = try embeddedVersion(of: store) else {
            let message = "the store has no model; name one with --model"
            throw CommandFailure(.noInput, store.path, message, .notAModel)
        }
        return try checked(version).model
    }

    private func named() throws -> ModelBundle? {
        guard let name else { return nil }
        return try bundle.withLock { bundle in
            if let bundle { return bundle }
            var loaded = try ModelPlace(name, swift: swift).load()
            if asRequired { loaded = loaded.requiringValues }
            bundle = loaded
            return loaded
        }
    }
}

struct HistoryOptions: ParsableArguments {
    @Flag(help: "Also search the git history of the model for versions.") var git = false

    @Option(help: "The revisions that --git searches, such as v1.0..main; all when left out.")
    var range: String?

    func validate() throws {
        if range != nil, !git { throw ValidationError("--range needs --git") }
    }

    /// Loads a model with the versions of its history after its own, and the commits that had these.
    func load(
        _ argument: ModelPlace,
        allowingGaps: Bool
    ) throws -> (bundle: ModelBundle, commits: [String: VersionCommits]) {
        guard let history = try history(of: argument.path, argument.swift) else {
            return (try argument.load(allowingGaps: allowingGaps), [:])
        }
        do {
            var bundle = try argument.load(allowingGaps: allowingGaps)
            bundle.versions += history.versions
            return (bundle, history.commits)
        } catch let failure as MomtoolError where failure.kind == .noInput {
            let bundle = ModelBundle(path: argument.path, versions: history.versions)
            return (bundle, history.commits)
        }
    }

    /// The history of a model; `nil` when it is not asked for.
    func history(of model: String, _ swift: SwiftSettings) throws -> ModelHistory? {
        guard git else { return nil }
        let history = try WorkDisplay.during("git", unit: "versions") { progress in
            try ModelHistory(of: model, range: range, swift: swift, progress: progress)
        }
        if history.isShallow {
            Console.complain(
                "\(model): note: the clone is shallow, so older versions are not searched; fetch its whole history first"
            )
        }
        for fault in history.unreadable { Console.complain("\(model): warning: \(fault)") }
        return history
    }
}

extension VersionCommits {
    func report(of version: String) -> VersionCommitsReport {
        VersionCommitsReport(
            version: version,
            path: path,
            first: (first, date, author, subject),
            last: last,
            tags: tags
        )
    }
}
