import ObjectModel
import SQLiteAccess
import StoreFormat

/// Temporary views of a store in terms of its model, with the triggers that make them updatable.
///
/// Each entity is a view of its objects, sub-entities included: `objectID`, `entity`, its attributes (elements of a
/// composite as `name.element`) and to-one relationships as the destination's `objectID`. Each to-many relationship is
/// a view `Entity_relationship(source, destination)`, with `position` when it keeps an order. An object identifier is
/// the key in the table of the root entity (`Z_PK`). A value in an external file appears as its data.
struct ModelViews {
    /// What a statement over a view needs in order to use the table directly.
    struct EntityView {
        var entity: String
        var name: String
        var table: String
        /// The condition that a row belongs to the view; `nil` when all rows of the table do.
        var condition: String?
        /// The columns of plain attributes, by name in lower case.
        var attributeColumns: [String: String] = [:]
        /// All columns that hold what the view shows, by name in lower case.
        var columns: [String: String] = [:]
        /// The names of the attributes and to-one relationships that the view shows.
        var properties: Set<String> = []
        /// The attributes with values that may be in external files, by name in lower case.
        var external: Set<String> = []
        /// The view without these, through which other values are written; `nil` where there is none.
        var withoutFiles: String?
    }

    let layout: StoreLayout
    var graph: ModelGraph { layout.graph }
    /// The statements that make views and triggers, in order.
    private(set) var statements: [String] = []
    private(set) var names: [String] = []
    /// The details of entity views, by name in lower case.
    private(set) var entities: [String: EntityView] = [:]
    private(set) var hasExternalValues = false
    private(set) var orderedLinks: Set<String> = []
    private var taken: Set<String>
    private let prefix: String
    private let tableNames: [String: String]

    /// Creates the views of a model; those with a `prefix` are read-only, and `tableNames` gives current names of tables.
    init(_ layout: StoreLayout, prefix: String = "", tableNames: [String: String] = [:]) {
        (self.layout, self.prefix, self.tableNames) = (layout, prefix, tableNames)
        if prefix.isEmpty { statements = MovedLinks.creation }
        taken = Set(layout.tableNames.union(StoreLayout.systemTables).map { $0.lowercased() })
        for entity in layout.entities { addEntity(entity) }
        for entity in layout.entities { addRelationships(of: entity) }
    }

    /// The statements that remove the views; their triggers go with them.
    var removal: [String] { names.map { "DROP VIEW IF EXISTS temp.\(quotedIdentifier($0))" } }

    /// Returns a table for use after `FROM`.
    func table(_ name: String) -> String { "main.\(quotedIdentifier(tableNames[name] ?? name))" }

    /// An attribute, or an element of a composite one, with its columns in the view and in the table.
    struct StoredAttribute {
        /// The name of the attribute, and those of the elements below it.
        let path: [String]
        /// The column of the view: the path with dots.
        let name: String
        let column: String
        let attribute: Attribute
    }

    func attributes(of entity: Entity) -> [StoredAttribute] {
        graph.attributes(of: entity).flatMap { attribute in
            graph.values(of: attribute).compactMap { leaf in
                let column = layout.column(
                    of: attribute.name,
                    path: leaf.path,
                    declaredBy: entity.name
                )
                let path = [attribute.name] + leaf.path
                return column.map {
                    StoredAttribute(
                        path: path,
                        name: path.joined(separator: "."),
                        column: $0.name,
                        attribute: leaf.attribute
                    )
                }
            }
        }
    }

    /// The statement that makes a trigger which carries out a change of a view.
    static func trigger(_ event: String, on view: String, _ body: [String]) -> String {
        let name = quotedIdentifier("momtool_\(event.lowercased())_\(view)")
        return "CREATE TEMP TRIGGER \(name) INSTEAD OF \(event) ON \(quotedIdentifier(view)) BEGIN "
            + body.map { $0 + "; " }.joined() + "END"
    }

    private mutating func claim(_ name: String) -> Bool {
        guard taken.insert(name.lowercased()).inserted else { return false }
        names.append(name)
        return true
    }

