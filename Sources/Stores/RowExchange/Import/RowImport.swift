import Diagnostics
package import ObjectModel
package import SQLiteAccess
package import StoreFormat

/// Creates a store of a model, filled with rows in the form of ``exportRows(of:model:options:to:)``.
///
/// Every text is allowed as `@id`; `p12` gets the key 12, rows without one a key of their own. A reference `Entity/id`
/// names the row's entity, or one above it when that is unambiguous. A link may be written on either side or on both.
/// Nil, empty and omitted are the same, with two exceptions: an omitted required attribute gets its default value, an
/// omitted derived one is computed (`null` keeps it nil). Cycles of required to-one relationships can be written, as
/// Core Data can save them.
///
/// The store appears complete or not at all.
///
/// - Parameters:
///   - path: the path of the new store, which must not exist.
///   - model: the model.
///   - rows: the rows.
///   - options: what else the store depends on.
///   - clearsLinks: whether links to missing rows, as in an export of some rows, are left out.
/// - Returns: the number of rows.
/// - Throws: ``StoreError`` at the first fault of the rows, with its line and column.
@discardableResult
package func createStore(
    at path: String,
    model: ManagedObjectModel,
    rows: RowSource,
    options: StoreCreationOptions = StoreCreationOptions(),
    clearsLinks: Bool = false
) throws(StoreError) -> Int {
    var taking = RowImportOptions()
    taking.clearsLinks = clearsLinks
    taking.advisesOnLinks = true
    return try createStore(at: path, model: model, rows: rows, options, taking).count
}

extension StoreError {
    /// The error with advice on links to missing rows, where leaving these out is enough.
    ///
    /// `rest` is what else is wrong with the rows; `nil` for nothing.
    fileprivate func advisingOnLinks(without rest: StoreError?) -> StoreError {
        guard case .rows(var fault) = self else { return self }
        let start: Wording = "a partial export has links to rows outside it"
        let next: Wording
        if let rest, rest.isOfRequirements {
            next = ", and some of these links are required: \(.requiredRows)"
        } else {
            next = "; export these too"
        }
        if rest == nil { fault.advice = [.clearLinks] }
        fault.notes.append(Diagnostic.Note(saying: start + next))
        return .rows(fault)
    }

    /// Whether rows lack nothing but required values or links.
    private var isOfRequirements: Bool {
        switch self {
        case .rows(let diagnostic): diagnostic.rule == .missingValue
        case .incomplete: true
        default: false
        }
    }
}

package struct RowImportOptions {
    /// What a row gets for omitted required values.
    package var missing = MissingValues.refused
    /// Additional rows; one with the `@id` of an earlier row supplies what that one omits.
    package var bases: [RowSource] = []
    /// Whether links to missing rows are left out, rather than refused.
    package var clearsLinks = false
    /// Whether the error of such a link says what to do about it, for which the rows are read to their end.
    package var advisesOnLinks = false
    package var tellsNames = false

    /// Creates options; by default, for complete rows.
    package init() {}
}

package struct ImportedRows: Sendable {
    package var count = 0
    /// The text's name of each row that has an `@id`, such as `Person/ada`, by its exported name, such as `Person/p3`.
    package var names: [String: String] = [:]
    /// The rows, in their order, with the given properties; empty unless names are requested.
    package var rows: [Row] = []

    package struct Row: Sendable {
        package var reference: String
        package var line: Int
        package var properties: [String: Int]
    }
}

/// Creates a store of a model, filled with rows; see ``createStore(at:model:rows:options:)``.
package func createStore(
    at path: String,
    model: ManagedObjectModel,
    rows: RowSource,
    _ options: StoreCreationOptions = StoreCreationOptions(),
    _ importOptions: RowImportOptions
) throws(StoreError) -> ImportedRows {
    var imported = ImportedRows()
    let load = { (connection, layout, folder) throws(StoreError) -> [String: Int64] in
        let external = ExternalData(folder: folder)
        var rowImport = try RowImport(rows, importOptions, layout, connection, external)
        let keys = try rowImport.run()
        if let repeated = try rowImport.repeatedRows() { throw repeated }
        imported.count = rowImport.count
        if importOptions.tellsNames {
            (imported.names, imported.rows) = (rowImport.names, rowImport.rows)
        }
        return keys
    }
    do throws(StoreError) {
        try StoreFormat.createStore(at: path, model: model, options: options, load: load)
    } catch .sqlite(_, 2067, let message, _) {
        // Unique indexes are made when all rows exist, and then find duplicates.
        let names = message.split(separator: ": ").last.map(String.init) ?? ""
        let fault = "rows share a value that must be unique: \(names)"
        throw .rows(Diagnostic(.duplicateValue, fault))
    }
    return imported
}

