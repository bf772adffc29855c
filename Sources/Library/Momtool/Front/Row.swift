import Diagnostics
public import Essentials
public import ObjectModel
import RowExchange

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