    private mutating func addEntity(_ numbered: NumberedEntity) {
        guard let entity = graph.entity(numbered.name), let table = layout.table(of: entity.name),
            claim(prefix + entity.name)
        else { return }
        let numbers = layout.numbers(ofHierarchy: entity.name)
        var view = EntityView(entity: entity.name, name: prefix + entity.name, table: table.name)
        if numbered.superNumber != 0 { view.condition = "Z_ENT IN (\(numberList(numbers)))" }
        var columns = [("objectID", "Z_PK"), ("entity", entityName(numbers))]
        var seen: Set = ["objectid", "entity"]
        for stored in attributes(of: entity) where seen.insert(stored.name.lowercased()).inserted {
            let (name, column) = (stored.name, quotedIdentifier(stored.column))
            view.properties.insert(name)
            guard !stored.attribute.allowsExternalBinaryDataStorage else {
                columns.append((name, "\(ExternalForm.removing)(\(column))"))
                view.external.insert(name.lowercased())
                hasExternalValues = true
                continue
            }
            columns.append((name, column))
            view.columns[name.lowercased()] = stored.column
            guard stored.attribute.derivation == nil, prefix.isEmpty else { continue }
            view.attributeColumns[name.lowercased()] = stored.column
        }
        for link in toOneLinks(of: entity) where seen.insert(link.name.lowercased()).inserted {
            columns.append((link.name, quotedIdentifier(link.column)))
            view.properties.insert(link.name)
            view.columns[link.name.lowercased()] = link.column
        }
        view.columns["objectid"] = "Z_PK"
        statements.append(creation(of: view.name, over: view, columns))
        if prefix.isEmpty {
            let triggers = EntityTriggers(self, numbered, entity, table, names: seen)
            statements += triggers.statements
            addView(without: view.external, of: &view, columns, triggers)
        }
        entities[entity.name.lowercased()] = view
    }

    /// Adds the view without external values, where there are any.
    private mutating func addView(
        without external: Set<String>,
        of view: inout EntityView,
        _ columns: [(String, String)],
        _ triggers: EntityTriggers
    ) {
        let name = "momtool_without_files_\(view.name)"
        guard !external.isEmpty, claim(name) else { return }
        let others = columns.filter { !external.contains($0.0.lowercased()) }
        statements.append(creation(of: name, over: view, others))
        statements += triggers.changes(through: name, without: external)
        view.withoutFiles = name
    }

    private func creation(
        of name: String,
        over view: EntityView,
        _ columns: [(String, String)]
    ) -> String {
        let list = columns.map { "\($1) AS \(quotedIdentifier($0))" }.joined(separator: ", ")
        let condition = view.condition.map { " WHERE \($0)" } ?? ""
        return "CREATE TEMP VIEW \(quotedIdentifier(name)) AS SELECT \(list) "
            + "FROM \(self.table(view.table))\(condition)"
    }

    private func entityName(_ numbers: [Int]) -> String {
        let names = layout.entities.filter { numbers.contains($0.number) }
        guard names.count > 1 else { return quotedText(names.first?.name ?? "") }
        let cases = names.map { "WHEN \($0.number) THEN \(quotedText($0.name))" }
        return "CASE Z_ENT \(cases.joined(separator: " ")) END"
    }

    private mutating func addRelationships(of numbered: NumberedEntity) {
        guard let entity = graph.entity(numbered.name) else { return }
        for relationship in graph.relationships(of: entity) where relationship.isToMany {
            guard let links = layout.links(relationship.name, of: entity.name),
                let view = LinkView(links, of: relationship, entity, self),
                claim("\(prefix)\(entity.name)_\(relationship.name)")
            else { continue }
            let name = "\(prefix)\(entity.name)_\(relationship.name)"
            if view.hasPosition { orderedLinks.insert(name) }
            statements += view.statements(named: name, isReadOnly: !prefix.isEmpty)
        }
    }

    /// A to-one relationship, with the links of its inverse where that is to-one too.
    struct ToOneLink {
        var name: String
        var column: String
        var entityColumn: String?
        var orderKey: String?
        var target: String?
        var inverse: StoredLinks?
    }

    /// Returns the stored to-one relationships of an entity, inherited ones first.
    func toOneLinks(of entity: Entity) -> [ToOneLink] {
        graph.relationships(of: entity).compactMap { relationship in
            let links = layout.links(relationship.name, of: entity.name)
            guard let links, links.form == .key else { return nil }
            let inverse = graph.inverse(of: relationship).flatMap { inverse, owner in
                layout.links(inverse.name, of: owner.name)
            }
            return ToOneLink(
                name: relationship.name,
                column: links.key,
                entityColumn: links.entityColumn,
                orderKey: links.orderKey,
                target: relationship.destinationEntity.flatMap { layout.table(of: $0)?.name },
                inverse: inverse?.form == .key ? inverse : nil
            )
        }
    }

