import Diagnostics
import ObjectModel
import SQLiteAccess
import StoreFormat

struct ChosenRows {
    let store: LaidOutStore
    let entities: [NumberedEntity]
    private let condition: RowCondition
    /// The rows with those that they require; `nil` if only the condition selects them.
    private let required: RequiredRows?

    init(
        of file: StoreFile,
        model: ManagedObjectModel,
        _ options: RowExportOptions
    ) throws(StoreError) {
        store = try LaidOutStore(file, model)
        let (store, layout) = (store, store.layout)
        condition = RowCondition(
            predicate: options.predicate,
            isOfSeveral: options.entities.count != 1,
            store: store
        )
        let chosen = try chosenEntities(options.entities, in: layout)
        entities = layout.entities
            .filter { options.takesRequired || chosen?.contains($0.name) ?? true }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        try store.requireFit()
        try store.requireTables(of: entities.map(\.name))
        guard options.takesRequired, chosen != nil || options.predicate != nil else {
            required = nil
            return
        }
        let rows = try RequiredRows(store)
        for entity in entities where chosen?.contains(entity.name) ?? true {
            guard let fields = RowFields(of: entity, in: store.layout) else { continue }
            let condition = try condition.sql(about: entity.name)
            try rows.add(EntityRows(fields: fields, condition: condition))
        }
        try rows.follow()
        required = rows
    }

    /// The rows of an entity; `nil` where it has none.
    func rows(of entity: NumberedEntity) throws(StoreError) -> EntityRows? {
        guard let fields = RowFields(of: entity, in: store.layout), try hasRows(fields) else {
            return nil
        }
        let condition =
            if let required { required.condition(for: fields.table) } else {
                try condition.sql(about: entity.name)
            }
        return EntityRows(fields: fields, condition: condition)
    }

    private func hasRows(_ fields: RowFields) throws(StoreError) -> Bool {
        let table = quotedIdentifier(fields.table)
        let sql = "SELECT 1 FROM \(table) WHERE Z_ENT = \(fields.entity.number) LIMIT 1"
        return try store.connection.value(sql) != nil
    }
}

struct EntityRows {
    let fields: RowFields
    /// A condition that each of them meets; `nil` where all are read.
    var condition: String?

    /// The condition of each row `t` of the table that is read.
    var filter: String {
        "t.Z_ENT = \(fields.entity.number)" + (condition.map { " AND (\($0))" } ?? "")
    }

    var source: String { "FROM \(quotedIdentifier(fields.table)) AS t WHERE \(filter)" }
}

/// A predicate about rows; without one, all.
private struct RowCondition {
    let predicate: String?
    let isOfSeveral: Bool
    let store: LaidOutStore

    /// The condition for row `t` of an entity; `nil` for all.
    func sql(about entity: String) throws(StoreError) -> String? {
        guard let predicate else { return nil }
        do throws(StoreError) {
            return try sqlCondition(predicate, about: entity, store)
        } catch {
            guard isOfSeveral, case .rows(var fault) = error else { throw error }
            fault.notes.append(
                Diagnostic.Note(
                    saying:
                        "the condition applies to each exported entity: name only the entities that it is for, and if "
                        + "their rows need others, \(.requiredRows)"
                )
            )
            throw .rows(fault)
        }
    }
}

func chosenEntities(_ names: [String], in layout: StoreLayout) throws(StoreError) -> Set<String>? {
    guard !names.isEmpty else { return nil }
    let entities = Dictionary(firstOf: layout.entities.map { ($0.number, $0.name) })
    var chosen: Set<String> = []
    for name in names {
        guard layout.number(of: name) != nil else {
            let nearest = suggestion(for: name, among: layout.entities.map(\.name))
            let message = "the model has no entity '\(name)'\(nearest)"
            throw .rows(Diagnostic(.unknownEntity, message))
        }
        chosen.formUnion(layout.numbers(ofHierarchy: name).compactMap { entities[$0] })
    }
    return chosen
}
