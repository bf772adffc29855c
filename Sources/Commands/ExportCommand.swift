import ArgumentParser
import Diagnostics
import Foundation
import ModelHashing
import ModelLoading
import ObjectModel
import RowExchange
import StoreFormat

/// `momtool export`: the rows of a store as JSON.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the rows of a store as canonical JSON.",
        discussion: """
            The same store gives the same text, one row to a line; `momtool create --rows` reads it back.

            EXAMPLE
              momtool export Shop.sqlite -o Rows.json
              momtool export Shop.sqlite --entity Order --where 'customer.name BEGINSWITH "A"'
            """
    )

    @Argument(help: "The store.")
    var store: String

    @Option(help: "The model; that of the store when left out.")
    var model: String?

    @Option(name: .shortAndLong, help: "The file; standard output when left out.")
    var output: String?

    @Option(help: "Write the rows of one entity and those below it; may be repeated.")
    var entity: [String] = []

    @Option(
        name: .customLong("where"),
        help: "Write rows that meet a predicate in Apple's language."
    )
    var predicate: String?

    @Flag(name: .shortAndLong, help: "Say nothing when all is well.")
    var quiet = false

    func run() throws {
        try Commands.run {
            let file = try StoreFile(path: store)
            let model = try storeModel(of: file, named: model)
            let options = RowExportOptions(entities: entity, predicate: predicate)
            guard let output else {
                try exportRows(of: file, model: model, options: options) {
                    piece throws(RowExchangeError) in
                    try write(piece, to: 1, path: "standard output")
                }
                return
            }
            let count = try export(file, model, options, to: output)
            guard !quiet else { return }
            Console.say("\(output): \(count) \(count == 1 ? "row" : "rows")")
        }
    }

    /// Writes a file that appears whole or not at all.
    private func export(
        _ file: StoreFile,
        _ model: ManagedObjectModel,
        _ options: RowExportOptions,
        to path: String
    ) throws -> Int {
        let draft = path + ".momtool-\(UUID().uuidString)"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            throw CommandFailure(.cannotCreate, path, reason, "cannot-create")
        }
        defer {
            close(descriptor)
            unlink(draft)
        }
        let count = try exportRows(of: file, model: model, options: options) {
            piece throws(RowExchangeError) in
            try write(piece, to: descriptor, path: path)
        }
        guard rename(draft, path) == 0 else {
            let reason = String(cString: strerror(errno))
            throw CommandFailure(.cannotCreate, path, reason, "cannot-create")
        }
        return count
    }
}

private func write(
    _ bytes: [UInt8],
    to descriptor: Int32,
    path: String
) throws(RowExchangeError) {
    var start = 0
    while start < bytes.count {
        let count = bytes[start...].withUnsafeBytes {
            Foundation.write(descriptor, $0.baseAddress, $0.count)
        }
        if count < 0 {
            if errno == EINTR { continue }
            throw .file(path: path, reason: String(cString: strerror(errno)))
        }
        start += count
    }
}

/// Returns the model to read a store with: the version of the named one that the store is of, else its own.
func storeModel(of store: StoreFile, named name: String?) throws -> ManagedObjectModel {
    let hashes = try store.metadata().hashes
    if let name {
        let bundle = try ModelArgument(name).load()
        let version = bundle.versions.last { versionHashes(of: $0.model) == hashes }
        return try (version ?? bundle.chosenVersion(nil)).model
    }
    guard let model = try embeddedModel(of: store) else {
        let message = "the store holds no model; name one with --model"
        throw CommandFailure(.noInput, store.path, message, .notAModel)
    }
    Console.show(model.diagnostics)
    guard !model.hasErrors else { throw CommandFailure(.badData, []) }
    return model.value
}
