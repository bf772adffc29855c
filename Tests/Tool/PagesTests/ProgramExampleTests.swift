import Foundation
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

struct ProgramExampleTests {
    @Test(
        .enabled(
            if: FileManager.default.fileExists(atPath: "/usr/bin/python3"),
            "there is no Python"
        )
    )
    func `the program of the guide splits names`() throws {
        try withFolder { folder in
            let name = "<attribute name='name' attributeType='String'/>"
            let parts = ["firstName", "lastName"].map {
                "<attribute name='\($0)' optional='YES' attributeType='String'/>"
            }
            for (version, attributes) in [("V2", name), ("V3", name + parts.joined())] {
                let model = folder.appending(path: "Shop.xcdatamodeld/\(version).xcdatamodel")
                try FileManager.default.createDirectory(
                    at: model,
                    withIntermediateDirectories: true
                )
                try Data("<model><entity name='Person'>\(attributes)</entity></model>".utf8)
                    .write(to: model.appending(path: "contents"))
            }
            let stage = try #require(
                guideBlocks("MigratingInStages.md", "yaml").dropFirst().first {
                    $0.contains("program:")
                }
            )
            let text =
                "model: Shop.xcdatamodeld\nstages:\n"
                + stage
                .replacing("./split.py, --verbose", with: "python3, \(folder.path)/split.py")
            try Data(text.utf8).write(to: folder.appending(path: "Stages.yml"))
            let program = try #require(guideBlocks("MigratingInStages.md", "python").first)
            try Data(program.utf8).write(to: folder.appending(path: "split.py"))
            try Data("{\"Person\": [{\"name\": \"Ada Lovelace\"}]}".utf8)
                .write(to: folder.appending(path: "rows.json"))
            let make = [
                "create", "S.sqlite", "--model", "Shop.xcdatamodeld", "--version", "V2", "--rows",
                "rows.json",
            ]
            let made = try momtool(make, in: folder)
            #expect(made.status == 0, "\(made.errors)")
            let migrate = ["migrate", "S.sqlite", "--stages", "Stages.yml", "-o", "New.sqlite"]
            #expect(try momtool(migrate, in: folder).status == 3)
            let result = try momtool(migrate + ["--allow-programs"], in: folder)
            #expect(result.status == 0, "\(result.errors)")
            let new = try StoreFile(path: folder.appending(path: "New.sqlite").path)
            let rows = try new.connection.rows("SELECT ZFIRSTNAME, ZLASTNAME FROM ZPERSON")
            #expect(rows == [[.text("Ada"), .text("Lovelace")]])
        }
    }
}
