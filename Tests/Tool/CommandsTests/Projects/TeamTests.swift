import Foundation
import TestSupport
import Testing

/// What a team meets that works on a model in branches, with releases and stages.
struct TeamTests {
    @Test func `a removed custom stage is reported`() throws {
        try withFolder { folder in
            try writeBundle(
                [textModel("A", ["a"]), textModel("A", ["a", "b"])],
                "M.xcdatamodeld",
                in: folder
            )
            try write("UPDATE A SET b = a;\n", "did.sql", in: folder)
            try write("stages: [Stages.yml]\n", ".momtool.yml", in: folder)
            let model = "model: M.xcdatamodeld\nstages:\n"
            let custom = "  - custom: {from: V1, to: V2}\n    didMigrate: did.sql\n"
            try write(model + custom, "Stages.yml", in: folder)
            try makeRepository(folder)
            try commit("one", in: folder)
            try expectRun("check --against HEAD", in: folder, 0, not: ["[changed-since]"])
            try write(model + "  - lightweight: [V1, V2]\n", "Stages.yml", in: folder)
            try expectRun("check --against HEAD", in: folder, 1, "Stages.yml: warning: ", "'V2'")
            try write("{}\n", ".momtool.yml", in: folder)
            try FileManager.default.removeItem(at: folder.appending(path: "Stages.yml"))
            try expectRun("check --against HEAD", in: folder, 1, "[changed-since]")
        }
    }
}
