import ObjectModel
import SQLiteAccess
import StoreFormat

/// The triggers that make the view of an entity updatable.
///
/// A new object gets the next key of `Z_PRIMARYKEY`, and default values where none are given; a changed one increments
/// `Z_OPT`; links to a deleted one become nil. A value that may be in an external file is written into the store where
/// it changes; otherwise it stays where it is.
struct EntityTriggers {
    private let views: ModelViews
    private let numbered: NumberedEntity
    private let entity: Entity
    private let table: EntityTable
    private var attributes: [ModelViews.StoredAttribute]
    private let links: [ModelViews.ToOneLink]
    private var view: String

    /// The names are the columns of the view, in lower case.
    init(
        _ views: ModelViews,
        _ numbered: NumberedEntity,
        _ entity: Entity,
        _ table: EntityTable,
        names: Set<String>
    ) {
        self.views = views
        view = entity.name
        (self.numbered, self.entity, self.table) = (numbered, entity, table)
        attributes = views.attributes(of: entity).filter { names.contains($0.name.lowercased()) }
        links = views.toOneLinks(of: entity).filter { names.contains($0.name.lowercased()) }
    }

    var statements: [String] { [trigger("INSERT", insertion)] + changes }

    private var changes: [String] { [trigger("UPDATE", update), trigger("DELETE", deletion)] }

    /// The triggers that change and delete the same objects through a view that lacks some attributes.
    func changes(through view: String, without names: Set<String>) -> [String] {
        var triggers = self
        triggers.view = view
        triggers.attributes.removeAll { names.contains($0.name.lowercased()) }
        return triggers.changes
    }

    private func trigger(_ event: String, _ body: [String]) -> String {
        ModelViews.trigger(event, on: view, body)
    }

    private var tableName: String { quotedIdentifier(table.name) }

    private func new(_ name: String) -> String { "NEW.\(quotedIdentifier(name))" }

    private func old(_ name: String) -> String { "OLD.\(quotedIdentifier(name))" }

    private var rootNumber: Int { views.layout.number(of: table.rootEntity) ?? 0 }

    private var newKey: String {
        "COALESCE(NEW.objectID, (SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(rootNumber)))"
    }

