import Diagnostics
import Essentials
public import SQLiteAccess

/// An object of a store: its identifier, its entity and its values.
public struct StoreObject: Sendable {
    /// The identifier, unique among the objects of a root entity and everything below it.
    public var id: Int64
    /// The name of its entity.
    public var entity: String
    /// The entity that it was requested as, whose properties it has.
    private let read: String
    private let row: [SQLiteValue]
    private let places: [String: Int]
    private let record: ReadRecord?

    /// `row` holds the identifier and the name of the entity before the values, whose indexes are `places`.
    init(
        row: [SQLiteValue],
        places: [String: Int],
        of entity: String,
        _ record: ReadRecord? = nil
    ) {
        id = row[0].integer ?? 0
        self.entity = row[1].text ?? ""
        read = entity
        (self.row, self.places, self.record) = (row, places, record)
    }

    /// Reads the value of an attribute, or the identifier of a to-one relationship's destination.
    ///
    /// ```swift
    /// let shout = StageHandlers(didMigrate: { store in
    ///     for book in try store.objects("Book") {
    ///         let title = try book.value("title").text ?? ""
    ///         try store.update("Book", book.id, ["title": .text(title.uppercased())])
    ///     }
    /// })
    /// ```
    ///
    /// - Parameter name: the name of a property of the entity that the object was read as.
    /// - Returns: the value, as it is stored.
    /// - Throws: ``StoreContextError/unknownProperty(entity:name:help:)`` where that entity stores none of this name.
    public func value(_ name: String) throws(StoreContextError) -> SQLiteValue {
        guard let place = places[name] else {
            let help = suggestion(for: name, among: places.keys.sorted())
            throw .unknownProperty(entity: read, name: name, help: help)
        }
        record?.note(name, of: read)
        return row[place]
    }
}

extension StoreObject: CustomStringConvertible {
    /// The object and what is not NULL on one line, such as `Person/p12: age = 36, name = "Ada"`.
    public var description: String {
        let values = places.sorted { $0.key < $1.key }.compactMap { name, place in
            row[place].words.map { "\(name) = \($0)" }
        }
        let text = values.joined(separator: ", ")
        return "\(entity)/p\(id)\(text.isEmpty ? "" : ": ")\(text)".onOneLine
    }
}

extension SQLiteValue {
    /// The value for people; `nil` for NULL.
    fileprivate var words: String? {
        switch self {
        case .null: nil
        case .integer(let number): String(number)
        case .real(let number): String(number)
        case .text(let text): "\"\(text.count > 60 ? "\(text.prefix(60))…" : text)\""
        case .blob(let data): data.count.counted("byte")
        }
    }
}