    /// Adds to SQLite's message the names of a composite's elements, where a statement uses it as a column, or the
    /// owner of a value that must be unique.
    func explained(_ message: String) -> String {
        let unique = uniqueProperties(in: message)
        guard unique.isEmpty else {
            let names = unique.map { "'\($0)'" }.joined(separator: ", ")
            return "\(names) must be unique, but another object has the same value"
        }
        for phrase in ["no such column: ", "has no column named "] {
            guard let range = message.firstRange(of: phrase) else { continue }
            // The name of a table may come before, that of an element after.
            for name in message[range.upperBound...].split(separator: ".") {
                guard let (entity, elements) = composite(named: name.lowercased()) else { continue }
                return message + advice(entity, elements)
            }
        }
        return message
    }

    /// Says how the elements of a composite are named; `nil` where the entity has none of this name.
    func advice(onComposite name: String, of entity: String) -> String? {
        let elements = graph.entity(entity).map { self.elements(of: $0, named: name.lowercased()) }
        return elements.flatMap { $0.isEmpty ? nil : advice(entity, $0) }
    }

    private func advice(_ entity: String, _ elements: [StoredAttribute]) -> String {
        let columns = elements.prefix(3).map { quotedIdentifier($0.name) }
        return ": '\(entity).\(elements[0].path[0])' is a composite; its elements are the "
            + "columns \(columns.joined(separator: ", "))\(elements.count > 3 ? "…" : "")"
    }

    /// The properties whose values must be unique together, where SQLite reports that they are not; else none.
    func uniqueProperties(in message: String) -> [PropertyReference] {
        guard let start = message.firstRange(of: "UNIQUE constraint failed: ") else { return [] }
        return message[start.upperBound...].split(separator: ", ").compactMap { place in
            let names = place.split(separator: ".", maxSplits: 1).map(String.init)
            let table = layout.tables.first { $0.name == names[0] }
            switch table?.columns.first(where: { $0.name == names.last })?.role {
            case .attribute(let property, _)?, .toOne(let property)?: return property
            default: return nil
            }
        }
    }

    private func composite(named name: String) -> (entity: String, elements: [StoredAttribute])? {
        for entity in layout.entities.compactMap({ graph.entity($0.name) }) {
            let elements = elements(of: entity, named: name)
            if !elements.isEmpty { return (entity.name, elements) }
        }
        return nil
    }

    private func elements(of entity: Entity, named name: String) -> [StoredAttribute] {
        attributes(of: entity).filter { $0.path.count > 1 && $0.path[0].lowercased() == name }
    }

    /// Returns a statement that changes or deletes objects, for the view without external values where it uses none.
    ///
    /// SQLite reads every column of a view whose rows change: a script that links people to cities would read the photo
    /// of each. An alias for the view does not help, because SQLite does not know it in the condition.
    func withoutFiles(_ sql: String) -> String {
        guard hasExternalValues else { return sql }
        let bytes = Array(sql.utf8)
        let tokens = sqlTokens(bytes)
        guard let target = Self.target(of: tokens),
            let view = entities[tokens[target].text.lowercased()], let other = view.withoutFiles
        else { return sql }
        let names = tokens.indices.filter {
            tokens[$0].kind == .word || tokens[$0].kind == .quotedName
        }
        guard !names.contains(where: { view.external.contains(tokens[$0].text.lowercased()) })
        else { return sql }
        let same = names.filter {
            $0 > target && tokens[$0].text.lowercased() == view.name.lowercased()
        }
        let qualifiers = same.filter { $0 + 1 < tokens.count && tokens[$0 + 1].text == "." }
        // Where the view is read too, its name before a dot is ambiguous.
        guard qualifiers.isEmpty || qualifiers == same else { return sql }
        var result: [UInt8] = []
        var copied = 0
        for place in [target] + qualifiers {
            let range = tokens[place].range
            result += bytes[copied..<range.lowerBound] + Array(quotedIdentifier(other).utf8)
            copied = range.upperBound
        }
        return String(decoding: result + bytes[copied...], as: UTF8.self)
    }

    /// The position of the view's name in a plain `UPDATE` or `DELETE`; `nil` for every other statement.
    private static func target(of tokens: [SQLToken]) -> Int? {
        func isKeyword(_ place: Int, _ word: String) -> Bool {
            tokens.indices.contains(place) && tokens[place].isKeyword(word)
        }
        if isKeyword(0, "UPDATE"), isKeyword(2, "SET") { return 1 }
        guard isKeyword(0, "DELETE"), isKeyword(1, "FROM"), tokens.count > 2 else { return nil }
        return tokens.count == 3 || tokens[3].kind == .end || isKeyword(3, "WHERE") ? 2 : nil
    }
}
