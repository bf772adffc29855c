public import Diagnostics
public import Essentials
import FileSystem
public import ObjectModel
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
        } catch { throw isCancelled ? .cancelled("the export") : MomtoolError(error) }
    }

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

/// An object of a store as it was when read: a plain value, which needs neither the store nor a context.
///
/// ```swift
/// for row in try Rows(of: store, entities: ["Book"]).all() {
///     let title = try row.value("title", as: String.self)
///     print(row.id, title ?? "untitled", try row.references("authors"))
/// }
/// ```
///
/// Reading an attribute that is not stored, or that the entity lacks, throws. So does a value of another type than the
/// attribute's, which ``Rows`` lists when it writes, and a decimal that is not a number, which no list has.
///
/// ## Topics
///
/// ### Identity
/// - ``id``
/// - ``Reference``
///
/// ### Reading
/// - ``value(_:as:)``
/// - ``values``
/// - ``references(_:)``
/// - ``RowValue``
public struct Row: Sendable, Hashable, Identifiable {
    /// An object by its entity and its key, such as `Book/p12`.
    public struct Reference: Sendable, Hashable {
        /// The name of the object's own entity, which may be a sub-entity of the relationship's destination.
        public let entity: String
        /// The key, unique among the objects of a root entity and everything below it.
        public let key: Int64

        init(_ reference: StoredRow.Reference) { (entity, key) = (reference.entity, reference.key) }
    }

    private let stored: StoredRow

    init(_ stored: StoredRow) { self.stored = stored }

    /// The object itself.
    public var id: Reference { Reference(stored.reference) }

    /// The values of attributes that are not nil and have the type of the attribute; ``value(_:as:)`` reports others.
    ///
    /// Elements of a composite attribute have their path, such as `address.city`; a transformed value is `binary`.
    public var values: [String: AttributeValue] { stored.values }

    /// Reads the value of an attribute.
    ///
    /// The name may be the path to an element of a composite attribute. Throws when there is no such stored attribute,
    /// or its value does not fit the type.
    public func value<Value: RowValue>(
        _ name: String,
        as type: Value.Type = Value.self
    ) throws(MomtoolError) -> Value? {
        let element = "\(id.entity).\(name)"
        guard stored.shape.attributes.contains(name) else {
            let near = suggestion(for: name, among: stored.shape.attributes.sorted())
            throw fault("unknown-property", "'\(id.entity)' stores no attribute '\(name)'\(near)")
        }
        guard !stored.misfits.contains(name) else {
            let message = "the value of \(element) in \(id) is not stored in the form of its type"
            throw fault("damaged-value", message)
        }
        guard let value = stored.values[name] else { return nil }
        guard let read = Value(rowValue: value) else {
            throw fault("wrong-value", "\(value) of \(element) in \(id) is not a valid \(type)")
        }
        return read
    }

    /// Reads the objects of a relationship, in their order where there is one; of a to-one relationship at most one.
    public func references(_ relationship: String) throws(MomtoolError) -> [Reference] {
        guard stored.shape.relationships.contains(relationship) else {
            let near = suggestion(for: relationship, among: stored.shape.relationships.sorted())
            let message = "'\(id.entity)' stores no relationship '\(relationship)'\(near)"
            throw fault("unknown-property", message)
        }
        return (stored.links[relationship] ?? []).map { Reference($0) }
    }

    private func fault(_ rule: RuleID, _ message: String) -> MomtoolError {
        let isDamage = rule == "damaged-value"
        return MomtoolError(isDamage ? .badData : .usage, saying: [Diagnostic(rule, message)])
    }
}

extension Row: CustomStringConvertible {
    /// The object and what is not nil on one line, such as `Book/p12: author = Author/p2, title = "Kim"`.
    public var description: String {
        let values = stored.values.mapValues { "\($0)" }
        let links = stored.links.mapValues { links in
            links.map { "\(Reference($0))" }.joined(separator: " ")
        }
        let members = values.merging(links) { value, _ in value }.sorted { $0.key < $1.key }
        let text = members.map { name, value in
            "\(name) = \(value.count > 60 ? "\(value.prefix(60))…" : value)"
        }
        return "\(id)\(text.isEmpty ? "" : ": ")\(text.joined(separator: ", "))".onOneLine
    }
}

extension Row.Reference: CustomStringConvertible {
    /// The reference as exports write it, such as `Book/p12`.
    public var description: String { "\(entity)/p\(key)".onOneLine }
}

/// A type that values of attributes can be read as.
///
/// ```swift
/// enum Shelf: Int, RowValue { case left, right }
/// let shelf = try row.value("shelf", as: Shelf.self)
/// ```
public protocol RowValue {
    /// Creates a value; `nil` where the type cannot hold it exactly.
    init?(rowValue: AttributeValue)
}

extension RowValue where Self: RawRepresentable, RawValue: RowValue {
    /// Reads a case by its raw value.
    public init?(rowValue: AttributeValue) {
        guard let raw = RawValue(rowValue: rowValue) else { return nil }
        self.init(rawValue: raw)
    }
}

extension Int: RowValue {
    /// Reads an integer.
    public init?(rowValue: AttributeValue) {
        guard case .integer(let number) = rowValue else { return nil }
        self.init(exactly: number)
    }
}

extension Double: RowValue {
    /// Reads a number of a Double or Float attribute.
    public init?(rowValue: AttributeValue) {
        switch rowValue {
        case .double(let number): self = number
        case .float(let number): self = Double(number)
        default: return nil
        }
    }
}

extension Bool: RowValue {
    /// Reads a truth value.
    public init?(rowValue: AttributeValue) {
        guard case .boolean(let value) = rowValue else { return nil }
        self = value
    }
}

extension String: RowValue {
    /// Reads a text, or the text of a URI.
    public init?(rowValue: AttributeValue) {
        switch rowValue {
        case .string(let text), .uri(let text): self = text
        default: return nil
        }
    }
}

extension Date: RowValue {
    /// Reads a date.
    public init?(rowValue: AttributeValue) {
        guard case .date(let seconds) = rowValue else { return nil }
        self.init(timeIntervalSinceReferenceDate: seconds)
    }
}

extension Data: RowValue {
    /// Reads bytes, also of an external file, and transformed values.
    public init?(rowValue: AttributeValue) {
        guard case .binary(let data) = rowValue else { return nil }
        self = data
    }
}

extension UUID: RowValue {
    /// Reads a UUID.
    public init?(rowValue: AttributeValue) {
        guard case .uuid(let uuid) = rowValue else { return nil }
        self = uuid
    }
}

extension URL: RowValue {
    /// Reads a URI.
    public init?(rowValue: AttributeValue) {
        guard case .uri(let text) = rowValue else { return nil }
        self.init(string: text, encodingInvalidCharacters: false)
    }
}

extension Decimal: RowValue {
    /// Reads a decimal number, also one that is not a number.
    public init?(rowValue: AttributeValue) {
        guard case .decimal(let number) = rowValue else { return nil }
        guard number != .notANumber else {
            self = .nan
            return
        }
        self.init(string: number.description)
    }
}