    private var insertion: [String] {
        let concrete = views.layout.entities.filter {
            !$0.isAbstract && views.layout.numbers(ofHierarchy: entity.name).contains($0.number)
        }
        let cases = concrete.map { "WHEN \(quotedText($0.name)) THEN \($0.number)" }
        let own = numbered.isAbstract ? "NULL" : String(numbered.number)
        let entityNumber =
            cases.isEmpty
            ? "NULL"
            : "CASE NEW.entity \(cases.joined(separator: " ")) "
                + "ELSE CASE WHEN NEW.entity IS NULL THEN \(own) END END"
        var cells = [("Z_PK", newKey), ("Z_ENT", entityNumber), ("Z_OPT", "1")]
        for stored in attributes where stored.attribute.derivation == nil {
            let (given, attribute) = (new(stored.name), stored.attribute)
            let value = attribute.defaultValue.map { "COALESCE(\(given), \($0.sqlLiteral))" }
            cells.append((stored.column, ExternalForm.stored(value ?? given, as: attribute)))
        }
        cells += times
        for link in links {
            cells.append((link.column, new(link.name)))
            if let column = link.entityColumn { cells.append((column, number(of: link))) }
            if let column = link.orderKey { cells.append((column, orderKey(of: link))) }
        }
        let refusal = quotedText("\(entity.name) is abstract, or has no sub-entity with that name")
        let noKeys = quotedText(
            "the store has no keys left for new objects of \(entity.name); repair it"
        )
        return [
            "SELECT RAISE(ABORT, \(refusal)) WHERE \(entityNumber) IS NULL",
            "SELECT RAISE(ABORT, \(noKeys)) FROM Z_PRIMARYKEY WHERE Z_ENT = \(rootNumber) "
                + "AND COALESCE(NEW.objectID, Z_MAX + 1) >= \(keyLimit)",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = max(Z_MAX + (NEW.objectID IS NULL), "
                + "COALESCE(NEW.objectID, 0)) WHERE Z_ENT = \(rootNumber)",
            "INSERT INTO \(tableName) (\(columnList(cells.map(\.0)))) "
                + "VALUES (\(cells.map(\.1).joined(separator: ", ")))",
        ] + links.flatMap { mutualSteps($0, key: newKey, condition: nil) }
    }

    /// The derived attributes that keep the time of a save, as `now()` does; all others are computed at the end.
    private var times: [(String, String)] {
        attributes.compactMap { stored in
            guard let derivation = stored.attribute.derivation else { return nil }
            let reference = PropertyReference(entity: entity.name, name: stored.name)
            let derived = DerivedAttribute(reference, derivation, views.graph)
            guard derived.readsClock, derived.properties.isEmpty,
                let value = try? derived.value(ofRow: "NEW", views.layout)
            else { return nil }
            return (stored.column, value)
        }
    }

    private var update: [String] {
        var cells = ["Z_OPT = Z_OPT + 1"]
        for stored in attributes where stored.attribute.derivation == nil {
            let (cell, given) = (quotedIdentifier(stored.column), new(stored.name))
            guard stored.attribute.allowsExternalBinaryDataStorage else {
                cells.append("\(cell) = \(given)")
                continue
            }
            let value = ExternalForm.stored(given, as: stored.attribute)
            let isSame = "\(given) IS \(old(stored.name))"
            cells.append("\(cell) = CASE WHEN \(isSame) THEN \(cell) ELSE \(value) END")
        }
        for link in links {
            cells.append("\(quotedIdentifier(link.column)) = \(new(link.name))")
            let isChanged = "\(new(link.name)) IS NOT \(old(link.name))"
            for (column, value) in [
                (link.entityColumn, number(of: link)), (link.orderKey, orderKey(of: link)),
            ] {
                guard let column = column.map(quotedIdentifier) else { continue }
                cells.append("\(column) = CASE WHEN \(isChanged) THEN \(value) ELSE \(column) END")
            }
        }
        return [
            "SELECT RAISE(ABORT, 'objectID and entity of an object cannot change') "
                + "WHERE NEW.objectID IS NOT OLD.objectID OR NEW.entity IS NOT OLD.entity",
            "UPDATE \(tableName) SET \(cells.joined(separator: ", ")) WHERE Z_PK = OLD.objectID",
        ]
            + links.flatMap { link in
                let isChanged = "\(new(link.name)) IS NOT \(old(link.name))"
                return mutualSteps(link, key: "OLD.objectID", condition: isChanged)
            }
    }

    /// The steps that update an inverse that is to-one too.
    private func mutualSteps(
        _ link: ModelViews.ToOneLink,
        key: String,
        condition: String?
    ) -> [String] {
        guard let inverse = link.inverse.map({ quotedIdentifier($0.key) }),
            let target = link.target.map(quotedIdentifier)
        else { return [] }
        let column = quotedIdentifier(link.column)
        let destination = new(link.name)
        let further = condition.map { " AND \($0)" } ?? ""
        let companion = link.entityColumn.map { ", \(quotedIdentifier($0)) = NULL" } ?? ""
        let mate = link.inverse?.entityColumn.map(quotedIdentifier)
        let number = "(SELECT Z_ENT FROM \(tableName) WHERE Z_PK = \(key))"
        let others = "\(column) = \(destination) AND Z_PK <> \(key)\(further)"
        let written = condition.map {
            MovedLinks.noting(writtenIn: link.column, of: table.name, where: $0)
        }
        return [written].compactMap(\.self) + [
            MovedLinks.noting(link.column, of: table.name, where: others),
            "UPDATE \(tableName) SET \(column) = NULL\(companion) WHERE \(others)",
            "UPDATE \(target) SET \(inverse) = NULL\(mate.map { ", \($0) = NULL" } ?? "") "
                + "WHERE \(inverse) = \(key) AND Z_PK IS NOT \(destination)\(further)",
            "UPDATE \(target) SET \(inverse) = \(key)\(mate.map { ", \($0) = \(number)" } ?? "") "
                + "WHERE Z_PK = \(destination)\(further)",
        ]
    }

    private var deletion: [String] {
        var steps: [String] = []
        for other in views.layout.tables {
            for column in other.columns {
                guard let emptied = emptied(column, in: other) else { continue }
                let cells = emptied.map { "\(quotedIdentifier($0)) = NULL" }
                steps.append(
                    "UPDATE \(quotedIdentifier(other.name)) SET \(cells.joined(separator: ", ")) "
                        + "WHERE \(quotedIdentifier(column.name)) = OLD.objectID"
                )
            }
        }
        for join in views.layout.joinTables {
            for column in [join.first, join.second]
            where views.layout.table(of: column.entity)?.name == table.name {
                steps.append(
                    "DELETE FROM \(quotedIdentifier(join.name)) "
                        + "WHERE \(quotedIdentifier(column.name)) = OLD.objectID"
                )
            }
        }
        return steps + ["DELETE FROM \(tableName) WHERE Z_PK = OLD.objectID"]
    }

    /// The columns that a link to a deleted object empties; `nil` when the column leads elsewhere.
    private func emptied(_ column: StoreColumn, in other: EntityTable) -> [String]? {
        switch column.role {
        case .toOne(let link):
            guard let destination = views.graph.relationship(link)?.destinationEntity,
                views.layout.table(of: destination)?.name == table.name,
                let links = views.layout.links(of: link, as: .key)
            else { return nil }
            return [column.name] + [links.entityColumn, links.orderKey].compactMap(\.self)
        case .toManyOwner(let link):
            guard views.layout.table(of: link.entity)?.name == table.name,
                let links = views.layout.links(of: link, as: .owner)
            else { return nil }
            return [column.name] + [links.orderKey].compactMap(\.self)
        default: return nil
        }
    }

    private func number(of link: ModelViews.ToOneLink) -> String {
        guard let target = link.target else { return "NULL" }
        return "(SELECT Z_ENT FROM \(quotedIdentifier(target)) WHERE Z_PK = \(new(link.name)))"
    }

    private func orderKey(of link: ModelViews.ToOneLink) -> String {
        guard let key = link.orderKey.map(quotedIdentifier) else { return "NULL" }
        let column = quotedIdentifier(link.column)
        return
            "CASE WHEN \(new(link.name)) NOT NULL THEN (SELECT COALESCE(MAX(\(key)), 1024) + 1024 "
            + "FROM \(tableName) WHERE \(column) = \(new(link.name))) END"
    }
}