struct RowImport {
    private(set) var count = 0
    private(set) var rows: [ImportedRows.Row] = []
    private let sources: [RowSource]
    private let options: RowImportOptions
    /// The first link to a missing row, where reading continues.
    private var danglingLink: StoreError?
    let path: String
    private let layout: StoreLayout
    private let connection: SQLiteConnection
    private let targets: ImportTargets
    private let externalData: ExternalData
    private var identifiers: RowIdentifiers
    /// The offsets of the rows with an `@id` in each further document, and of those that an earlier one has too.
    private var basePlaces: [[RowName: Int]] = []
    private var baseRepetitions: [Set<Int>] = []

    private struct RowName: Hashable {
        var entity: Int
        var text: [UInt8]
    }

    init(
        _ rows: RowSource,
        _ options: RowImportOptions,
        _ layout: StoreLayout,
        _ connection: SQLiteConnection,
        _ externalData: ExternalData
    ) throws(StoreError) {
        sources = [rows] + options.bases
        self.options = options
        path = rows.path
        (self.layout, self.connection, self.externalData) = (layout, connection, externalData)
        identifiers = RowIdentifiers(layout)
        targets = try ImportTargets(layout, connection)
    }

    private func document(_ number: Int) -> RowDocument {
        RowDocument(sources[number], entities: layout.entities.map { ($0.name, $0.isAbstract) })
    }

    var names: [String: String] { identifiers.names(of: layout) }

    /// Writes all rows and returns the greatest key by root entity.
    mutating func run() throws(StoreError) -> [String: Int64] {
        try collectIdentifiers()
        var fault: StoreError?
        do throws(StoreError) {
            try insertRows()
            try completeLinks()
        } catch { fault = error }
        if let danglingLink { throw danglingLink.advisingOnLinks(without: fault) }
        if let fault { throw fault }
        return Dictionary(
            firstOf: layout.tables.enumerated().map {
                ($1.rootEntity, identifiers.greatestKey(ofHierarchy: $0))
            }
        )
    }

    private func completeLinks() throws(StoreError) {
        let completion = LinkCompletion(targets: targets, layout: layout, connection: connection)
        let faults = try completion.complete(findingGaps: options.missing != .left)
        var located: [Diagnostic] = []
        for fault in faults { located.append(try diagnostic(fault)) }
        if let error = StoreError(missing: located) { throw error }
    }

    /// References may lead forward, so all rows must be known before the first is written.
    private mutating func collectIdentifiers() throws(StoreError) {
        for number in sources.indices {
            var names: [RowName: Int] = [:]
            var repetitions: Set<Int> = []
            var place = 0
            try document(number).forEachRow { reader, entity throws(StoreError) in
                try reader.skipRow { text throws(StoreError) in
                    let isNew = identifiers.add(text, to: entity)
                    if number > 0 {
                        let name = RowName(entity: entity, text: Array(text))
                        if !isNew { repetitions.insert(place) }
                        if names.updateValue(place, forKey: name) == nil { return }
                    }
                    guard isNew else {
                        let name = String(decoding: text, as: UTF8.self)
                        let message = "another row has the @id '\(name)'"
                        let element = targets.entities[entity].name
                        throw reader.fault(.duplicateID, message, at: reader.mark, element: element)
                    }
                }
                place += 1
            }
            basePlaces.append(names)
            baseRepetitions.append(repetitions)
        }
    }

    private mutating func insertRows() throws(StoreError) {
        var inserter = RowInserter(targets, identifiers, externalData, options)
        defer {
            (count, identifiers) = (inserter.count, inserter.identifiers)
            danglingLink = inserter.danglingLink
        }
        for number in sources.indices {
            var place = 0
            let further = number + 1..<sources.count
            try document(number).forEachRow { reader, entity throws(StoreError) in
                defer { place += 1 }
                if baseRepetitions[number].contains(place) {
                    return try reader.skipRow { _ throws(StoreError) in }
                }
                let line = reader.mark.line
                let key = try inserter.insertRow(of: entity, from: reader) {
                    (inserter: inout RowInserter, name: [UInt8]) throws(StoreError) in
                    let name = RowName(entity: entity, text: name)
                    for base in further {
                        guard let place = basePlaces[base][name] else { continue }
                        try complete(&inserter, of: entity, from: base, place)
                    }
                }
                guard options.tellsNames else { return }
                let reference = "\(layout.entities[entity].name)/p\(key)"
                let properties = inserter.mentionedNames(of: entity)
                rows.append(
                    ImportedRows.Row(reference: reference, line: line, properties: properties)
                )
            }
        }
        if let error = StoreError(missing: inserter.gaps) { throw error }
    }

