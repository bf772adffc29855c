import Diagnostics
import Foundation
import ModelChecking
import Testing

struct HierarchyExampleTests {
    static let strangers: [RuleID: String] = [:]

    static let failing = RuleCase.all(\.failing).filter { strangers[$0.rule] == nil }

    @Test(arguments: failing)
    func `a failing example is found among sub-entities too`(_ example: RuleCase) {
        let (findings, marked) = example.example.oneFloorDown.checked()
        let found = findings.filter { $0.diagnostic.rule == example.rule }
        #expect(!found.isEmpty, "\(findings.map(\.diagnostic))")
        guard !marked.isEmpty else { return }
        #expect(found.compactMap(\.diagnostic.location) == marked)
    }

    @Test(arguments: RuleCase.all(\.passing))
    func `a passing example keeps its rule among sub-entities too`(_ example: RuleCase) {
        let (findings, _) = example.example.oneFloorDown.checked()
        #expect(!findings.contains { $0.diagnostic.rule == example.rule })
    }

    @Test(arguments: RuleCase.all(\.failing).filter { strangers[$0.rule] != nil })
    func `a rule that knows no sub-entities is one that is named`(_ example: RuleCase) {
        let (findings, _) = example.example.oneFloorDown.checked()
        #expect(!findings.contains { $0.diagnostic.rule == example.rule })
    }
}

extension RuleExample {
    fileprivate var oneFloorDown: RuleExample {
        let base = "<entity name='MomtoolBase' isAbstract='YES'/>"
        let versions = versions.map { body in
            let lower = body.replacing(/<entity (?<rest>[^>]*?)(?<end>\/?>)/) { match in
                match.rest.contains("parentEntity=")
                    ? String(match.output.0)
                    : "<entity \(match.rest) parentEntity='MomtoolBase'\(match.end)"
            }
            return lower.contains("<entity ") ? lower + "\n" + base : lower
        }
        return RuleExample(
            versions,
            current: current,
            modelAttributes: modelAttributes,
            project: project
        )
    }
}
