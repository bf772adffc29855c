package import StoreMigration

extension MigrationReport {
    /// An estimate of the space and time for the migration of a store.
    package struct RoomLine: Sendable, Encodable {
        /// The bytes for a new file, as `-o` writes it.
        package var copyBytes: Int
        package var inPlaceBytes: Int
        package var backupBytes: Int
        /// The free bytes where the store is; absent where the system does not tell.
        package var freeBytes: Int?
        /// The processor seconds for a new file.
        package var copySeconds: Double
        /// The processor seconds for a change in place.
        package var inPlaceSeconds: Double

        package var memoryBytes: Int

        package init(_ room: MigrationRoom, free: Int?) {
            (copyBytes, inPlaceBytes, backupBytes) = (room.ofCopy, room.inPlace, room.ofBackup)
            freeBytes = free
            memoryBytes = room.memory
            func rounded(_ seconds: Double) -> Double { (seconds * 1000).rounded() / 1000 }
            copySeconds = rounded(room.seconds(ofCopy: true))
            inPlaceSeconds = rounded(room.seconds(ofCopy: false))
        }
    }
}
