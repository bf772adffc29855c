import Diagnostics
import Essentials
public import ObjectModel
import SQLiteAccess
public import StoreFormat

/// Creates a store of a model, filled with rows in the form of ``exportRows(of:model:options:to:)``.
///
/// Every text is taken as `@id`; `p12` gets the key 12, rows without one a key of their own. A reference
/// `Entity/id` names the row's entity, or one above it when that leaves no doubt. A link may be written on either
/// side or on both. Nil, empty and left out are the same, with two exceptions: a required attribute that is left
/// out gets its default value, a derived one is computed (`null` keeps it nil). Rings of required to-one
/// relationships can be written, as Core Data can save them.
///
/// The store appears whole or not at all.
///
/// - Parameters:
///   - path: the path of the new store; there must be no file yet.
///   - model: the model.
///   - rows: the rows.
///   - options: what else the store depends on.
/// - Returns: the number of rows.
/// - Throws: ``RowExchangeError`` at the first fault of the rows, with its line and column.
@discardableResult
public func createStore(
    at path: String,
    model: ManagedObjectModel,
    rows: RowSource,
    options: StoreCreationOptions = StoreCreationOptions()
) throws(RowExchangeError) -> Int {
    // The maker of stores knows errors of stores alone, so others wait here until it is done.
    let outcome = ImportOutcome()
    let filling = StoreFilling { connection, layout, folder throws(StoreError) in
        do throws(RowExchangeError) {
            return try outcome.load(model, rows, layout, connection, ExternalData(folder: folder))
        } catch {
            outcome.error = error
            throw StoreError.inaccessible(path: path, reason: "the rows are at fault")
        }
    }
    do throws(StoreError) {
        try StoreFormat.createStore(at: path, model: model, options: options, filling)
    } catch {
        throw outcome.error ?? outcome.explained(error)
    }
    return outcome.count
}

/// What an import leaves behind beside the store.
private final class ImportOutcome {
    var error: RowExchangeError?
    private(set) var count = 0

    func load(
        _ model: ManagedObjectModel,
        _ rows: RowSource,
        _ layout: StoreLayout,
        _ connection: SQLiteConnection,
        _ externalData: ExternalData
    ) throws(RowExchangeError) -> [String: Int64] {
        var rowImport = try RowImport(
            model,
            rows,
            layout,
            connection,
            externalData
        )
        defer { count = rowImport.count }
        return try rowImport.run()
    }

    /// Unique indexes are made when all rows are there, so that they find what is not unique.
    func explained(_ error: StoreError) -> RowExchangeError {
        guard case .sqlite(_, 2067, let message, _) = error else { return .store(error) }
        let names = message.split(separator: ": ").last.map(String.init) ?? ""
        return .rows(
            Diagnostic(.duplicateValue, "rows share a value that must be unique: \(names)")
        )
    }
}

/// The work of filling one store.
struct RowImport {
    private(set) var count = 0
    private let rows: RowSource
    private let layout: StoreLayout
    private let connection: SQLiteConnection
    private let targets: ImportTargets
    private let externalData: ExternalData
    private var identifiers: RowIdentifiers

    init(
        _ model: ManagedObjectModel,
        _ rows: RowSource,
        _ layout: StoreLayout,
        _ connection: SQLiteConnection,
        _ externalData: ExternalData
    ) throws(RowExchangeError) {
        self.rows = rows
        self.layout = layout
        self.connection = connection
        self.externalData = externalData
        identifiers = RowIdentifiers(layout)
        targets = try reading { () throws(StoreError) in
            try ImportTargets(model, layout, connection)
        }
    }

    /// Writes all rows and gives the greatest key by root entity.
    mutating func run() throws(RowExchangeError) -> [String: Int64] {
        try collectIdentifiers()
        try insertRows()
        let completion = LinkCompletion(targets, layout, connection)
        let fault = try reading { () throws(StoreError) in try completion.complete() }
        if let fault { throw try located(fault) }
        return Dictionary(
            layout.tables.enumerated().map {
                ($1.rootEntity, identifiers.greatestKey(ofHierarchy: $0))
            },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// References may lead forward, so that all rows must be known before the first is written.
    private mutating func collectIdentifiers() throws(RowExchangeError) {
        try document.forEachRow { reader, entity throws(RowExchangeError) in
            try reader.skipRow { text throws(RowExchangeError) in
                guard identifiers.add(text, to: entity) else {
                    let name = String(decoding: text, as: UTF8.self)
                    let message = "there is another row with the @id '\(name)'"
                    let element = targets.entities[entity].name
                    throw reader.fault(.duplicateID, message, at: reader.mark, element: element)
                }
            }
        }
    }

    private mutating func insertRows() throws(RowExchangeError) {
        var inserter = RowInserter(targets, identifiers, externalData)
        defer {
            (count, identifiers) = (inserter.count, inserter.identifiers)
        }
        try document.forEachRow { reader, entity throws(RowExchangeError) in
            try inserter.insertRow(of: entity, from: reader)
        }
    }

    private var document: RowDocument {
        RowDocument(rows, entities: layout.entities.map { ($0.name, $0.isAbstract) })
    }

    /// Reads the text once more to find the row that a fault is about.
    private func located(_ fault: LinkFault) throws(RowExchangeError) -> RowExchangeError {
        var place = fault.place
        if place == nil { place = try self.place(ofRow: fault.key, in: fault.table) }
        let location = SourceLocation(path: rows.path, line: place?.line, column: place?.column)
        let message = "\(fault.property): \(fault.message)"
        return .rows(
            Diagnostic(fault.rule, message, at: location, element: fault.property.description)
        )
    }

    /// Finds a row by its key; `nil` when the text gives it no `@id`.
    private func place(
        ofRow key: Int64,
        in table: String
    ) throws(RowExchangeError) -> (line: Int, column: Int)? {
        let sql = "SELECT Z_ENT FROM \(quotedIdentifier(table)) WHERE Z_PK = ?"
        let number = try reading { () throws(StoreError) in
            try connection.value(sql, [.integer(key)])?.integer
        }
        var place: (line: Int, column: Int)?
        try document.forEachRow { reader, entity throws(RowExchangeError) in
            _ = try reader.peek()
            let mark = reader.mark
            var isMeant = false
            try reader.skipRow { text throws(RowExchangeError) in
                isMeant =
                    Int64(entity + 1) == number && identifiers.key(text, of: entity) == key
            }
            if isMeant { place = mark }
        }
        return place
    }
}