    /// Supplies what a row omits from a row of a further document.
    private func complete(
        _ inserter: inout RowInserter,
        of entity: Int,
        from number: Int,
        _ place: Int
    ) throws(StoreError) {
        var current = 0
        try document(number).forEachRow { reader, _ throws(StoreError) in
            defer { current += 1 }
            guard current == place else { return try reader.skipRow { _ throws(StoreError) in } }
            try inserter.readFurther(of: entity, from: reader)
        }
    }

    /// Reads the texts again to find the row of a fault.
    private func diagnostic(_ fault: LinkFault) throws(StoreError) -> Diagnostic {
        var location = FileLocation(path: path)
        if sources.count == 1, let place = fault.place {
            location.line = place.line
            location.column = place.column
        } else if let place = try self.place(ofRow: fault.key, in: fault.table) {
            location = place
        }
        let message = "\(fault.property): \(fault.message)"
        // The destination may have been left out.
        let notes =
            options.clearsLinks && fault.rule == .missingValue
            ? [Diagnostic.Note(saying: "if the rows are part of a store: \(.requiredRows)")] : []
        let element = fault.property.description
        return Diagnostic(fault.rule, message, at: location, element: element, notes: notes)
    }

    /// Finds a row by its key; `nil` when the text gives it no `@id`.
    private func place(ofRow key: Int64, in table: String) throws(StoreError) -> FileLocation? {
        let sql = "SELECT Z_ENT FROM \(quotedIdentifier(table)) WHERE Z_PK = ?"
        let entityNumber = try connection.value(sql, [.integer(key)])?.integer
        var place: FileLocation?
        for number in sources.indices where place == nil {
            try document(number).forEachRow { reader, entity throws(StoreError) in
                _ = try reader.peek()
                let mark = reader.mark
                var isMeant = false
                try reader.skipRow { text throws(StoreError) in
                    isMeant =
                        Int64(entity + 1) == entityNumber
                        && identifiers.key(text, of: entity) == key
                }
                if isMeant { place = reader.location(mark) }
            }
        }
        return place
    }

    /// Names rows that violate a uniqueness constraint; `nil` when none do.
    ///
    /// The unique index, which is made later, reports only columns. Many rows are left to it.
    func repeatedRows() throws(StoreError) -> StoreError? {
        guard count <= 10_000 else { return nil }
        for entity in layout.graph.model.entities {
            guard let table = layout.table(of: entity.name) else { continue }
            for constraint in entity.uniquenessConstraints {
                guard let columns = layout.columns(of: constraint.properties, in: entity.name)
                else { continue }
                let found = try connection.rows(Self.repetitionQuery(table.name, columns))
                guard !found.isEmpty else { continue }
                return error(found, entity, constraint)
            }
        }
        return nil
    }

    /// A query of the keys and entity numbers of duplicate rows; nil is never a duplicate.
    private static func repetitionQuery(_ table: String, _ columns: [String]) -> String {
        let list = columns.map(quotedIdentifier).joined(separator: ", ")
        let present = columns.map { "\(quotedIdentifier($0)) IS NOT NULL" }
            .joined(separator: " AND ")
        let name = quotedIdentifier(table)
        return """
            SELECT Z_PK, Z_ENT FROM \(name) WHERE \(present) AND (\(list)) = \
            (SELECT \(list) FROM \(name) WHERE \(present) GROUP BY \(list) \
            HAVING count(*) > 1 ORDER BY min(Z_PK) LIMIT 1) ORDER BY Z_PK LIMIT 5
            """
    }

    private func error(
        _ found: [[SQLiteValue]],
        _ entity: Entity,
        _ constraint: UniquenessConstraint
    ) -> StoreError {
        let names = names
        let references = found.compactMap { row -> String? in
            guard case .integer(let key)? = row.first, case .integer(let number)? = row.last,
                let owner = layout.entities.first(where: { Int64($0.number) == number })
            else { return nil }
            return "\(owner.name)/p\(key)"
        }
        let list = references.map { names[$0] ?? $0 }.joined(separator: ", ")
        let properties = constraint.properties.joined(separator: ", ")
        let last = references.last.flatMap { reference in rows.first { $0.reference == reference } }
        let line = last.map { row in
            constraint.properties.compactMap { row.properties[$0] }.max() ?? row.line
        }
        return .rows(
            Diagnostic(
                .duplicateValue,
                "rows share a value of \(entity.name).\(properties), which must be unique: \(list)",
                at: line.map { FileLocation(path: path, line: $0) },
                element: entity.name
            )
        )
    }
}
