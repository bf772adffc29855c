import Foundation
import TestSupport
import Testing

/// Stages with a step that Core Data refuses for sure, and with one of which nobody knows that.
struct UndecidedStageTests {
    @Test(
        arguments: ["{lightweight: [V1, V2]}", "{lightweight: [V1]}, {lightweight: [V2]}"],
        [true, false]
    )
    func `a guess is a warning, and momtool does not migrate by it`(
        _ stages: String,
        _ isGuess: Bool
    ) throws {
        try withFolder { folder in
            let old = textModel("A", ["x"])
            let new = old.replacing("String", with: isGuess ? "UUID" : "Integer 64")
            try writeBundle([old, new], "M.xcdatamodeld", in: folder)
            try write("stages: [Stages.yml]\n", ".momtool.yml", in: folder)
            try write("model: M.xcdatamodeld\nstages: [\(stages)]\n", "Stages.yml", in: folder)
            for command in ["check", "lint M.xcdatamodeld"] {
                let said = try expectRun(command, in: folder, 1).output
                let found = said.split(separator: "\n").filter { $0.contains("[stages-fail]") }
                #expect(found.count == 1 && found[0].hasPrefix("Stages.yml:2:"), "\(said)")
                #expect(found[0].contains(isGuess ? ": warning: " : ": error: "), "\(said)")
            }
            try expectRun("create S.sqlite --model M.xcdatamodeld#V1", in: folder, 0)
            try expectRun("plan M.xcdatamodeld --from V1", in: folder, 3)
            try expectRun("migrate S.sqlite --model M.xcdatamodeld -o T.sqlite", in: folder, 3)
            let said = try expectRun("doctor S.sqlite --model M.xcdatamodeld", in: folder, 1).output
            #expect(said.contains("may fail") == isGuess, "\(said)")
        }
    }
}
