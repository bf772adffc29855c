import TestSupport
import Testing

struct CheckRoadTests {
    /// Transcripts cannot have such line ends.
    @Test func `stages with the line ends of Windows are found and run`() throws {
        try withFolder { folder in
            let versions = [textModel("A", ["a"]), textModel("A", ["a", "b"])]
            try writeBundle(versions, "M.xcdatamodeld", in: folder)
            let stages = """
                model: M.xcdatamodeld
                stages:
                  - custom: {from: V1, to: V2}
                    didMigrate: after.sql

                """
            try write(stages.replacing("\n", with: "\r\n"), "Stages.yml", in: folder)
            try write("UPDATE A SET b = a;\r\n", "after.sql", in: folder)
            try expectRun("check", in: folder, 0, "1 migration")
            try write("UPDATE Nothing SET b = a;\r\n", "after.sql", in: folder)
            try expectRun("check", in: folder, 1, "[migration-test-failed]")
        }
    }
}
