import ArgumentParser
import Diagnostics
import Foundation
import ModelLoading
import ObjectModel
import RowExchange
import StoreFormat

/// `momtool create`: a new store, empty or with rows.
struct CreateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create a store as Core Data would, empty or with rows.",
        discussion: """
            Rows are JSON as `momtool export` writes it. The store appears whole or not at all.

            EXAMPLE
              momtool create Shop.sqlite --model Shop.xcdatamodeld --version V2
              momtool create Shop.sqlite --model Shop.xcdatamodeld --rows Rows.json
            """
    )

    @Argument(help: "The new file.")
    var store: String

    @Option(help: "The model.")
    var model: String

    @Option(help: "The version of the model; the current one when left out.")
    var version: String?

    @Option(help: "The rows, as JSON; - is standard input.")
    var rows: String?

    @Flag(help: "Add the tables of persistent history.")
    var history = false

    @Flag(help: "Replace a store that is there.")
    var force = false

    @Flag(name: .shortAndLong, help: "Say nothing when all is well.")
    var quiet = false

    func run() throws {
        try Commands.run {
            let version = try ModelArgument(model).load().chosenVersion(version)
            let options = StoreCreationOptions(keepsHistory: history)
            warn(about: StoreLayout(model: version.model, options: options.layout))
            let source = try rows.map { try openRows($0) }
            let isThere = FileManager.default.fileExists(atPath: store)
            let count: Int
            if force, isThere {
                let replacement = try StoreReplacement(of: store)
                defer { replacement.remove() }
                count = try create(at: replacement.path, version.model, source, options)
                try replacement.publish()
            } else {
                count = try create(at: store, version.model, source, options)
            }
            guard !quiet else { return }
            Console.say("\(store): \(version.name), \(count) \(count == 1 ? "row" : "rows")")
        }
    }

    private func create(
        at path: String,
        _ model: ManagedObjectModel,
        _ source: RowSource?,
        _ options: StoreCreationOptions
    ) throws -> Int {
        guard let source else {
            try createStore(at: path, model: model, options: options)
            return 0
        }
        return try createStore(at: path, model: model, rows: source, options: options)
    }

    private func openRows(_ path: String) throws -> RowSource {
        do {
            return try RowSource(path: path)
        } catch {
            throw CommandFailure(.noInput, ["error: \(error.description) [inaccessible-file]"])
        }
    }

    /// Says what of the layout is a guess, or not known and left out.
    private func warn(about layout: StoreLayout) {
        for join in layout.joinTables where join.isNameGuessed {
            Console.show([
                Diagnostic(
                    "guessed-join-table",
                    "'\(join.namingRelationship)' and its inverse '\(join.first.leadsThrough)' "
                        + "lead to the same entity; which one names their table is guessed, and "
                        + "Core Data may look for another name",
                    severity: .warning
                )
            ])
        }
        for property in layout.unknownIndexes {
            let message = "the index '\(property)' is left out; its form in SQLite is not known"
            Console.show([Diagnostic("unknown-index-form", message, severity: .warning)])
        }
        for property in layout.unknownDerivations {
            let message = "'\(property)' is not kept up to date; its triggers are not known"
            Console.show([Diagnostic("unknown-derivation", message, severity: .warning)])
        }
    }
}

/// A new store that is made beside an old one and takes its place with all that belongs to it.
private struct StoreReplacement {
    private let store: URL
    private let folder: URL

    /// Makes room beside a store that nobody uses.
    ///
    /// - Throws: `StoreError` when the file is no store, which is never replaced, or in use.
    init(of path: String) throws {
        _ = try StoreFile(path: path)
        store = URL(fileURLWithPath: path)
        folder = store.deletingLastPathComponent()
            .appendingPathComponent(".momtool-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        } catch {
            throw CommandFailure(
                .cannotCreate,
                path,
                "the folder cannot be written",
                "cannot-create"
            )
        }
    }

    var path: String { folder.appendingPathComponent(store.lastPathComponent).path }

    func remove() {
        try? FileManager.default.removeItem(at: folder)
    }

    func publish() throws {
        let manager = FileManager.default
        let support = supportFolder(of: store.path)
        for path in ["-wal", "-shm", "-journal"].map({ store.path + $0 }) + [support]
        where manager.fileExists(atPath: path) {
            try move { try manager.removeItem(atPath: path) }
        }
        guard rename(path, store.path) == 0 else {
            let reason = String(cString: strerror(errno))
            throw CommandFailure(.ioFailed, store.path, reason, "cannot-replace")
        }
        let ownSupport = supportFolder(of: path)
        if manager.fileExists(atPath: ownSupport) {
            try move { try manager.moveItem(atPath: ownSupport, toPath: support) }
        }
    }

    private func supportFolder(of path: String) -> String {
        externalDataFolder(of: path).deletingLastPathComponent().path
    }

    private func move(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            throw CommandFailure(.ioFailed, store.path, "\(error)", "cannot-replace")
        }
    }
}
