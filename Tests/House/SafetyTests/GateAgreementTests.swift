import Foundation
import TestSupport
import Testing

struct GateAgreementTests: Sendable {
    struct Step: CustomTestStringConvertible {
        var testDescription: String
        var old: String
        var new: String
        var rows: String
        var verdict: String
        /// The rule that `lint` and `check` report; `nil` for none.
        var rule: String?
        var status: Int32
        var left: Int32 = 0
    }

    private static func entity(_ name: String, _ properties: String...) -> String {
        "<entity name='\(name)'>\(properties.joined())</entity>"
    }

    private static func parent(_ properties: String) -> String {
        "<entity name='P' isAbstract='YES'>\(properties)</entity>"
    }

    private static func child(_ name: String, _ properties: String = "") -> String {
        "<entity name='\(name)' parentEntity='P'>\(properties)</entity>"
    }

    private static func attribute(_ name: String, _ settings: String) -> String {
        "<attribute name='\(name)' \(settings)/>"
    }

    private static func link(
        _ name: String,
        _ settings: String,
        _ destination: String,
        _ inverse: String? = nil
    ) -> String {
        let other = inverse.map { "inverseName='\($0)' inverseEntity='\(destination)'" } ?? ""
        return
            "<relationship name='\(name)' \(settings) destinationEntity='\(destination)' \(other)/>"
    }

    private static let one = "optional='YES' maxCount='1'"
    private static let many = "optional='YES' toMany='YES'"
    private static let text = "attributeType='String'"
    private static let unique =
        "<uniquenessConstraints><uniquenessConstraint><constraint value='n'/></uniquenessConstraint></uniquenessConstraints>"

    private static let uniquePair = unique.replacing(
        "<constraint value='n'/>",
        with: "<constraint value='x'/><constraint value='y'/>"
    )

    private static func apart(_ settings: String) -> String {
        entity("P", link("b", settings, "B")) + entity("B", link("o", one, "P"))
    }

    private static func joined(_ settings: String) -> String {
        entity("P", link("b", settings, "B", "o")) + entity("B", link("o", one, "P", "b"))
    }

    private static func pairs(_ own: String, _ other: String, _ inverses: [String]) -> String {
        func owner(_ inverse: String) -> String { inverses[0] == inverse ? "x" : "y" }
        return entity("P", link("x", own, "B", inverses[0]), link("y", own, "B", inverses[1]))
            + entity(
                "B",
                link("xs", other, "P", owner("xs")),
                link("ys", other, "P", owner("ys"))
            )
    }

    /// The entity P of two such pairs, whose relationships have each other's names.
    private static let exchanged = entity(
        "P",
        attribute("u", "optional='YES' \(text)"),
        link("x", "elementID='y' \(one)", "B", "xs"),
        link("y", "elementID='x' \(one)", "B", "ys")
    )

    private static let twoLinks =
        #"{"P": [{"x": "B/p1", "y": "B/p2"}], "B": [{"@id": "p1"}, {"@id": "p2"}]}"#

    private static func swap(_ kind: String, _ own: String, _ other: String) -> [Step] {
        func rows(_ y: String) -> String {
            func links(_ key: String) -> String { own == one ? "\"B/\(key)\"" : "[\"B/\(key)\"]" }
            return #"{"P": [{"@id": "p1", "x": \#(links("p1")), "y": \#(links(y))}], "#
                + #""B": [{"@id": "p1"}, {"@id": "p2"}]}"#
        }
        return [("p2", "differ", Int32(3)), ("p1", "say the same", 0)].map { y, words, status in
            Step(
                testDescription: "two \(kind) pairs change their inverses, and \(words)",
                old: pairs(own, other, ["xs", "ys"]),
                new: pairs(own, other, ["ys", "xs"]),
                rows: rows(y),
                verdict: "loses data",
                rule: "data-loss",
                status: status
            )
        }
    }

    private static let steps =
        singleSteps + swap("to-one", one, one) + swap("one-to-many", one, many)
        + swap("many-to-many", many, many)

