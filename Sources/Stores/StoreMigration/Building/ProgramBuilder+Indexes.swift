import ObjectModel
import MappingInference
import StoreFormat

struct IndexSteps {
    var triggerDrops: [MigrationStep] = []
    var drops: [MigrationStep] = []
    var creations: [MigrationStep] = []
    /// What is restored at the end, so that meanwhile it neither fires nor slows anything down.
    var restorations: [MigrationStep] = []
    var abandoned: [AbandonedObject] = []
}

extension ProgramBuilder {
    func indexSteps() -> IndexSteps {
        let (source, destination) = (correspondence.source, correspondence.destination)
        let ours = source.tableNames
        let settling = ForeignObjects(from: source, to: destination, without: lostColumns)
        let kept = keptIndexes(settling)
        // Any other effect would happen at each change of the program.
        let changing = ChangingTables(source)
        let triggers = schema.triggers.filter { changing.contains($0.table) }
        let indexes = schema.indexes.filter { ours.contains($0.table) && !kept.contains($0.name) }
        let spatial = spatialSteps()
        let settled = settling.settle(indexes + triggers)
        var steps = IndexSteps(abandoned: lostColumns + settled.abandoned)
        steps.restorations = settled.restorations.map { .schema($0) }
        steps.triggerDrops = triggers.map { .schema(.dropTrigger($0.name, of: $0.table)) }
        steps.drops = indexes.map { .schema(.dropIndex($0.name, of: $0.table)) } + spatial.drops
        steps.creations =
            destination.indexes.filter { !kept.contains($0.name) }
            .map { .schema(.createIndex($0)) }
            + spatial.creations
            + destination.triggers.map { .schema(.createTrigger($0)) }
        return steps
    }

    /// The columns that are not Core Data's, in tables that are rebuilt or go.
    private var lostColumns: [AbandonedObject] {
        goneTables.sorted().flatMap { table in
            schema.foreignColumns(of: table, in: correspondence.source).map {
                AbandonedObject(
                    kind: .column,
                    name: $0,
                    table: table,
                    reason: "the table is rebuilt without it, or removed"
                )
            }
        }
    }

    private func keptIndexes(_ settling: ForeignObjects) -> Set<String> {
        let wanted = Dictionary(
            firstOf: correspondence.destination.indexes.map { ($0.name, $0.sql) }
        )
        let kept = schema.indexes.filter { index in
            // Where all values of an index change, sorting them again is faster than moving each.
            guard let rewritten = keptTables[index.table], rewritten.isDisjoint(with: index.columns)
            else { return false }
            return settling.isForeign(index)
                ? settling.keeps(index) : wanted[index.name] == index.sql
        }
        return Set(kept.map(\.name))
    }

    /// The steps that rebuild spatial indexes: their rows may have changed, and their triggers name columns.
    private func spatialSteps() -> (drops: [MigrationStep], creations: [MigrationStep]) {
        let drops = correspondence.source.spatialIndexes.filter { schema.hasTable($0.name) }
        let creations = correspondence.destination.spatialIndexes.flatMap { index in
            [.schema(.createSpatial(index)), .schema(.fillSpatial(index))]
                + index.triggers.map { MigrationStep.schema(.createTrigger($0)) }
        }
        return (drops.map { .schema(.dropSpatial($0)) }, creations)
    }
}
