import Foundation
import TestSupport
import Testing

@testable import StoreMigration

struct MigrationRoomTests {
    /// What is needed at paths of one file system, in parts of what is free there.
    @Test(arguments: [([0.6], true), ([0.3, 0.3], true), ([1.5], false), ([0.6, 0, 0.6], false)])
    func `paths on one file system share its room`(shares: [Double], fits: Bool) throws {
        let path = FileManager.default.temporaryDirectory.path
        let system = try FileManager.default.attributesOfFileSystem(forPath: path)
        let free = try #require(system[.systemFreeSize] as? NSNumber).doubleValue
        let needs = shares.map { (path: path, bytes: Int(free * $0)) }
        do throws(StoreMigrationError) {
            try MigrationRoom.require(needs)
            #expect(fits)
        } catch {
            guard case .noRoom(_, let needed, _) = error else { throw error }
            #expect(!fits && needed == needs.reduce(0) { $0 + $1.bytes })
        }
    }
}
