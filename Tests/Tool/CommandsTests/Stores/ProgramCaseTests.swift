import Foundation
import TestSupport
import Testing

struct ProgramCaseTests {
    private static let source = """
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Person" syncable="YES"><attribute name="name" optional="YES" attributeType="String"/>FURTHER</entity></model>
        """

    private func withProject(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            let given = "<attribute name=\"given\" optional=\"YES\" attributeType=\"String\"/>"
            try writeBundle(
                [
                    "V1": Self.source.replacing("FURTHER", with: ""),
                    "V2": Self.source.replacing("FURTHER", with: given),
                ],
                current: "V2",
                at: folder.appending(path: "Shop.xcdatamodeld")
            )
            let program = """
                import json, sys
                for line in sys.stdin:
                    row = json.loads(line)
                    print(json.dumps({"@id": row["@id"], "given": row["name"]}))
                """
            try Data(program.utf8).write(to: folder.appending(path: "split.py"))
            let stages = """
                model: Shop.xcdatamodeld
                stages:
                  - custom: {from: V1, to: V2}
                    label: split
                    didMigrate: {program: [python3, \(folder.path)/split.py], entities: [Person]}

                """
            try Data(stages.utf8).write(to: folder.appending(path: "Stages.yml"))
            try Data("stages: [Stages.yml]\n".utf8)
                .write(to: folder.appending(path: ".momtool.yml"))
            let place = folder.appending(path: "Cases/one")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            let text = """
                model: ../../Shop.xcdatamodeld
                from: V1
                stages: ../../Stages.yml
                before: {Person: [{name: Ada}]}
                after: {Person: [{name: Ada, given: Ada}]}

                """
            try Data(text.utf8).write(to: place.appending(path: "case.yml"))
            try body(folder)
        }
    }

    private static let hasPython = ["/usr/bin/python3", "/usr/local/bin/python3"].contains {
        FileManager.default.fileExists(atPath: $0)
    }

    @Test(
        .enabled(if: hasPython),
        arguments: [
            ["test", "Cases"], ["test", "--matrix", "Shop.xcdatamodeld"], ["check", "."],
        ]
    )
    func `programs run where that is allowed, and nowhere else`(_ words: [String]) throws {
        try withProject { folder in
            let refused = try momtool(words, in: folder)
            #expect(refused.status == 1, "\(refused.output)\(refused.errors)")
            #expect(refused.output.contains("--allow-programs"), "\(refused.output)")
            let allowed = try momtool(words + ["--allow-programs"], in: folder)
            #expect(allowed.status == 0, "\(allowed.output)\(allowed.errors)")
        }
    }
}
