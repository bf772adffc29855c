import Foundation
import MigrationTesting
import TestSupport
import Testing

/// Holds the fixture cases to the table of rules: what Core Data makes of each kind of change, row by row.
@Suite(.timeLimit(.minutes(30)))
struct RuleTableTests {
    /// The rows of MIGRATION_BEHAVIOUR 1.3, in its words, and the cases that prove them.
    static let rows: [(change: String, cases: [String])] = [
        ("Add entity", ["entity-added"]),
        ("Remove entity", ["entity-removed"]),
        (
            "Rename entity/attribute/relationship",
            ["entity-renamed", "attribute-renamed", "relationship-renamed", "attributes-swapped"]
        ),
        ("Add optional attribute, no default", ["attribute-added-optional"]),
        (
            "Add optional attribute **with default**", ["attribute-added-optional-with-default"]
        ),
        (
            "Add mandatory attribute with default",
            [
                "attribute-added-mandatory-with-default-boolean",
                "attribute-added-mandatory-with-default-string",
            ]
        ),
        (
            "Add mandatory attribute, no default",
            [
                "attribute-added-mandatory-without-default",
                "attribute-added-mandatory-without-default-to-no-rows",
            ]
        ),
        ("Remove attribute", ["attribute-removed", "attributes-removed"]),
        ("Mandatory→optional", ["mandatory-becomes-optional"]),
        ("Optional→mandatory with default", ["optional-becomes-mandatory-with-default"]),
        (
            "Optional→mandatory, no default",
            ["optional-becomes-mandatory-with-nil", "optional-becomes-mandatory-without-nil"]
        ),
        (
            "**Numeric type change** within the integer/floating/boolean family",
            [
                "integer-16-becomes-64", "integer-64-becomes-double", "boolean-becomes-integer",
                "float-becomes-double", "double-becomes-integer-of-fractions",
            ]
        ),
        ("Int64→Decimal", ["integer-becomes-decimal"]),
        ("URI→String", ["uri-becomes-string"]),
        ("Int32→Date", ["integer-becomes-date"]),
        ("String→Binary", ["string-becomes-binary"]),
        (
            "String↔number, String↔Date, →Transformable",
            [
                "string-becomes-integer", "boolean-becomes-string", "string-becomes-date",
                "string-becomes-transformable",
            ]
        ),
        (
            "Transformable: transformer or custom class changed",
            ["transformable-class-changed-beside-an-attribute"]
        ),
        ("Default changed only", ["default-changed-beside-an-attribute-leaves-rows-alone"]),
        ("Transient→persistent", ["transient-becomes-persistent"]),
        ("Persistent→transient", ["persistent-becomes-transient"]),
        ("Add to-one relationship, optional", ["to-one-added", "destination-gains-a-sub-entity"]),
        ("Add **mandatory to-one**", ["to-one-added-mandatory"]),
        (
            "Add to-many, even non-optional with no minCount",
            ["to-many-added", "relationship-to-many-mandatory-added"]
        ),
        (
            "Remove relationship",
            ["relationship-removed", "many-to-many-loses-links-to-a-removed-sub-entity"]
        ),
        ("To-one→to-many", ["to-one-becomes-to-many"]),
        (
            "To-many→to-one",
            ["to-many-becomes-to-one-agreed", "to-many-becomes-to-one-with-links-to-lose"]
        ),
        ("Unordered→ordered", ["unordered-becomes-ordered", "many-to-many-becomes-ordered"]),
        ("Ordered→unordered", ["ordered-becomes-unordered"]),
        (
            "Ordered one-to-many → ordered many-to-many",
            ["ordered-to-many-becomes-many-to-many-and-keeps-its-order"]
        ),
        ("Inverse added/changed", ["inverse-added", "inverse-removed"]),
        ("Destination entity changed (not a rename)", ["destination-changed"]),
        ("Delete rule changed", ["delete-rule-changed-beside-an-attribute"]),
        ("min/maxCount changed", ["count-limits-changed"]),
        (
            "New parent/child entity; move attributes up/down; move in/out of a hierarchy",
            [
                "new-parent-of-one-root", "sub-entity-added", "attribute-moved-to-the-parent",
                "attribute-moved-to-the-sub-entity",
            ]
        ),
        (
            "**Give two existing root entities a common (new) parent**",
            ["new-parent-of-two-roots"]
        ),
        ("Split a hierarchy (parent removed, children become roots)", ["hierarchy-split"]),
        (
            "isAbstract change",
            ["entity-becomes-abstract-with-rows", "entity-becomes-abstract-without-rows"]
        ),
        ("Add uniqueness constraint", ["uniqueness-added", "uniqueness-added-over-duplicates"]),
        ("Remove uniqueness constraint", ["uniqueness-removed"]),
        (
            "Add/remove fetch index",
            [
                "fetch-index-added-with-an-attribute",
                "fetch-index-removed-by-a-version-hash-modifier",
            ]
        ),
        (
            "External binary storage on/off",
            ["external-storage-switched-on", "large-binary-kept-in-its-file"]
        ),
        ("Derived attribute added", ["derived-value-added", "derived-count-added"]),
        (
            "Composite attribute added/changed",
            ["composite-added", "composite-element-added-with-default", "composite-removed"]
        ),
    ]

    @Test(arguments: rows.indices)
    func `each rule has its cases`(index: Int) throws {
        let (change, cases) = Self.rows[index]
        #expect(!cases.isEmpty, "\(change)")
        for name in cases {
            let folder = Corpus.package.appending(path: "Fixtures/Cases/\(name)")
            #expect(throws: Never.self) { try MigrationCase.cases(at: folder) }
        }
    }

    private static let specification = Corpus.package.deletingLastPathComponent()
        .appending(path: "shared/spec/MIGRATION_BEHAVIOUR.md")

    @Test(.enabled(if: FileManager.default.fileExists(atPath: specification.path)))
    func `no rule of the table is left out`() throws {
        let text = try String(contentsOf: Self.specification, encoding: .utf8)
        let section = try #require(text.components(separatedBy: "### 1.3 ").last)
        let changes = section.components(separatedBy: "**Recommended").first?
            .split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
            .compactMap { $0.split(separator: "|").first?.trimmingCharacters(in: .whitespaces) }
        #expect(changes == Self.rows.map(\.change))
    }
}
