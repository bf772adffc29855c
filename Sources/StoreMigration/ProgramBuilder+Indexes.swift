import SQLiteAccess
import StoreFormat

extension ProgramBuilder {
    /// The steps that take indexes and triggers away, and bring those of the new version.
    func indexSteps() -> (
        triggerDrops: [MigrationStep], drops: [MigrationStep], creations: [MigrationStep]
    ) {
        let (source, destination) = (correspondence.source, correspondence.destination)
        let ours = Set(source.tables.map(\.name) + source.joinTables.map(\.name))
        let wanted = Dictionary(
            destination.indexes.map { ($0.name, $0.sql) },
            uniquingKeysWith: { first, _ in first }
        )
        // Where all values of an index change, sorting them anew is faster than moving each.
        let kept = Set(
            schema.indexes.filter { index in
                guard let rewritten = keptTables[index.table] else { return false }
                return wanted[index.name] == index.sql && rewritten.isDisjoint(with: index.columns)
            }.map(\.name)
        )
        // Whatever else they do, they would do it at each of our changes.
        let changing = ChangingTables(source)
        let triggers = schema.triggers.filter { changing.contains($0.table) }
        let indexes = schema.indexes.filter { ours.contains($0.table) && !kept.contains($0.name) }
        return (
            triggers.map { .schema(.dropTrigger($0.name, of: $0.table)) },
            indexes.map { .schema(.dropIndex($0.name, of: $0.table)) },
            destination.indexes.filter { !kept.contains($0.name) }
                .map { .schema(.createIndex($0)) }
                + destination.triggers.map { .schema(.createTrigger($0)) }
        )
    }
}
