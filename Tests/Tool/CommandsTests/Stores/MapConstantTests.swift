import Foundation
import TestSupport
import Testing

/// Values of a map that its attribute cannot have.
struct MapConstantTests {
    @Test(arguments: [
        ("n: {constant: many}", false), ("n: 70000", false), ("n: 1.5", false),
        ("d: {constant: today}", false), ("b: 7", false), ("u: {'@uuid': x}", false),
        ("n: $source.gone", false), ("n: {cast: [$source.a, colour]}", false), ("n: 7", true),
        ("d: {'@date': 2001-01-31T12:30:00Z}", true), ("b: true", true),
        ("n: {constant: 8}", true), ("n: null", true),
    ])
    func `a map with a wrong value is refused where it is read`(
        _ value: String,
        _ isSound: Bool
    ) throws {
        try withFolder { folder in
            let types = [("n", "Integer 16"), ("d", "Date"), ("b", "Boolean"), ("u", "UUID")]
            let new = types.map {
                "<attribute name='\($0.0)' optional='YES' attributeType='\($0.1)'/>"
            }
            let old = textModel("A", ["a"])
            let model = old.replacing("</entity>", with: new.joined() + "</entity>")
            try writeBundle([old, model], "M.xcdatamodeld", in: folder)
            try write("stages: [Stages.yml]\n", ".momtool.yml", in: folder)
            let stages = "  - custom: {from: V1, to: V2}\n    map: Map.yml\n"
            try write("model: M.xcdatamodeld\nstages:\n" + stages, "Stages.yml", in: folder)
            let map = "entities:\n  - from: A\n    to: A\n    set: {\(value)}\n"
            try write(map, "Map.yml", in: folder)
            try expectRun("create S.sqlite --model M.xcdatamodeld#V1", in: folder, 0)
            let fault = "Map.yml:4:11: error: "
            for command in ["check", "lint M.xcdatamodeld"] {
                let said = try expectRun(command, in: folder, isSound ? 0 : 1).output
                #expect(said.contains(fault) != isSound, "\(said)")
            }
            for command in [
                "plan M.xcdatamodeld --from V1", "plan --stages Stages.yml",
                "plan M.xcdatamodeld --store S.sqlite",
                "migrate S.sqlite --model M.xcdatamodeld -o T.sqlite",
            ] {
                let said = try expectRun(command, in: folder, isSound ? 0 : 3).errors
                #expect(said.contains(fault) != isSound, "\(said)")
            }
            #expect(try momtool("lock", in: folder).status == (isSound ? 0 : 3))
        }
    }
}
