public import Diagnostics
import FileSystem
import ObjectModel
import RowExchange
import SQLiteAccess
import StoreFormat
import StoreMigration

/// The rows of a store, as values or as canonical JSON, which ``Store/create(_:of:version:rows:following:)``
/// takes back.
///
/// ```swift
/// let rows = Rows(of: try Store("Shop.sqlite"), entities: ["Author"], where: "name BEGINSWITH 'A'")
/// for row in try rows.all() { print(row) }
/// print(try rows.json())
/// ```
///
/// The same store gives the same text. Values that the model does not allow are written as stored, and reported.
///
/// ## Topics
///
/// ### Choosing
/// - ``init(of:model:entities:where:withRequired:)``
///
/// ### Reading
/// - ``all()``
/// - ``forEach(_:)``
/// - ``Row``
///
/// ### Exporting
/// - ``json()``
///
/// ### Giving them to a new store
/// - ``Input``
public struct Rows: Sendable {
    private let store: Store
    private let model: Model?
    private let options: RowExportOptions

    /// Chooses rows of a store.
    ///
    /// Rows are read by the model in the store when none is given, and are those of all entities, or of some with their
    /// sub-entities. The condition is in the predicate format language; `withRequired` adds the rows that required
    /// to-one relationships lead to, recursively.
    public init(
        of store: Store,
        model: Model? = nil,
        entities: [String] = [],
        where condition: String? = nil,
        withRequired: Bool = false
    ) {
        (self.store, self.model) = (store, model)
        options = RowExportOptions(
            entities: entities,
            predicate: condition,
            takesRequired: withRequired
        )
    }

    /// Reads the rows, in memory.
    ///
    /// They come entities by name, rows by key. Throws if the store cannot be read, or belongs to another model.
    public func all() throws(MomtoolError) -> [Row] {
        let cancellation = MigrationCancellation.current
        func requireWanted() throws(MomtoolError) {
            guard cancellation?.isCancelled != true else { throw .cancelled("reading") }
        }
        var rows: [Row] = []
        try asked {
            try forEach { row in
                try requireWanted()
                rows.append(row)
            }
        }
        try requireWanted()
        return rows
    }

    /// Reads the rows one by one, entities by name, rows by key; memory does not grow with their number.
    public func forEach(_ body: (Row) throws -> Void) throws {
        let (file, content) = try reading()
        do {
            try readRows(of: file, model: content, options: options) { try body(Row($0)) }
        } catch let error as StoreError { throw MomtoolError(error) }
    }

    private func reading() throws(MomtoolError) -> (file: StoreFile, model: ManagedObjectModel) {
        let (file, content) = try store.reading(by: model)
        let names = content.entities.map(\.name)
        guard let missing = options.entities.first(where: { !names.contains($0) }) else {
            return (file, content)
        }
        var place = "the model in the store"
        if let model {
            let writer = try store.version(in: model)
            let version = if let writer { writer } else { try model.version() }
            place = "the version '\(version.name)' of \(model.path), by which the store is read"
        }
        let message =
            "there is no entity '\(missing)' in \(place)\(suggestion(for: missing, among: names))"
        throw MomtoolError(.usage, store.path, message, "unknown-row-entity")
    }

    /// Writes the rows as one text, in memory.
    public func json() throws(MomtoolError) -> String {
        let (file, content) = try reading()
        let bytes = try asked { try exportedRows(of: file, model: content, options: options) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Writes the rows into a new file, which appears only when complete; memory does not grow with their number.
    ///
    /// An existing file is replaced, unless it is the store, a part of it, another database, a model or not a regular
    /// file. Returns values of the store that its model does not allow. Throws, and leaves no new file, when the store
    /// cannot be read or the file cannot be written.
    @discardableResult
    public func write(
        to path: String,
        progress: ProgressHandler? = nil
    ) throws(MomtoolError) -> [Diagnostic] {
        let inputs = InputFiles([store.path] + (model.map { [$0.path] } ?? []))
        let place = try OutputPlace.file(at: path, sparing: inputs)
        let (file, content) = try reading()
        let (relay, cancellation) = (ProgressRelay(progress), MigrationCancellation.current)
        var isCancelled: Bool { cancellation?.isCancelled == true }
        do {
            let draft = try FileDraft(
                for: place,
                in: DraftFolder(parent(of: place), for: [place]),
                reportedPath: path
            )
            var count = 0
            let exported = try exportRows(of: file, model: content, options: options) {
                piece throws(StoreError) in
                if isCancelled { throw .cancelled(file.path) }
                count += piece.count { $0 == UInt8(ascii: "\n") }
                relay?.report(WorkProgress(title: "export", done: count, of: 0))
                do throws(FileError) { try draft.write(piece) } catch {
                    throw StoreError(error)
                }
            }
            try draft.finish()
            try draft.publish()
            relay?.finish()
            return exported.diagnostics
        } catch {
            throw isCancelled ? .cancelled("the export") : MomtoolError(error)
        }
    }
}

extension Rows {
    /// Rows for a new store, as ``Rows`` writes them.
    ///
    /// ```swift
    /// let rows = #"{"Author": [{"@id": "p1", "name": "Ada"}]}"#
    /// let store = try Store.create("Test.sqlite", of: Model("Shop.xcdatamodeld"), rows: .json(rows))
    /// ```
    public enum Input: Sendable, Hashable {
        /// The file at a path, in UTF-8.
        case file(String)
        /// The text itself; messages call it `rows`.
        case json(String)

        func source() throws(StoreError) -> RowSource {
            switch self {
            case .file(let path): try RowSource(path: path)
            case .json(let text): RowSource(bytes: Array(text.utf8), path: "rows")
            }
        }
    }
}
