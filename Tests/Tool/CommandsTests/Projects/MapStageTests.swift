import Foundation
import TestSupport
import Testing

/// A stage with a map is told of in every command that reads the stages.
struct MapStageTests {
    @Test(arguments: [(true, "note"), (false, "warning")])
    func `a map that Core Data's stages cannot have is found alike`(
        isLegal: Bool,
        severity: String
    ) throws {
        try withFolder { folder in
            let type = isLegal ? "String" : "Integer 64"
            let models = ["V1": "String", "V2": type].mapValues {
                "<model><entity name='A'><attribute name='a' optional='YES' attributeType='\($0)'/>"
                    + "</entity></model>"
            }
            let more = models["V2"]?.replacing(
                "</entity>",
                with: "<attribute name='b' optional='YES' attributeType='String'/></entity>"
            )
            let versions = ["V1": models["V1"] ?? "", "V2": more ?? ""]
            try writeBundle(versions, current: "V2", at: folder.appending(path: "M.xcdatamodeld"))
            let stages =
                "model: M.xcdatamodeld\nstages:\n  - custom: {from: V1, to: V2}\n    map: m.yml\n"
            try Data(stages.utf8).write(to: folder.appending(path: "Stages.yml"))
            let map = "entities:\n  - {from: A, to: A, set: {a: {constant: 7}}}\n"
            try Data((isLegal ? map.replacing("7", with: "x") : map).utf8)
                .write(to: folder.appending(path: "m.yml"))
            try Data("stages: [Stages.yml]\n".utf8).write(
                to: folder.appending(path: ".momtool.yml")
            )
            for words in [
                ["plan", "--stages", "Stages.yml"], ["check"], ["lint", "M.xcdatamodeld"],
            ] {
                let result = try momtool(words, in: folder)
                let said = result.output + result.errors
                let lines = said.split(separator: "\n")
                    .filter { $0.contains("[map-beyond-core-data]") }
                #expect(lines.count == 1, "\(words): \(said)")
                #expect(
                    lines.first?.hasPrefix("Stages.yml:3:") == true
                        && lines.first?.contains(": \(severity): stage 1: ") == true,
                    "\(words): \(said)"
                )
            }
            #expect(try momtool("explain", "map-beyond-core-data").status == 0)
        }
    }
}
