import Foundation
import MigrationTesting
import TestSupport
import Testing

struct RuleTableTests {
    /// The rows of MigrationBehaviour, "Changes", by the kind of element, and the cases that prove them.
    static let rows: [(kind: String, change: String, cases: [String])] = [
        ("Entities", "added", ["entity-added"]),
        ("Entities", "removed", ["entity-removed"]),
        ("Entities", "renamed with identifier", ["entity-renamed"]),
        (
            "Entities", "new parent, new child, moved into or out of a hierarchy",
            [
                "new-parent-of-one-root", "sub-entity-added", "attribute-moved-to-the-parent",
                "attribute-moved-to-the-sub-entity", "hierarchy-split",
            ]
        ),
        ("Entities", "two roots get a common parent", ["new-parent-of-two-roots"]),
        (
            "Entities", "becomes abstract",
            ["entity-becomes-abstract-with-rows", "entity-becomes-abstract-without-rows"]
        ),
        (
            "Entities", "uniqueness constraint added",
            ["uniqueness-added", "uniqueness-added-over-duplicates"]
        ),
        ("Entities", "uniqueness constraint removed", ["uniqueness-removed"]),
        (
            "Entities", "fetch index changed",
            [
                "fetch-index-added-with-an-attribute",
                "fetch-index-removed-by-a-version-hash-modifier",
            ]
        ),
        ("Attributes", "renamed with identifier", ["attribute-renamed", "attributes-swapped"]),
        (
            "Attributes", "optional, added",
            ["attribute-added-optional", "attribute-added-optional-with-default"]
        ),
        (
            "Attributes", "mandatory, added with default",
            [
                "attribute-added-mandatory-with-default-boolean",
                "attribute-added-mandatory-with-default-string",
            ]
        ),
        (
            "Attributes", "mandatory, added without default",
            [
                "attribute-added-mandatory-without-default",
                "attribute-added-mandatory-without-default-to-no-rows",
            ]
        ),
        ("Attributes", "removed", ["attribute-removed", "attributes-removed"]),
        ("Attributes", "becomes optional", ["mandatory-becomes-optional"]),
        (
            "Attributes", "becomes mandatory, with default",
            ["optional-becomes-mandatory-with-default"]
        ),
        (
            "Attributes", "becomes mandatory, without default",
            ["optional-becomes-mandatory-with-nil", "optional-becomes-mandatory-without-nil"]
        ),
        ("Attributes", "transient becomes stored", ["transient-becomes-persistent"]),
        ("Attributes", "stored becomes transient", ["persistent-becomes-transient"]),
        (
            "Attributes", "between integers, Boolean, Float, Double",
            [
                "integer-16-becomes-64", "integer-64-becomes-double", "boolean-becomes-integer",
                "float-becomes-double", "double-becomes-integer-of-fractions",
            ]
        ),
        ("Attributes", "URI to String", ["uri-becomes-string"]),
        (
            "Attributes",
            "String to or from a number, Decimal, Date or Binary; anything to Transformable",
            [
                "string-becomes-integer", "boolean-becomes-string", "string-becomes-date",
                "string-becomes-transformable", "string-becomes-binary",
            ]
        ),
        (
            "Attributes", "a number to or from Decimal, a number to Date, String to UUID",
            ["integer-becomes-decimal", "integer-becomes-date"]
        ),
        (
            "Attributes", "transformer or class changed",
            ["transformable-class-changed-beside-an-attribute"]
        ),
        (
            "Attributes", "default value changed",
            ["default-changed-beside-an-attribute-leaves-rows-alone"]
        ),
        (
            "Attributes", "external storage switched",
            ["external-storage-switched-on", "large-binary-kept-in-its-file"]
        ),
        ("Attributes", "derived attribute added", ["derived-value-added", "derived-count-added"]),
        (
            "Attributes", "what a derived attribute is computed from gets other values or links",
            ["derived-value-follows-default"]
        ),
        (
            "Attributes", "composite attribute added or changed",
            ["composite-added", "composite-element-added-with-default", "composite-removed"]
        ),
        ("Relationships", "renamed with identifier", ["relationship-renamed"]),
        (
            "Relationships", "optional to-one, or any to-many, added",
            [
                "to-one-added", "destination-gains-a-sub-entity", "to-many-added",
                "relationship-to-many-mandatory-added",
            ]
        ),
        ("Relationships", "mandatory to-one added", ["to-one-added-mandatory"]),
        (
            "Relationships", "removed",
            ["relationship-removed", "many-to-many-loses-links-to-a-removed-sub-entity"]
        ),
        ("Relationships", "to-one becomes to-many", ["to-one-becomes-to-many"]),
        (
            "Relationships", "to-many becomes to-one",
            ["to-many-becomes-to-one-agreed", "to-many-becomes-to-one-with-links-to-lose"]
        ),
        (
            "Relationships", "unordered becomes ordered",
            ["unordered-becomes-ordered", "many-to-many-becomes-ordered"]
        ),
        ("Relationships", "ordered becomes unordered", ["ordered-becomes-unordered"]),
        (
            "Relationships", "ordered one-to-many becomes ordered many-to-many",
            ["ordered-to-many-becomes-many-to-many-and-keeps-its-order"]
        ),
        ("Relationships", "inverse added or changed", ["inverse-added", "inverse-removed"]),
        ("Relationships", "destination changed", ["destination-changed"]),
        ("Relationships", "becomes mandatory", ["relationship-becomes-mandatory"]),
        ("Relationships", "counts changed", ["count-limits-changed"]),
        (
            "Relationships", "delete rule changed",
            ["delete-rule-changed-beside-an-attribute"]
        ),
    ]

    @Test(arguments: rows.indices)
    func `each rule has its cases`(index: Int) throws {
        let (_, change, cases) = Self.rows[index]
        #expect(!cases.isEmpty, "\(change)")
        for name in cases {
            let folder = Corpus.package.appending(path: "Fixtures/Cases/\(name)")
            #expect(throws: Never.self) { try MigrationCase.cases(at: folder) }
        }
    }

    @Test(arguments: ["Entities", "Attributes", "Relationships"])
    func `no rule of the page is left out`(kind: String) throws {
        let file = pagesFolder.appending(path: "MigrationBehaviour.md")
        let text = try fileText(file)
        let section = try #require(text.components(separatedBy: "### \(kind)\n").last)
        let table = section.split(separator: "\n").drop { !$0.hasPrefix("| ---") }.dropFirst()
            .prefix { $0.hasPrefix("| ") }
        let changes = table.compactMap {
            $0.split(separator: "|").first?.trimmingCharacters(in: .whitespaces)
        }
        #expect(changes == Self.rows.filter { $0.kind == kind }.map(\.change))
    }
}
