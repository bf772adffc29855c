import StoreFormat

/// Refuses what would make a step fail half-way, or break silently.
///
/// These are foreign objects under the names of new ones, views in place of Core Data's own tables, CHECK constraints,
/// which may reject the new values, and what names tables and columns that go: views, and the triggers, virtual tables
/// and references of the app's own tables. `StoreMigrationError.inTheWay` names each of them, such as `the table ZB`.
func requireRoom(
    for programs: [MigrationProgram],
    in state: StoreState,
    of path: String
) throws(StoreMigrationError) {
    var known: Set<String> = []
    var layout = state.layout
    let found = programs.flatMap { program in
        defer { layout = program.layout }
        return obstacles(to: program, in: state, from: layout)
    }
    .filter { known.insert($0).inserted }
    guard found.isEmpty else { throw .inTheWay(path: path, objects: found) }
}

/// What is in the way of one program, before which the store has `layout`.
private func obstacles(
    to program: MigrationProgram,
    in state: StoreState,
    from layout: StoreLayout
) -> [String] {
    // What Core Data made stays its own, even where an earlier program removes it and this one makes it again.
    let ours = Set(state.layout.tableNames.map { $0.lowercased() })
    let made = Set(program.steps.flatMap(\.createdNames).map { $0.lowercased() })
    let changed = Set(
        program.changes.filter { $0.treatment != .keep && $0.treatment != .create }
            .map { $0.table.lowercased() }
    )
    let madeTables = Set(program.steps.flatMap(\.createdTables).map { $0.lowercased() })
    let going = GoingNames(program, made, from: layout)
    let changing = ChangingTables(state.layout)
    return state.schema.objects.compactMap { object -> String? in
        let name = object.name.lowercased()
        let text = "the \(object.kind.rawValue) \(object.name)"
        if object.kind == .view, name == "z_modelcache" { return text }
        if ours.contains(name) {
            return object.kind == .table && changed.contains(name) && object.sql.hasCheckConstraint
                ? "a CHECK constraint of \(text)" : nil
        }
        if object.isBroken, going.changesColumns { return "\(text), which SQLite cannot read" }
        // A table cannot get the name of an index, and an index that is removed with its table is created again after it.
        if object.kind == .index, madeTables.contains(name) { return text }
        // Those on Core Data's own tables are removed before.
        if [.index, .trigger].contains(object.kind), changing.contains(object.table) { return nil }
        guard !made.contains(name) else { return text }
        return going.name(in: object).map { "\(text), which uses \($0)" }
    }
}

/// The tables and columns that a program removes, by its steps and by what its layout no longer has.
private struct GoingNames {
    private var tables: Set<String> = []
    private var columns: Set<[String]> = []
    /// Whether SQLite changes a column, for which it reads the whole schema.
    private(set) var changesColumns = false

    init(_ program: MigrationProgram, _ made: Set<String>, from layout: StoreLayout) {
        for step in program.steps {
            guard case .schema(let change) = step.action else { continue }
            switch change {
            case .dropTable(let name), .renameTable(let name, _): tables.insert(name.lowercased())
            case .dropColumn(let column, let table), .renameColumn(let column, _, let table):
                columns.insert([table.lowercased(), column.lowercased()])
                changesColumns = true
            default: break
            }
        }
        tables.subtract(made)
        let settling = ForeignObjects(from: layout, to: program.layout, without: [])
        tables.formUnion(settling.goneTables)
        for (table, names) in settling.goneColumns { columns.formUnion(names.map { [table, $0] }) }
    }

    /// One that an object depends on.
    func name(in object: SchemaObject) -> String? {
        let words = object.sql.lowercased().sqlWords
        let table = words.intersection(tables).min()
        let column = columns.filter { words.isSuperset(of: $0) }.map { $0.joined(separator: ".") }
            .min()
        return switch object.kind {
        case .index: nil
        // SQLite changes no table while a view names something missing.
        case .view, .trigger: (table ?? column)?.uppercased()
        case .table where words.isSuperset(of: ["create", "virtual"]):
            (table ?? column)?.uppercased()
        // The other names may be those of its own columns.
        case .table:
            tables.intersection(object.sql.lowercased().referencedTables).min()?.uppercased()
        }
    }
}

extension ProgramStep {
    var createdNames: [String] {
        guard case .schema(.createIndex(let index)) = action else { return createdTables }
        return [index.name]
    }

    fileprivate var createdTables: [String] {
        guard case .schema(let change) = action else { return [] }
        switch change {
        case .createTable(let table): return [table.name]
        case .createJoinTable(let table): return [table.name]
        case .renameTable(_, let name): return [name]
        default: return []
        }
    }
}

extension String {
    /// Whether a statement that creates a table has a CHECK constraint, which Core Data never writes.
    fileprivate var hasCheckConstraint: Bool { uppercased().sqlWords.contains("CHECK") }

    fileprivate var referencedTables: [String] {
        let words = orderedWords
        return zip(words, words.dropFirst()).filter { $0.0 == "references" }.map(\.1)
    }

    /// The words of a statement, with or without quotes, which include every name in it.
    var sqlWords: Set<String> { Set(orderedWords) }

    private var orderedWords: [String] {
        split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
    }
}
