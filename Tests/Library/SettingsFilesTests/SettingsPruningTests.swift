import Diagnostics
import SettingsFiles
import Testing

/// Versions are taken out of settings files in whatever form these are written.
struct SettingsPruningTests {
    private static let pruning = SettingsPruning(
        versions: ["V1", "V2"],
        shared: ["Shared"],
        order: ["V1", "V2", "V3", "V4"]
    )

    private func configuration(_ text: String) -> SettingsPruning.Result {
        Self.pruning.configuration(text, path: ".momtool.yml") { $0.hasPrefix("Gone") }
    }

    @Test(
        arguments: [
            ("order: [V1, V2, V3]\n", "order: [V3]\n"),
            ("order: [ V3 , V1 ]\n", "order: [ V3 ]\n"),
            ("order: ['V1', \"V2\", V3] # why\n", "order: [V3] # why\n"),
            ("order:\n- V1\n- V3\n", "order:\n- V3\n"),
            ("order:\r\n  - V1\r\n  - V3\r\n", "order:\r\n  - V3\r\n"),
            ("order: [\n  V1,\n  V2,\n  V3\n]\n", "order: [\n  V3\n]\n"),
            ("order: [\n  V3,\n  V1\n]\nmigration: direct", "order: [\n  V3\n]\nmigration: direct"),
            (
                "# head\norder: [V1]\n# tail\nmigration: direct\n",
                "# head\n# tail\nmigration: direct\n"
            ),
            ("losses:\n  V2: Stop\n  V4: Book\n", "losses:\n  V4: Book\n"),
            ("losses: {V2: [Stop, 'a, b'], V4: [Book]}\n", "losses: {V4: [Book]}\n"),
            ("losses: {V4: [Book], V2: [Stop]}\n", "losses: {V4: [Book]}\n"),
            ("losses:\n  V3:\n  - Stop\n  - Book\n  V4: [Book]\n", "losses:\n  V4: [Book]\n"),
            ("stages: [Gone.yml, Stays.yml]\n", "stages: [Stays.yml]\n"),
            ("lock: {unshipped: [V1, V4]}\n", "lock: {unshipped: [V4]}\n"),
            (
                "lint:\n  ignore:\n    - version: V1\n      reason: it's\n        long\n\n    - {reason: x, version: V4}\n",
                "lint:\n  ignore:\n\n    - {reason: x, version: V4}\n"
            ),
        ]
    )
    func `names go in every form, and nothing else`(text: String, expected: String) {
        let result = configuration(text)
        #expect(result.faults.isEmpty)
        #expect(result.text == expected)
        #expect(!result.removed.isEmpty)
    }

    @Test(arguments: [
        "order: [V3]\n", "losses: {V4: V1}\n", "# V1\n", "", "rules: []\n", "order: [V11]",
    ])
    func `what names nothing of it stays as it is`(text: String) {
        let result = configuration(text)
        #expect(result.text == nil && result.faults.isEmpty && result.removed.isEmpty)
    }

    @Test func `an unusual form is refused, and told with its file`() {
        let text = "order: &all [V1, V3]\nmappingModels: *all\n"
        let result = configuration(text)
        #expect(result.text == nil)
        #expect(result.faults.map(\.location?.path) == [".momtool.yml"])
        #expect(result.faults.first?.message.contains("order[1]") == true)
    }

    @Test func `losses go over to the version behind, where one before stays`() {
        let pruning = SettingsPruning(versions: ["V2", "V3"], order: ["V1", "V2", "V3", "V4"])
        func edited(_ text: String) -> String? {
            pruning.configuration(text, path: "") { _ in false }.text
        }
        #expect(
            edited("losses:\n  V2: [A]\n  V3: B\n  V4:\n    - C\n    - A\nmigration: direct\n")
                == "losses:\n  V4: [A, B, C]\nmigration: direct\n"
        )
        #expect(edited("losses:\n  V3: [\"A b: c\"]\n") == "losses:\n  V4: [\"A b: c\"]\n")
        #expect(edited("losses:\n  V4: [A]\n") == nil)
    }

    @Test func `names that other models have too stay`() {
        let pruning = SettingsPruning(
            versions: ["V1", "V2"],
            shared: ["V1"],
            order: ["V1", "V2", "V3"]
        )
        let result = pruning.configuration("order: [V1, V2, V3]\n", path: "") { _ in false }
        #expect(result.text == "order: [V1, V3]\n")
    }

    @Test func `cases go with the versions that they begin at or lead to`() {
        func cases(_ text: String) -> String? {
            Self.pruning.cases(text, path: "", isOwn: { $0 == "M" }, isGone: { $0 == "Gone" }).text
        }
        #expect(cases("model: M\nfrom: V1\n") == "")
        #expect(cases("model: M\nfrom: V3\nto: V2\n") == "")
        #expect(cases("model: N\nfrom: V1\n") == nil)
        #expect(
            cases("model: M\nfrom: V1\ncases: {a: {}, b: {from: V3}}\n")
                == "model: M\nfrom: V1\ncases: {b: {from: V3}}\n"
        )
        #expect(cases("model: M\ncases: {a: {from: V1}, b: {from: V2}}\n") == "")
        #expect(
            cases("model: M\nfrom: V3\nstages:\n- lightweight: [V1, V2, V3, V4]\n")
                == "model: M\nfrom: V3\nstages:\n- lightweight: [V3, V4]\n"
        )
        #expect(cases("model: M\nfrom: V3\nmappingModels: Gone\n") == "model: M\nfrom: V3\n")
    }
}
