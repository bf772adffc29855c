import Diagnostics
import MappingInference
import ModelDiffing
import ObjectModel
import TestSupport
import Testing

private let base = ManagedObjectModel(
    [
        Entity(
            "Company",
            [Attribute("title", .string)],
            relationships: [.many("staff", "Person", "employer")]
        ),
        Entity(
            "Person",
            [
                Attribute("count", .integer32),
                Attribute("home", .composite, compositeName: "Address"),
                Attribute("mood", .string, isTransient: true), Attribute("name", .string),
                Attribute("page", .uri),
            ],
            relationships: [.one("employer", "Company", "staff")],
            uniquenessConstraints: [UniquenessConstraint(properties: ["page"])]
        ),
        Entity("Pet", [Attribute("name", .string)]), Entity("Puppy", parentEntity: "Pet"),
    ],
    composites: [CompositeType("Address", [Attribute("town", .string)])]
)

private struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var verdict: Verdict
    var before: @Sendable (inout ManagedObjectModel) -> Void
    var after: @Sendable (inout ManagedObjectModel) -> Void

    init(
        _ name: String,
        _ verdict: Verdict,
        before: @escaping @Sendable (inout ManagedObjectModel) -> Void = { _ in },
        _ after: @escaping @Sendable (inout ManagedObjectModel) -> Void
    ) {
        testDescription = name
        self.verdict = verdict
        self.before = before
        self.after = after
    }

    static func attribute(
        _ name: String,
        _ verdict: Verdict,
        _ index: Int = 0,
        before: @escaping @Sendable (inout Attribute) -> Void = { _ in },
        _ after: @escaping @Sendable (inout Attribute) -> Void
    ) -> Row {
        Row(
            name,
            verdict,
            before: { before(&$0.entities[1].attributes[index]) },
            {
                before(&$0.entities[1].attributes[index])
                after(&$0.entities[1].attributes[index])
            }
        )
    }

    static func type(_ from: AttributeType, _ to: AttributeType, _ verdict: Verdict) -> Row {
        .attribute("\(from) to \(to)", verdict, before: { $0.type = from }, { $0.type = to })
    }

    static func added(_ name: String, _ verdict: Verdict, _ attribute: Attribute) -> Row {
        Row(name, verdict) { $0.entities[1].attributes.append(attribute) }
    }

    static func added(_ name: String, _ verdict: Verdict, _ relationship: Relationship) -> Row {
        Row(name, verdict) { $0.entities[1].relationships.append(relationship) }
    }

    static func links(
        _ name: String,
        _ verdict: Verdict,
        before: @escaping @Sendable (inout Relationship, inout Relationship) -> Void = { _, _ in },
        _ after: @escaping @Sendable (inout Relationship, inout Relationship) -> Void
    ) -> Row {
        Row(
            name,
            verdict,
            before: { edit(&$0, before) },
            {
                edit(&$0, before)
                edit(&$0, after)
            }
        )
    }

    var models: (from: ManagedObjectModel, to: ManagedObjectModel) {
        var (from, to) = (base, base)
        before(&from)
        after(&to)
        return (from, to)
    }
}

private func edit(
    _ model: inout ManagedObjectModel,
    _ links: (inout Relationship, inout Relationship) -> Void
) {
    var (staff, employer) = (model.entities[0].relationships[0], model.entities[1].relationships[0])
    links(&staff, &employer)
    model.entities[0].relationships[0] = staff
    model.entities[1].relationships[0] = employer
}

private let entityRows: [Row] = [
    Row("remove entity", .losesData) { $0.entities.removeLast() },
    Row(
        "move attribute up",
        .lightweight,
        before: { model in
            model.entities[3].attributes = [Attribute("toy", .string)]
        }
    ) { $0.entities[2].attributes.append(Attribute("toy", .string)) },
    Row("new parent", .lightweight) {
        $0.entities.append(Entity("Being"))
        $0.entities[2].parentEntity = "Being"
    },
    Row("new child", .lightweight) {
        $0.entities.append(Entity("Kitten", parentEntity: "Pet"))
    },
    Row("common parent for two roots", .impossible) {
        $0.entities.append(Entity("Being"))
        $0.entities[1].parentEntity = "Being"
        $0.entities[2].parentEntity = "Being"
    },
    Row("root below another root", .impossible) { $0.entities[1].parentEntity = "Pet" },
    Row("split hierarchy", .losesData) { $0.entities[3].parentEntity = nil },
    Row(
        "abstract entity removed",
        .lightweight,
        before: { $0.entities.append(Entity("Being", isAbstract: true)) }
    ) { _ in },
    Row(
        "abstract parent removed with what its sub-entity inherits",
        .losesData,
        before: { $0.entities[2].isAbstract = true }
    ) {
        $0.entities[3].parentEntity = nil
        $0.entities.remove(at: 2)
    },
    Row("concrete to abstract", .dependsOnRows) { $0.entities[2].isAbstract = true },
    Row("abstract to concrete", .lightweight, before: { $0.entities[2].isAbstract = true }) { _ in
    },
    Row("add uniqueness constraint", .dependsOnRows) {
        $0.entities[2].uniquenessConstraints = [UniquenessConstraint(properties: ["name"])]
    },
    Row("two claimants", .needsCustomStage) {
        $0.entities[1].attributes.append(Attribute("other", .string, renamingIdentifier: "name"))
    },
]

