import Momtool
import ArgumentParser
import Diagnostics
import Essentials
import FileSystem
import MomtoolReporting

/// The stores of a command: named one by one, listed in a file, or those that an earlier run left undone.
struct StoreArguments: ParsableArguments {
    @Argument(help: "The stores.", completion: .store)
    var stores: [String] = []

    @OptionGroup var lists: StoreLists

    func validate() throws {
        guard !stores.isEmpty || lists.isNamed else {
            throw ValidationError("name a store, or a list of stores with --from-list")
        }
        guard !stores.contains("") else {
            throw ValidationError("the name of a store is empty; nothing was done")
        }
        if let advice = modelAdvice(among: stores) { throw ValidationError(advice) }
    }

    /// Whether results go into a folder although only one store may be found.
    var isList: Bool { stores.count > 1 || lists.isNamed }

    /// The part that this process takes; `nil` for all.
    var shard: Shard? { lists.shard }

    /// The stores, in the order of the arguments; all of them, whatever the shard.
    func all() throws -> [ListedStore] { try lists.stores(besides: stores) }

    /// Whether this process takes a store.
    func contains(_ path: String) -> Bool { lists.contains(path) }

    /// How results are called in the folder of several; with a list by the path alone, as the next list is another one.
    private var naming: MigrationTarget.Naming {
        guard isList else { return .lone }
        return lists.isNamed ? .byPath : .belowSharedFolder
    }

    /// Where the stores that this process takes go to, and their backups.
    func targets(
        among stores: [ListedStore],
        output: String?,
        backup: String? = nil
    ) throws -> [MigrationTarget] {
        try MigrationTarget.all(
            for: stores,
            output: output,
            backup: backup,
            naming: naming,
            where: contains
        )
    }
}

/// Where stores are listed that no argument names.
struct StoreLists: ParsableArguments {
    /// The help of an option that names a list of stores.
    static let listHelp = ArgumentHelp(
        "A file with the paths of more stores, one per line or separated by NUL; - for standard input.",
        valueName: "file"
    )

    @Option(help: listHelp, completion: .file())
    var fromList: String?

    @Option(
        help: ArgumentHelp(
            "A journal of an earlier run, or its report in JSON; take from it the stores that are not done.",
            valueName: "report"
        ),
        completion: .file()
    )
    var retryFailed: String?

    @Option(
        help:
            "Process only a part of the stores, by a hash of the path; 2/5 is the second of five parts."
    )
    var shard: Shard?

    /// Whether there is a list.
    var isNamed: Bool { fromList != nil || retryFailed != nil }

    /// The stores that are named and listed; all of them, whatever the shard.
    ///
    /// - Parameter named: the stores that are named one by one.
    /// - Returns: the stores.
    /// - Throws: `CommandFailure` for a list without stores, as nothing would be done; a shard may have none.
    func stores(besides named: [String]) throws -> [ListedStore] {
        var stores = named.map { ListedStore($0) }
        if let fromList {
            try Self.forEachPath(inList: fromList) { stores.append(ListedStore($0)) }
            guard !stores.isEmpty || retryFailed != nil || shard != nil else {
                throw Self.emptyList(fromList)
            }
        }
        if let retryFailed { stores += try Self.unfinished(in: retryFailed) }
        return stores
    }

    /// The stores that a list names.
    ///
    /// - Parameters:
    ///   - file: the path of the list.
    ///   - shard: the part that this process takes, which may have none; `nil` for all.
    /// - Returns: their paths; all of them, whatever the shard.
    /// - Throws: `CommandFailure` for a list without stores, as nothing would be done.
    static func paths(inList file: String, of shard: Shard?) throws -> [String] {
        var paths: [String] = []
        try forEachPath(inList: file) { paths.append($0) }
        guard !paths.isEmpty || shard != nil else { throw emptyList(file) }
        return paths
    }

    private static func emptyList(_ file: String) -> CommandFailure {
        CommandFailure(.noInput, file, "the list names no store", "no-stores")
    }

    /// Whether this process takes a store.
    func contains(_ path: String) -> Bool { shard?.contains(path) ?? true }

    /// The most bytes of a list: ten million paths of a hundred bytes.
    private static let listLimit = 1 << 30

    /// Goes through the paths in a list.
    ///
    /// A NUL anywhere means that NULs separate them, so that a path may hold a line break.
    static func forEachPath(inList file: String, _ body: (String) -> Void) throws {
        var text = try readText(file, limit: listLimit)
        // Editors on Windows put a mark before the first path.
        if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
        let separator: UInt8 = text.utf8.contains(0) ? 0 : UInt8(ascii: "\n")
        var rest = text.utf8[...]
        while !rest.isEmpty {
            let part = rest.prefix { $0 != separator }
            rest = rest[part.endIndex...].dropFirst()
            let isReturn = separator != 0 && part.last == UInt8(ascii: "\r")
            let path = String(Substring(isReturn ? part.dropLast() : part))
            if !path.isEmpty { body(path) }
        }
    }

    private static func unfinished(in report: String) throws -> [ListedStore] {
        let files = ReportFiles([report])
        guard try files.areJournals() else {
            let data = try files.data(0, limit: listLimit)
            let read = MigrationOutcomes.unfinished(data, path: report)
            Console.show(read.diagnostics)
            guard let outcomes = read.value else { throw CommandFailure(.badData, []) }
            return outcomes.map { ListedStore($0.store, notedPlace: $0.place) }
        }
        let outcomes = try files.outcomes()
        return try (0..<outcomes.count).filter { !outcomes.isDone($0) }.map { index in
            let outcome = try files.outcome(at: outcomes.position(index))
            return ListedStore(outcome.store, notedPlace: outcome.place)
        }
    }
}