    private static let singleSteps = [
        Step(
            testDescription: "two to-ones become inverses, and differ",
            old: apart(one),
            new: joined(one),
            rows: #"""
                {"P": [{"@id": "p1", "b": "B/p1"}, {"@id": "p2", "b": "B/p2"}],
                 "B": [{"@id": "p1", "o": "P/p2"}, {"@id": "p2"}]}
                """#,
            verdict: "loses data",
            rule: "data-loss",
            status: 3
        ),
        Step(
            testDescription: "two to-ones become inverses, and say the same",
            old: apart(one),
            new: joined(one),
            rows: #"{"P": [{"@id": "p1", "b": "B/p1"}], "B": [{"@id": "p1", "o": "P/p1"}]}"#,
            verdict: "loses data",
            rule: "data-loss",
            status: 0
        ),
        Step(
            testDescription: "a to-many and a to-one become inverses, and differ",
            old: apart(many),
            new: joined(many),
            rows:
                #"{"P": [{"@id": "p1", "b": ["B/p1"]}, {"@id": "p2"}], "B": [{"@id": "p1", "o": "P/p2"}]}"#,
            verdict: "loses data",
            rule: "data-loss",
            status: 3
        ),
        Step(
            testDescription: "a to-many and a to-one become inverses, and say the same",
            old: apart(many),
            new: joined(many),
            rows: #"{"P": [{"@id": "p1", "b": ["B/p1"]}], "B": [{"@id": "p1", "o": "P/p1"}]}"#,
            verdict: "loses data",
            rule: "data-loss",
            status: 0
        ),
        Step(
            testDescription: "a to-one gets a new to-one inverse",
            old: entity("P", link("b", one, "B")) + entity("B"),
            new: joined(one),
            rows: #"{"P": [{"b": "B/p1"}, {"b": "B/p1"}], "B": [{"@id": "p1"}]}"#,
            verdict: "loses data",
            rule: "data-loss",
            status: 3
        ),
        Step(
            testDescription: "a to-one gets a new to-many inverse",
            old: entity("P", link("b", one, "B")) + entity("B"),
            new: entity("P", link("b", one, "B", "o")) + entity("B", link("o", many, "P", "b")),
            rows: #"{"P": [{"b": "B/p1"}, {"b": "B/p1"}], "B": [{"@id": "p1"}]}"#,
            verdict: "lightweight",
            rule: nil,
            status: 0
        ),
        Step(
            testDescription: "a unique attribute becomes mandatory",
            old: entity("A", attribute("n", "optional='YES' \(text)"), unique),
            new: entity("A", attribute("n", "\(text) defaultValueString='q'"), unique),
            rows: #"{"A": [{}, {}]}"#,
            verdict: "depends on the rows",
            rule: "rows-decide",
            status: 3
        ),
        Step(
            testDescription: "values in files go into the store",
            old: entity(
                "A",
                attribute(
                    "d",
                    "optional='YES' attributeType='Binary' allowsExternalBinaryDataStorage='YES'"
                )
            ),
            new: entity("A", attribute("d", "optional='YES' attributeType='Binary'")),
            rows:
                "{\"A\": [{\"d\": \"\(Data(repeating: 7, count: 200_000).base64EncodedString())\"}]}",
            verdict: "lightweight though undocumented",
            rule: nil,
            status: 0
        ),
        Step(
            testDescription: "a to-many must lead somewhere",
            old: joined(many),
            new: entity("P", link("b", "toMany='YES' minCount='1'", "B", "o"))
                + entity("B", link("o", one, "P", "b")),
            rows: #"{"P": [{}]}"#,
            verdict: "lightweight",
            rule: nil,
            status: 0,
            left: 1
        ),
        Step(
            testDescription: "a unique link stays",
            old: entity("A", link("n", one, "B", "as"), unique)
                + entity("B", link("as", many, "A", "n")),
            new: entity(
                "A",
                attribute("u", "optional='YES' \(text)"),
                link("n", one, "B", "as"),
                unique
            ) + entity("B", link("as", many, "A", "n")),
            rows: #"{"A": [{"n": "B/p1"}], "B": [{"@id": "p1"}]}"#,
            verdict: "lightweight",
            rule: nil,
            status: 0
        ),
        Step(
            testDescription: "a unique pair of links stays",
            old: entity("A", link("x", one, "B"), link("y", one, "C"), uniquePair) + entity("B")
                + entity("C"),
            new: entity(
                "A",
                attribute("u", "optional='YES' \(text)"),
                link("x", one, "B"),
                link("y", one, "C"),
                uniquePair
            ) + entity("B") + entity("C"),
            rows: #"{"A": [{"x": "B/p1"}], "B": [{"@id": "p1"}], "C": []}"#,
            verdict: "lightweight",
            rule: nil,
            status: 0
        ),
        Step(
            testDescription: "a link becomes unique",
            old: entity("A", link("n", one, "B", "as")) + entity("B", link("as", many, "A", "n")),
            new: entity("A", link("n", one, "B", "as"), unique)
                + entity("B", link("as", many, "A", "n")),
            rows: #"{"A": [{"n": "B/p1"}, {"n": "B/p1"}], "B": [{"@id": "p1"}]}"#,
            verdict: "depends on the rows",
            rule: "rows-decide",
            status: 3
        ),
        Step(
            testDescription: "a to-one without an inverse becomes a to-many",
            old: entity("A", link("b", one, "B")) + entity("B"),
            new: entity("A", link("b", many, "B")) + entity("B"),
            rows: #"{"A": [{"b": "B/p1"}, {"b": "B/p1"}], "B": [{"@id": "p1"}]}"#,
            verdict: "loses data",
            rule: "data-loss",
            status: 3
        ),
        Step(
            testDescription: "relationships exchange their names",
            old: pairs(one, many, ["xs", "ys"]),
            new: exchanged + entity("B", link("xs", many, "P", "x"), link("ys", many, "P", "y")),
            rows: twoLinks,
            verdict: "loses data",
            rule: "data-loss",
            status: 3
        ),
        Step(
            testDescription: "relationships and their inverses exchange their names",
            old: pairs(one, many, ["xs", "ys"]),
            new: exchanged
                + entity(
                    "B",
                    attribute("u", "optional='YES' \(text)"),
                    link("xs", "elementID='ys' \(many)", "P", "x"),
                    link("ys", "elementID='xs' \(many)", "P", "y")
                ),
            rows: twoLinks,
            verdict: "lightweight",
            rule: nil,
            status: 0
        ),
        Step(
            testDescription: "a transient attribute becomes stored with another type",
            old: entity("A", attribute("n", "optional='YES' transient='YES' \(text)")),
            new: entity("A", attribute("n", "optional='YES' attributeType='Date'")),
            rows: #"{"A": [{}]}"#,
            verdict: "lightweight though undocumented",
            rule: nil,
            status: 0
        ),
        Step(
            testDescription: "an attribute goes down from an abstract entity",
            old: parent(attribute("n", "optional='YES' \(text)")) + child("S") + child("T"),
            new: parent("")
                + ["S", "T"].map { child($0, attribute("n", "optional='YES' \(text)")) }.joined(),
            rows: #"{"S": [{"n": "a"}], "T": [{"n": "b"}]}"#,
            verdict: "lightweight",
            rule: nil,
            status: 0
        ),
        Step(
            testDescription: "an attribute goes down from an abstract entity to one of two",
            old: parent(attribute("n", "optional='YES' \(text)")) + child("S") + child("T"),
            new: parent("") + child("S", attribute("n", "optional='YES' \(text)")) + child("T"),
            rows: #"{"S": [{"n": "a"}], "T": [{"n": "b"}]}"#,
            verdict: "loses data",
            rule: "data-loss",
            status: 3
        ),
        Step(
            testDescription: "whole numbers become equal as Doubles, and are unique",
            old: entity("A", attribute("n", "optional='YES' attributeType='Integer 64'"), unique),
            new: entity("A", attribute("n", "optional='YES' attributeType='Double'"), unique),
            rows:
                #"{"A": [{"n": {"@integer": "9007199254740992"}}, {"n": {"@integer": "9007199254740993"}}]}"#,
            verdict: "lightweight though undocumented",
            rule: "data-loss",
            status: 3
        ),
        Step(
            testDescription: "a derived attribute is removed",
            old: entity(
                "A",
                attribute("n", "optional='YES' \(text)"),
                attribute(
                    "x",
                    "optional='YES' derived='YES' derivationExpression='uppercase:(n)' \(text)"
                )
            ),
            new: entity("A", attribute("n", "optional='YES' \(text)")),
            rows: #"{"A": [{"n": "x"}]}"#,
            verdict: "lightweight",
            rule: nil,
            status: 0
        ),
        Step(
            testDescription: "a composite becomes unique",
            old: entity(
                "A",
                attribute("n", "optional='YES' attributeType='Composite' composite='C'")
            )
                + "<composite name='C'>\(attribute("a", "optional='YES' \(text)"))</composite>",
            new: entity(
                "A",
                attribute("n", "optional='YES' attributeType='Composite' composite='C'"),
                unique
            ) + "<composite name='C'>\(attribute("a", "optional='YES' \(text)"))</composite>",
            rows: #"{"A": [{"n": {"a": "x"}}, {"n": {"a": "x"}}]}"#,
            verdict: "",
            rule: nil,
            status: 0
        ),
    ]

    @Test(arguments: steps)
    func `all commands say one thing of a step`(step: Step) throws {
        try withVersions(step.old, step.new, rows: step.rows) { _, run in
            let diff = try run("diff M.xcdatamodeld")
            let words = diff.output.split(separator: "\n").first ?? ""
            #expect(words.hasSuffix(": \(step.verdict)") || step.verdict.isEmpty, "\(diff.output)")
            #expect(!diff.output.contains("PARTITION BY  "), "\(diff.output)")
            for command in ["lint M.xcdatamodeld", "check M.xcdatamodeld"] {
                let found = try run(command)
                #expect((found.status == 0) == (step.rule == nil), "\(command): \(found.output)")
                #expect(
                    found.output.contains("[\(step.rule ?? "")]") == (step.rule != nil),
                    "\(found.output)"
                )
                #expect(!found.output.contains("migration-test-failed"), "\(found.output)")
            }
            let plan = try run("plan M.xcdatamodeld --store S.sqlite")
            #expect(plan.status == 0 && !plan.errors.contains("error"), "\(plan.errors)")
            let migrated = try run("migrate S.sqlite --model M.xcdatamodeld -o N.sqlite")
            #expect(migrated.status == step.status, "\(migrated.errors)")
            guard step.status == 0 else { return }
            #expect(try run("verify N.sqlite --model M.xcdatamodeld").status == step.left)
        }
    }
}
