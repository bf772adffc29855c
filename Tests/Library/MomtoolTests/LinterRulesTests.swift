import Diagnostics
import Foundation
import Momtool
import TestSupport
import Testing

struct LinterRulesTests {
    private static let source = """
        <model><entity name="Book"><attribute name="a" optional="YES" attributeType="String"/>
        <relationship name="next" optional="YES" maxCount="1" destinationEntity="Book"/></entity></model>
        """

    private func severities(
        _ rules: [RuleID: Linter.RuleSetting],
        _ configuration: String? = nil
    ) throws -> [Severity] {
        try withFolder { folder in
            let bundle = folder.appending(path: "Shop.xcdatamodeld")
            try writeBundle(["V1": Self.source], current: "V1", at: bundle)
            try write(configuration ?? "", ".momtool.yml", in: folder)
            var linter = Linter()
            linter.rules = rules
            return try linter.findings(in: bundle.path)
                .filter { $0.rule == "missing-inverse" }.map(\.severity)
        }
    }

    @Test func `a rule is off, or its breaches have another severity`() throws {
        #expect(try severities([:]) == [.note])
        #expect(try severities(["missing-inverse": .warning]) == [.warning])
        #expect(try severities(["missing-inverse": .error]) == [.error])
        #expect(try severities(["missing-inverse": .off]) == [])
    }

    @Test func `code counts before the configuration`() throws {
        let configuration = "lint: {rules: {missing-inverse: off}}\n"
        #expect(try severities([:], configuration) == [])
        #expect(try severities(["missing-inverse": .error], configuration) == [.error])
    }

    @Test func `a rule that is not there is told, with the one that was meant`() throws {
        let error = #expect(throws: MomtoolError.self) { try severities(["missing-invers": .off]) }
        #expect(error?.kind == .usage)
        #expect(error?.description.contains("did you mean 'missing-inverse'") == true, "\(error)")
    }
}
