import SQLiteAccess
import StoreFormat

/// Refuses what would make a step fail half-way: objects of other people under the names of new ones, views in the place
/// of Core Data's own tables or of tables and columns that go, and CHECK constraints, which may refuse the new values.
///
/// - Parameters:
///   - programs: the steps.
///   - state: what is in the store before the first one.
///   - path: the path of the store.
/// - Throws: `StoreMigrationError.inTheWay` with each of them, such as `the table ZB`.
func requireRoom(
    for programs: [MigrationProgram],
    in state: StoreState,
    of path: String
) throws(StoreMigrationError) {
    var known: Set<String> = []
    let found = programs.flatMap { obstacles(to: $0, in: state.schema, state.layout) }
        .filter { known.insert($0).inserted }
    guard found.isEmpty else { throw .inTheWay(path: path, objects: found) }
}

private func obstacles(
    to program: MigrationProgram,
    in schema: StoreSchema,
    _ layout: StoreLayout
) -> [String] {
    let ours = Set(layout.tableNames.map { $0.lowercased() })
    let made = Set(program.steps.flatMap(\.createdNames).map { $0.lowercased() })
    let changed = Set(
        program.changes.filter { $0.treatment != .keep && $0.treatment != .create }
            .map { $0.table.lowercased() }
    )
    let going = GoingNames(program, made)
    return schema.objects.compactMap { object in
        let name = object.name.lowercased()
        let text = "the \(object.kind.rawValue) \(object.name)"
        if object.kind == .view, name == "z_modelcache" { return text }
        if ours.contains(name) {
            return object.kind == .table && changed.contains(name) && object.sql.hasCheckConstraint
                ? "a CHECK constraint of \(text)" : nil
        }
        let isOnOurs = ours.contains(object.table.lowercased())
        switch object.kind {
        case .table: return made.contains(name) ? text : nil
        // SQLite changes no table while a view names what is not there.
        case .view: return made.contains(name) || going.areNamed(by: object.sql) ? text : nil
        // Those on Core Data's own tables are taken away before.
        case .index, .trigger: return made.contains(name) && !isOnOurs ? text : nil
        }
    }
}

/// The tables and columns that a program takes away.
private struct GoingNames {
    private var tables: Set<String> = []
    private var columns: [(table: String, column: String)] = []

    init(_ program: MigrationProgram, _ made: Set<String>) {
        for step in program.steps {
            guard case .schema(let change) = step.action else { continue }
            switch change {
            case .dropTable(let name), .renameTable(let name, _): tables.insert(name.lowercased())
            case .dropColumn(let column, let table):
                columns.append((table.lowercased(), column.lowercased()))
            default: break
            }
        }
        tables.subtract(made)
    }

    /// Whether the statement of a view names one of them.
    func areNamed(by sql: String) -> Bool {
        let words = sql.lowercased().sqlWords
        return !words.isDisjoint(with: tables)
            || columns.contains { words.contains($0.table) && words.contains($0.column) }
    }
}

extension MigrationStep {
    /// The names that the step gives to tables and indexes.
    fileprivate var createdNames: [String] {
        guard case .schema(let change) = action else { return [] }
        switch change {
        case .createTable(let table): return [table.name]
        case .createJoinTable(let table): return [table.name]
        case .renameTable(_, let name): return [name]
        case .createIndex(let index): return [index.name]
        default: return []
        }
    }
}

extension String {
    /// Whether a statement that creates a table has a CHECK constraint, which Core Data never writes.
    fileprivate var hasCheckConstraint: Bool { uppercased().sqlWords.contains("CHECK") }

    /// The words of a statement, with or without quotes: among them every name that it has.
    var sqlWords: Set<String> {
        Set(split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
    }
}
