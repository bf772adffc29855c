import MigrationPlanning
import StoreFormat

struct MapMigration {
    init(
        of store: StoreFile,
        _ plan: MigrationPlan,
        _ map: StageMap,
        stage: String
    ) throws(StoreMigrationError) {
    }

    func run(on connection: SQLiteConnection) throws(StoreMigrationError) {
    }
}
