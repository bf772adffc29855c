import Foundation
import TestSupport
import Testing

/// Stages with a step that Core Data refuses for sure, and with one of which nobody knows that.
struct UndecidedStageTests {
    private func inApp(
        _ types: [String],
        _ stages: String,
        _ body: (URL) throws -> Void
    ) throws {
        try withFolder { folder in
            let versions = types.map { type in
                textModel("A", ["x"]).replacing("String", with: type)
            }
            try writeBundle(versions, "M.xcdatamodeld", in: folder)
            try write("stages: [Stages.yml]\n", ".momtool.yml", in: folder)
            try write("model: M.xcdatamodeld\nstages: \(stages)\n", "Stages.yml", in: folder)
            try body(folder)
        }
    }

    @Test(arguments: [
        ("Integer 64", "[{lightweight: [V1, V2]}]", "error"),
        ("UUID", "[{lightweight: [V1, V2]}]", "warning"),
        ("Integer 64", "[{lightweight: [V1]}, {lightweight: [V2]}]", "error"),
        ("UUID", "[{lightweight: [V1]}, {lightweight: [V2]}]", "warning"),
    ])
    func `a guess is a warning, and momtool does not migrate by it`(
        _ type: String,
        _ stages: String,
        _ severity: String
    ) throws {
        try inApp(["String", type], stages) { folder in
            for command in ["check", "lint M.xcdatamodeld"] {
                let said = try expectRun(command, in: folder, 1).output
                let found = said.split(separator: "\n").filter { $0.contains("[stages-fail]") }
                #expect(found.count == 1 && found[0].contains(": \(severity): "), "\(said)")
                #expect(found[0].hasPrefix("Stages.yml:2:"), "\(said)")
            }
            try expectRun("create S.sqlite --model M.xcdatamodeld#V1", in: folder, 0)
            try expectRun("plan M.xcdatamodeld --from V1", in: folder, 3)
            try expectRun("migrate S.sqlite --model M.xcdatamodeld -o T.sqlite", in: folder, 3)
            let doctor = "doctor S.sqlite --model M.xcdatamodeld"
            let said = try expectRun(doctor, in: folder, 1).output
            #expect(said.contains("may fail") == (severity == "warning"), "\(said)")
        }
    }
}
