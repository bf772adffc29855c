import Foundation
import TestSupport
import Testing

struct GateAgreementTests: Sendable {
    /// A step with the verdict of `diff`, the rule that `lint` and `check` find, where they find one, the status of `migrate`
    /// and that of `verify` of the result.
    typealias Step = (
        title: String, old: String, new: String, rows: String, verdict: String, rule: String?,
        status: Int32, left: Int32
    )

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
    private static let derived = "derived='YES' derivationExpression='uppercase:(n)' \(text)"

    private static func own(_ name: String) -> String {
        attribute(name, "optional='YES' \(text)")
    }

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
            + entity("B", link("xs", other, "P", owner("xs")), link("ys", other, "P", owner("ys")))
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
            (
                "two \(kind) pairs change their inverses, and \(words)",
                pairs(own, other, ["xs", "ys"]), pairs(own, other, ["ys", "xs"]), rows(y),
                "loses-data", "data-loss", status, 0
            )
        }
    }

    private static let steps =
        singleSteps + swap("to-one", one, one) + swap("one-to-many", one, many)
        + swap("many-to-many", many, many)

    private static let singleSteps: [Step] = [
        (
            "two to-ones become inverses, and differ", apart(one), joined(one),
            #"""
            {"P": [{"@id": "p1", "b": "B/p1"}, {"@id": "p2", "b": "B/p2"}],
             "B": [{"@id": "p1", "o": "P/p2"}, {"@id": "p2"}]}
            """#,
            "loses-data", "data-loss", 3, 0
        ),
        (
            "two to-ones become inverses, and say the same", apart(one), joined(one),
            #"{"P": [{"@id": "p1", "b": "B/p1"}], "B": [{"@id": "p1", "o": "P/p1"}]}"#,
            "loses-data", "data-loss", 0, 0
        ),
        (
            "a to-many and a to-one become inverses, and differ", apart(many), joined(many),
            #"{"P": [{"@id": "p1", "b": ["B/p1"]}, {"@id": "p2"}], "B": [{"@id": "p1", "o": "P/p2"}]}"#,
            "loses-data", "data-loss", 3, 0
        ),
        (
            "a to-many and a to-one become inverses, and say the same", apart(many), joined(many),
            #"{"P": [{"@id": "p1", "b": ["B/p1"]}], "B": [{"@id": "p1", "o": "P/p1"}]}"#,
            "loses-data", "data-loss", 0, 0
        ),
        (
            "a to-one gets a new to-one inverse", entity("P", link("b", one, "B")) + entity("B"),
            joined(one), #"{"P": [{"b": "B/p1"}, {"b": "B/p1"}], "B": [{"@id": "p1"}]}"#,
            "loses-data", "data-loss", 3, 0
        ),
        (
            "a to-one gets a new to-many inverse", entity("P", link("b", one, "B")) + entity("B"),
            entity("P", link("b", one, "B", "o")) + entity("B", link("o", many, "P", "b")),
            #"{"P": [{"b": "B/p1"}, {"b": "B/p1"}], "B": [{"@id": "p1"}]}"#, "lightweight", nil, 0,
            0
        ),
        (
            "a unique attribute becomes mandatory",
            entity("A", attribute("n", "optional='YES' \(text)"), unique),
            entity("A", attribute("n", "\(text) defaultValueString='q'"), unique),
            #"{"A": [{}, {}]}"#, "depends-on-rows", "rows-decide", 3, 0
        ),
        (
            "values in files go into the store",
            entity(
                "A",
                attribute(
                    "d",
                    "optional='YES' attributeType='Binary' allowsExternalBinaryDataStorage='YES'"
                )
            ),
            entity("A", attribute("d", "optional='YES' attributeType='Binary'")),
            "{\"A\": [{\"d\": \"\(Data(repeating: 7, count: 200_000).base64EncodedString())\"}]}",
            "lightweight-though-undocumented", nil, 0, 0
        ),
        (
            "a to-many must lead somewhere", joined(many),
            entity("P", link("b", "toMany='YES' minCount='1'", "B", "o"))
                + entity("B", link("o", one, "P", "b")),
            #"{"P": [{}]}"#, "lightweight", nil, 0, 1
        ),
        (
            "a unique link stays",
            entity("A", link("n", one, "B", "as"), unique)
                + entity("B", link("as", many, "A", "n")),
            entity(
                "A",
                attribute("u", "optional='YES' \(text)"),
                link("n", one, "B", "as"),
                unique
            ) + entity("B", link("as", many, "A", "n")),
            #"{"A": [{"n": "B/p1"}], "B": [{"@id": "p1"}]}"#, "lightweight", nil, 0, 0
        ),
        (
            "a unique pair of links stays",
            entity("A", link("x", one, "B"), link("y", one, "C"), uniquePair) + entity("B")
                + entity("C"),
            entity(
                "A",
                attribute("u", "optional='YES' \(text)"),
                link("x", one, "B"),
                link("y", one, "C"),
                uniquePair
            ) + entity("B") + entity("C"),
            #"{"A": [{"x": "B/p1"}], "B": [{"@id": "p1"}], "C": []}"#, "lightweight", nil, 0, 0
        ),
        (
            "a link becomes unique",
            entity("A", link("n", one, "B", "as")) + entity("B", link("as", many, "A", "n")),
            entity("A", link("n", one, "B", "as"), unique)
                + entity("B", link("as", many, "A", "n")),
            #"{"A": [{"n": "B/p1"}, {"n": "B/p1"}], "B": [{"@id": "p1"}]}"#, "depends-on-rows",
            "rows-decide", 3, 0
        ),
        (
            "a to-one without an inverse becomes a to-many",
            entity("A", link("b", one, "B")) + entity("B"),
            entity("A", link("b", many, "B")) + entity("B"),
            #"{"A": [{"b": "B/p1"}, {"b": "B/p1"}], "B": [{"@id": "p1"}]}"#, "loses-data",
            "data-loss", 3, 0
        ),
        (
            "relationships exchange their names", pairs(one, many, ["xs", "ys"]),
            exchanged + entity("B", link("xs", many, "P", "x"), link("ys", many, "P", "y")),
            twoLinks, "loses-data", "data-loss", 3, 0
        ),
        (
            "relationships and their inverses exchange their names",
            pairs(one, many, ["xs", "ys"]),
            exchanged
                + entity(
                    "B",
                    attribute("u", "optional='YES' \(text)"),
                    link("xs", "elementID='ys' \(many)", "P", "x"),
                    link("ys", "elementID='xs' \(many)", "P", "y")
                ),
            twoLinks, "lightweight", nil, 0, 0
        ),
        (
            "a transient attribute becomes stored with another type",
            entity("A", attribute("n", "optional='YES' transient='YES' \(text)")),
            entity("A", attribute("n", "optional='YES' attributeType='Date'")), #"{"A": [{}]}"#,
            "lightweight-though-undocumented", nil, 0, 0
        ),
        (
            "an attribute goes down from an abstract entity",
            parent(attribute("n", "optional='YES' \(text)")) + child("S") + child("T"),
            parent("")
                + ["S", "T"].map { child($0, attribute("n", "optional='YES' \(text)")) }.joined(),
            #"{"S": [{"n": "a"}], "T": [{"n": "b"}]}"#, "lightweight", nil, 0, 0
        ),
        (
            "an attribute goes down from an abstract entity to one of two",
            parent(attribute("n", "optional='YES' \(text)")) + child("S") + child("T"),
            parent("") + child("S", attribute("n", "optional='YES' \(text)")) + child("T"),
            #"{"S": [{"n": "a"}], "T": [{"n": "b"}]}"#, "loses-data", "data-loss", 3, 0
        ),
        (
            "whole numbers become equal as Doubles, and are unique",
            entity("A", attribute("n", "optional='YES' attributeType='Integer 64'"), unique),
            entity("A", attribute("n", "optional='YES' attributeType='Double'"), unique),
            #"{"A": [{"n": {"@integer": "9007199254740992"}}, {"n": {"@integer": "9007199254740993"}}]}"#,
            "depends-on-rows", "data-loss", 3, 0
        ),
        (
            "a derived attribute is removed",
            entity(
                "A",
                attribute("n", "optional='YES' \(text)"),
                attribute(
                    "x",
                    "optional='YES' derived='YES' derivationExpression='uppercase:(n)' \(text)"
                )
            ),
            entity("A", attribute("n", "optional='YES' \(text)")), #"{"A": [{"n": "x"}]}"#,
            "lightweight", nil, 0, 0
        ),
        (
            "a composite becomes unique",
            entity("A", attribute("n", "optional='YES' attributeType='Composite' composite='C'"))
                + "<composite name='C'>\(attribute("a", "optional='YES' \(text)"))</composite>",
            entity(
                "A",
                attribute("n", "optional='YES' attributeType='Composite' composite='C'"),
                unique
            ) + "<composite name='C'>\(attribute("a", "optional='YES' \(text)"))</composite>",
            #"{"A": [{"n": {"a": "x"}}, {"n": {"a": "x"}}]}"#, "", nil, 0, 0
        ),
        (
            "a new unique attribute has a default", entity("A", own("x")),
            entity("A", attribute("n", "\(text) defaultValueString='q'"), own("x"), unique),
            #"{"A": [{}, {}]}"#, "depends-on-rows", "new-required-without-default", 3, 0
        ),
        (
            "a new unique attribute has no values", entity("A", own("x")),
            entity("A", own("n"), own("x"), unique), #"{"A": [{}, {}]}"#, "lightweight", nil, 0, 0
        ),
        (
            "an attribute becomes derived", entity("A", own("n"), own("x")),
            entity("A", own("n"), attribute("x", "optional='YES' \(derived)")),
            #"{"A": [{"n": "a", "x": "b"}]}"#, "loses-data", "data-loss", 3, 0
        ),
        (
            "a mandatory attribute is derived from an optional one", entity("A", own("n")),
            entity("A", own("n"), attribute("x", derived)), #"{"A": [{}, {"n": "a"}]}"#,
            "lightweight-though-undocumented", nil, 0, 0
        ),
    ]

    @Test(arguments: steps.indices)
    func `all commands say one thing of a step`(index: Int) throws {
        let step = Self.steps[index]
        try withVersions(step.old, step.new, rows: step.rows) { _, run in
            let diff = try run("diff M.xcdatamodeld --format json")
            let verdict = "\"verdict\" : \"\(step.verdict)\"\n}\n"
            #expect(diff.output.hasSuffix(verdict) || step.verdict.isEmpty, "\(diff.output)")
            #expect(!diff.output.contains("PARTITION BY  "), "\(diff.output)")
            for command in ["lint M.xcdatamodeld", "check M.xcdatamodeld"]
            where Sweep.isWhole || command.hasPrefix("lint") || index % 3 == 0 {
                let found = try run(command)
                #expect((found.status == 0) == (step.rule == nil), "\(command): \(found.output)")
                #expect(found.output.contains("[\(step.rule ?? "")]") == (step.rule != nil))
                #expect(!found.output.contains("migration-test-failed"), "\(found.output)")
            }
            let plan = try run("plan M.xcdatamodeld --store S.sqlite")
            let migrated = try run("migrate S.sqlite --model M.xcdatamodeld -o N.sqlite")
            let fails = migrated.errors.contains("134110")
            let asks = !fails && migrated.status == 3
            #expect(plan.status == (fails ? 3 : asks ? 1 : 0), "\(plan.errors)")
            #expect(!plan.errors.contains("error"), "\(plan.errors)")
            #expect(migrated.status == step.status, "\(migrated.errors)")
            guard step.status == 0 else { return }
            #expect(try run("verify N.sqlite --model M.xcdatamodeld").status == step.left)
        }
    }
}
