import FileSystem
import Momtool
import MomtoolReporting
import ObjectModel
import StoreFormat
import StoreMigration

/// What takes room in a store, and taking it back.
extension RepairCommand {
    /// Takes back the room in the result, when that was asked for.
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

    /// The size of a store with its log.
    func bytes(of path: String) -> Int {
        Int(clamping: fileSize(path) + fileSize(path + "-wal"))
    }
}
