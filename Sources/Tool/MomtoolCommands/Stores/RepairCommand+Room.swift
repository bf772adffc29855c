import FileSystem
import Momtool
import MomtoolReporting
import ObjectModel
import StoreMigration

/// Unused space in a store.
extension RepairCommand {
    /// Reclaims unused space in the result, when that was asked for.
    func takeRoom(
        in target: MigrationTarget,
        against model: ManagedObjectModel
    ) throws -> StoreUpkeep? {
        guard dropFiles || compact else { return nil }
        return try WorkDisplay.during("repair", unit: "steps") { _ in
            try StoreUpkeep.run(
                at: target.output ?? target.store,
                against: model,
                removingFiles: dropFiles,
                compacting: compact
            )
        }
    }

    func room(of found: StoreUpkeep, bytes: Int) -> RepairReport.Room {
        RepairReport.Room(found, bytes: bytes, removingFiles: dropFiles, compacting: compact)
    }

    func bytes(of path: String) -> Int { Int(clamping: fileSize(path) + fileSize(path + "-wal")) }
}