private let attributeRows: [Row] = [
    .added(
        "add mandatory without default",
        .dependsOnRows,
        Attribute("a", .date, isOptional: false)
    ),
    Row("add composite with a mandatory element", .dependsOnRows) {
        $0.composites.append(CompositeType("Span", [Attribute("end", .date, isOptional: false)]))
        $0.entities[1].attributes.append(
            Attribute("a", .composite, isOptional: false, compositeName: "Span")
        )
    },
    Row(
        "add mandatory above a concrete entity",
        .dependsOnRows,
        before: { $0.entities[2].isAbstract = true }
    ) {
        $0.entities[2].isAbstract = true
        $0.entities[2].attributes.append(Attribute("a", .date, isOptional: false))
    },
    Row("remove attribute", .losesData) { $0.entities[1].attributes.removeFirst() },
    .attribute("optional to mandatory without default", .dependsOnRows) { $0.isOptional = false },
    .attribute("persistent to transient", .losesData) { $0.isTransient = true },
    Row("element type", .needsCustomStage) { $0.composites[0].attributes[0].type = .binary },
    Row("remove element", .losesData) { $0.composites[0].attributes = [] },
    .type(.integer64, .integer32, .dependsOnRows),
    .type(.double, .integer16, .dependsOnRows),
    .type(.integer32, .boolean, .dependsOnRows),
]

private let relationshipRows: [Row] = [
    .added(
        "add mandatory to-one",
        .dependsOnRows,
        Relationship.one("r", "Pet", isOptional: false)
    ),
    Row("remove relationship", .losesData) { $0.entities[1].relationships = [] },
    .links("to-many to to-one", .losesData) { staff, _ in
        (staff.isToMany, staff.maxCount) = (false, 1)
    },
    .links("ordered to unordered", .losesData, before: { staff, _ in staff.isOrdered = true }) {
        staff,
        _ in
        staff.isOrdered = false
    },
    .links(
        "ordered one-to-many to many-to-many",
        .losesData,
        before: { staff, _ in staff.isOrdered = true }
    ) { _, employer in
        (employer.isToMany, employer.maxCount) = (true, nil)
    },
    .links("destination", .losesData) { _, employer in employer.destinationEntity = "Pet" },
    .links(
        "mandatory destination",
        .needsCustomStage,
        before: { _, employer in employer.isOptional = false }
    ) { _, employer in
        employer.destinationEntity = "Pet"
    },
    Row(
        "destination becomes its parent",
        .lightweightThoughUndocumented,
        before: {
            $0.entities[1].relationships[0].destinationEntity = "Puppy"
        }
    ) { $0.entities[1].relationships[0].destinationEntity = "Pet" },
    Row(
        "destination becomes its sub-entity",
        .losesData,
        before: {
            $0.entities[1].relationships[0].destinationEntity = "Pet"
        }
    ) { $0.entities[1].relationships[0].destinationEntity = "Puppy" },
    .links("to-one becomes mandatory", .dependsOnRows) { _, employer in
        employer.isOptional = false
    },
]

struct RuleTableTests {
    @Test(arguments: entityRows + attributeRows + relationshipRows)
    private func `each change has the verdict of the rule table`(_ row: Row) {
        let (from, to) = row.models
        let mapping = inferMapping(from: from, to: to)
        #expect(mapping.verdict == row.verdict)
        #expect(mapping.isInferable == row.verdict.isInferable)
        #expect(!mapping.judgements.isEmpty)
        // What only the rows decide has a query to count them by, unless rows are lost anyway.
        if row.verdict == .dependsOnRows {
            #expect(!mapping.risks.isEmpty)
            #expect(mapping.judgements.contains { $0.verdict == .dependsOnRows })
        }
        if row.verdict == .losesData { #expect(!mapping.losses.isEmpty) }
        if row.verdict <= .lightweight { #expect(mapping.risks.isEmpty) }
    }

    @Test func `an index needs a hash modifier only where its entity would not migrate`() {
        var to = base
        to.entities[2].fetchIndexes = [FetchIndex(name: "byName")]
        let alone = inferMapping(from: base, to: to).judgements
        #expect(alone.map(\.rule) == ["fetch-index-changed"])
        #expect(alone.allSatisfy { $0.cure != nil })
        // Another entity that migrates is no promise for this one.
        to.entities[1].attributes.append(Attribute("new", .string))
        let others = inferMapping(from: base, to: to).judgements
        #expect(others.filter { $0.rule == "fetch-index-changed" }.allSatisfy { $0.cure != nil })
        to.entities[2].attributes.append(Attribute("new", .string))
        let moved = inferMapping(from: base, to: to).judgements
        #expect(moved.contains { $0.rule == "fetch-index-changed" })
        #expect(moved.allSatisfy { $0.cure == nil && $0.verdict <= .lightweight })
    }
}
