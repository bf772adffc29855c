import Diagnostics
import MigrationPlanning
import ModelChecking
import SettingsFiles
import Testing

struct ConfigurationTests {
    @Test func `a configuration sets scope, severities and suppressions`() {
        let text = """
            lint:
              versions: all
              rules:
                missing-inverse: off
                data-loss: warning
              ignore:
                - rule: insecure-transformer
                  element: Order.payload
                  version: V1
                  reason: replaced in V7
                - element: Legacy
                  reason: frozen
            """
        let read = readConfiguration(text, path: ".momtool.yml")
        #expect(read.diagnostics.isEmpty)
        let check = read.value.check
        #expect(check.scope == .all)
        #expect(check.settings == ["missing-inverse": .off, "data-loss": .severity(.warning)])
        #expect(check.suppressions.map(\.reason) == ["replaced in V7", "frozen"])
        #expect(check.suppressions.map(\.rule) == ["insecure-transformer", nil])
        #expect(read.value.text.contains("insecure-transformer Order.payload in V1"))
    }

    @Test func `a configuration and a case name what may be lost`() {
        let texts: [(String, LossAgreement)] = [
            ("allowDataLoss: true", .all), ("allowDataLoss: false", .none),
            ("allowDataLoss: [Notice, Book.notes]", ["Notice", "Book.notes"]),
        ]
        for (text, agreement) in texts {
            let read = readConfiguration(text, path: ".momtool.yml")
            #expect(read.diagnostics.isEmpty)
            #expect(read.value.allowsDataLoss == agreement)
            let file = readCaseFile("model: M\nfrom: V1\n\(text)", path: "case.yml")
            #expect(file.diagnostics.isEmpty)
            #expect(file.value.map(\.allowsDataLoss) == [agreement])
        }
        let wrong = readConfiguration("allowDataLoss: perhaps", path: "c").diagnostics
        #expect(wrong.map(\.severity) == [.error])
    }

    @Test func `a name covers an entity with its properties, or one property`() {
        let agreement: LossAgreement = ["Notice", "Book.home"]
        for names in [
            ["Notice"], ["Notice.text"], ["Book.home"], ["Book.home.city"], ["A", "Notice"],
        ] {
            #expect(agreement.covers(names), "\(names)")
        }
        for names in [["Book"], ["Book.homes"], ["Notices"], ["Book.notes"], []] {
            #expect(!agreement.covers(names), "\(names)")
        }
        #expect(agreement.union(["Book"]).covers(["Book.notes"]))
        #expect(agreement.union(true).covers(["Book.notes"]))
    }

    @Test(arguments: ["", "# nothing", "lint:", "lint: {}"])
    func `an empty configuration changes nothing`(text: String) {
        let read = readConfiguration(text, path: "c")
        #expect(read.diagnostics.isEmpty)
        #expect(read.value.check == CheckOptions())
    }

    @Test func `aliases within aliases cost nothing`() {
        var text = "a0: &a0 [x, x]\n"
        for level in 1...60 {
            let inner = Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", ")
            text += "a\(level): &a\(level) [\(inner)]\n"
        }
        #expect(readConfiguration(text, path: "c").hasErrors)
    }
}
