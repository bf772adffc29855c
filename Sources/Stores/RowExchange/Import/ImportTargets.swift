import ObjectModel
import SQLiteAccess
import StoreFormat

/// Where the properties of a row go.
///
/// A class, like its attribute data: copying an attribute for each value would take longer than binding the value.
final class ImportField {
    final class Value {
        let parameter: Int32
        let attribute: Attribute

        init(parameter: Int32, _ attribute: Attribute) {
            (self.parameter, self.attribute) = (parameter, attribute)
        }
    }

    enum Kind {
        case value(Value)
        /// The elements, and the values of those that must not be missing.
        case composite([ImportField], [(names: [String], value: String)])
        case toOne(parameter: Int32, entityParameter: Int32?, LinkDestination)
        case toMany(table: Int, LinkDestination)
    }

    enum Absence {
        case isNil
        case takesDefault(AttributeValue)
        case isFault
        /// It may come from elsewhere; the number is that of a gap to check at the end.
        case isGap(Int)
    }

    let name: [UInt8]
    let element: String
    let kind: Kind
    let absence: Absence

    init(name: [UInt8], element: String, kind: Kind, absence: Absence) {
        (self.name, self.element, self.kind, self.absence) = (name, element, kind, absence)
    }
}

/// The entities that a relationship can lead to, by their consecutive indices.
struct LinkDestination {
    let name: String
    let entities: Range<Int>
}

struct ImportTarget {
    let name: String
    let fields: [ImportField]
    let places: [[UInt8]: Int]
    /// The names of properties that are known, but not stored.
    let unstoredNames: Set<String>
    let uniqueNames: Set<String>
    let insert: Statement
}

/// A column that a row left empty and that the other side of a link, or a computation, may fill.
struct Gap {
    enum Kind {
        case toOne(column: String)
        case toMany(table: String, column: String)
        case derived(column: String, Attribute.Derivation)
    }

    var property: PropertyReference
    var table: String
    var kind: Kind
}

struct LinkTable {
    let index: Int
    let field: LinkField
    let insert: Statement
    let insertEmpty: Statement

    var property: PropertyReference { field.property }
    var name: String { "temp.links_\(index)" }
    /// The owners that explicitly have no members.
    var emptyName: String { "temp.empty_\(index)" }

    /// The table of the members with the column of their owner, in quotes.
    var keyColumn: (table: String, column: String) {
        (quotedIdentifier(field.links.table), quotedIdentifier(field.links.source))
    }

    /// Objects of a join can be in many relationships, others in only one.
    var isJoin: Bool { field.links.form == .join }
}

struct ImportTargets {
    private(set) var entities: [ImportTarget] = []
    private(set) var links: [LinkTable] = []
    private(set) var gaps: [Gap] = []
    let entityPlaces: [[UInt8]: Int]
    var graph: ModelGraph { layout.graph }
    let addGap: Statement
    private let layout: StoreLayout
    private let connection: SQLiteConnection
    private var linkPlaces: [PropertyReference: Int] = [:]
    private var gapPlaces: [PropertyReference: Int] = [:]

    init(_ layout: StoreLayout, _ connection: SQLiteConnection) throws(StoreError) {
        (self.layout, self.connection) = (layout, connection)
        entityPlaces = Dictionary(
            firstOf: layout.entities.enumerated().map { (Array($1.name.utf8), $0) }
        )
        try registerDerivationFunctions(on: connection)
        try connection.execute("PRAGMA temp.journal_mode = OFF")
        try connection.execute("PRAGMA temp.cache_size = -16384")
        try connection.execute(
            "CREATE TABLE temp.gaps (gap INTEGER, key INTEGER, line INTEGER, place INTEGER, "
                + "PRIMARY KEY (gap, key)) WITHOUT ROWID"
        )
        addGap = try Statement("INSERT INTO temp.gaps VALUES (?, ?, ?, ?)", on: connection)
        for entity in layout.entities {
            guard let fields = RowFields(of: entity, in: layout) else { continue }
            entities.append(try target(fields))
        }
    }

    private mutating func target(_ fields: RowFields) throws(StoreError) -> ImportTarget {
        var columns: [String] = []
        var importFields: [ImportField] = []
        for field in fields.fields { importFields.append(try importField(field, fields, &columns)) }
        let names = ["Z_PK", "Z_ENT", "Z_OPT"] + columns.map(quotedIdentifier)
        let values = ["?", "\(fields.entity.number)", "1"] + columns.map { _ in "?" }
        let stored = Set(fields.fields.map(\.name))
        let entity = graph.entity(fields.entity.name)
        let all = entity.map { graph.properties(of: $0).map(\.name) } ?? []
        let constraints = entity.map { graph.lineage(of: $0) } ?? []
        return ImportTarget(
            name: fields.entity.name,
            fields: importFields,
            places: Dictionary(firstOf: importFields.enumerated().map { ($1.name, $0) }),
            unstoredNames: Set(all).subtracting(stored),
            uniqueNames: Set(
                constraints.flatMap { $0.uniquenessConstraints.flatMap(\.properties) }
            ),
            insert: try Statement(
                "INSERT INTO \(quotedIdentifier(fields.table)) (\(names.joined(separator: ", "))) "
                    + "VALUES (\(values.joined(separator: ", ")))",
                on: connection
            )
        )
    }

