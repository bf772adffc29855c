package import StoreMigration

extension MigrationReport {
    /// The room and the time that the migration of a store takes, about.
    package struct RoomLine: Sendable, Encodable {
        /// The bytes that a new file takes, as `-o` writes it.
        package var copyBytes: Int
        /// The bytes that a change in place takes.
        package var inPlaceBytes: Int
        /// The bytes that a backup takes.
        package var backupBytes: Int
        /// The bytes that are free where the store lies; absent where the system does not tell.
        package var freeBytes: Int?
        /// The seconds of a processor that a new file takes.
        package var copySeconds: Double
        /// The seconds of a processor that a change in place takes.
        package var inPlaceSeconds: Double

        /// The bytes of memory that the process takes.
        package var memoryBytes: Int

        /// Creates the line of a migration.
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