    private mutating func importField(
        _ field: RowField,
        _ fields: RowFields,
        _ columns: inout [String]
    ) throws(StoreError) -> ImportField {
        let kind: ImportField.Kind
        var absence = ImportField.Absence.isNil
        switch field {
        case .value(let field):
            columns.append(field.column)
            let parameter = Int32(columns.count + 1)
            kind = .value(ImportField.Value(parameter: parameter, field.attribute))
            absence = valueAbsence(field, fields)
        case .composite(_, let elements):
            var inner: [ImportField] = []
            for element in elements { inner.append(try importField(element, fields, &columns)) }
            kind = .composite(inner, fillings(of: field.name, fields))
        case .toOne(let field):
            columns.append(field.links.key)
            let parameter = Int32(columns.count + 1)
            if let entityColumn = field.links.entityColumn { columns.append(entityColumn) }
            kind = .toOne(
                parameter: parameter,
                entityParameter: field.links.entityColumn == nil ? nil : parameter + 1,
                destination(field.destination)
            )
            if !field.relationship.isOptional {
                let gap = gap(field.property, fields.table, .toOne(column: field.links.key))
                absence = .isGap(gap)
            }
        case .toMany(let field):
            kind = .toMany(table: try linkTable(field), destination(field.destination))
            absence = toManyAbsence(field, fields)
        }
        return ImportField(
            name: Array(field.name.utf8),
            element: "\(fields.entity.name).\(field.name)",
            kind: kind,
            absence: absence
        )
    }

    /// What a composite attribute needs in Swift, which its type does not say.
    private func fillings(
        of name: String,
        _ fields: RowFields
    ) -> [(names: [String], value: String)] {
        guard let entity = graph.entity(fields.entity.name),
            let attribute = graph.property(name, of: entity)?.0 as? Attribute,
            !attribute.enumCases.required.isEmpty,
            let type = attribute.compositeName.flatMap(graph.composite)
        else { return [] }
        return fillingValues(of: attribute, type.attributes)
    }

    private mutating func valueAbsence(
        _ field: ValueField,
        _ fields: RowFields
    ) -> ImportField.Absence {
        if let derivation = field.attribute.derivation {
            let property = PropertyReference(entity: fields.entity.name, name: field.name)
            return .isGap(gap(property, fields.table, .derived(column: field.column, derivation)))
        }
        if field.attribute.isOptional { return .isNil }
        return field.attribute.defaultValue.map { .takesDefault($0) } ?? .isFault
    }

    /// Migrations add required to-many relationships without a least count, and leave them empty.
    private mutating func toManyAbsence(
        _ field: LinkField,
        _ fields: RowFields
    ) -> ImportField.Absence {
        guard !field.relationship.isOptional, field.relationship.minCount ?? 0 > 0 else {
            return .isNil
        }
        let kind = Gap.Kind.toMany(table: field.links.table, column: field.links.source)
        return .isGap(gap(field.property, fields.table, kind))
    }

    private mutating func gap(
        _ property: PropertyReference,
        _ table: String,
        _ kind: Gap.Kind
    ) -> Int {
        if let place = gapPlaces[property] { return place }
        gaps.append(Gap(property: property, table: table, kind: kind))
        gapPlaces[property] = gaps.count - 1
        return gaps.count - 1
    }

    private func destination(_ name: String) -> LinkDestination {
        let numbers = layout.numbers(ofHierarchy: name)
        let first = (numbers.first ?? 1) - 1
        return LinkDestination(name: name, entities: first..<(first + numbers.count))
    }

    private mutating func linkTable(_ field: LinkField) throws(StoreError) -> Int {
        if let place = linkPlaces[field.property] { return place }
        let index = links.count
        let isJoin = field.links.form == .join
        let key = isJoin ? "PRIMARY KEY (owner, member)) WITHOUT ROWID" : "PRIMARY KEY (member))"
        try connection.execute(
            "CREATE TABLE temp.links_\(index) (owner INTEGER, member INTEGER, position INTEGER, "
                + key
        )
        try connection.execute("CREATE TABLE temp.empty_\(index) (owner INTEGER PRIMARY KEY)")
        links.append(
            LinkTable(
                index: index,
                field: field,
                insert: try Statement(
                    "INSERT INTO temp.links_\(index) VALUES (?, ?, ?)",
                    on: connection
                ),
                insertEmpty: try Statement(
                    "INSERT INTO temp.empty_\(index) VALUES (?)",
                    on: connection
                )
            )
        )
        linkPlaces[field.property] = index
        return index
    }
}

extension [ImportField] {
    /// An example of an object with these elements; empty where there is none.
    var example: String {
        first.map { ", such as {\"\(String(decoding: $0.name, as: UTF8.self))\": …}" } ?? ""
    }
}
