import Diagnostics
import MappingInference
import MigrationPlanning
import ModelLanguage
import ObjectModel
import TestSupport
import Testing

enum TestStage: Sendable {
    case light([Int])
    case custom(Int, Int)
}

struct StageTests {
    /// Four versions of which V1→V3 and V1→V4 cannot be inferred: `value` is a string, gone, and then data.
    static let versions: [ModelVersion] = [
        version("1", .string), version("2", nil), version("3", .binary),
        version("4", .binary, extra: true),
    ]

    private static func version(
        _ name: String,
        _ type: AttributeType?,
        extra: Bool = false
    ) -> ModelVersion {
        var attributes = [Attribute("name", .string)]
        if let type { attributes.append(Attribute("value", type)) }
        if extra { attributes.append(Attribute("extra", .integer64)) }
        let entity = Entity("Person", attributes)
        return ModelVersion(name: name, model: ManagedObjectModel([entity]))
    }

    static func reference(_ number: Int) -> ManagedObjectModelReference {
        guard versions.indices.contains(number - 1) else {
            return ManagedObjectModelReference(unresolvedName: "\(number)", versionChecksum: "?")
        }
        let version = versions[number - 1]
        return ManagedObjectModelReference(model: version.model, name: version.name)
    }

    static func manager(
        _ stages: [TestStage],
        parts: Set<CustomMigrationStage.Part> = [.willMigrate]
    ) -> StagedMigrationManager {
        StagedMigrationManager(
            stages.map { stage in
                switch stage {
                case .light(let numbers):
                    .lightweight(LightweightMigrationStage(numbers.map(reference)))
                case .custom(let from, let to):
                    .custom(
                        CustomMigrationStage(
                            migratingFrom: reference(from),
                            to: reference(to),
                            parts: parts
                        )
                    )
                }
            }
        )
    }

    /// Plans a route and returns it in words, or the number of the error.
    static func way(
        _ stages: [TestStage],
        _ from: Int,
        _ to: Int,
        _ semantics: StageSemantics = .apple
    ) -> String {
        do throws(StagedPlanError) {
            let steps = try manager(stages).plan(
                from: reference(from).versionChecksum,
                to: reference(to).versionChecksum,
                semantics: semantics
            )
            return steps.map { step in
                switch step.kind {
                case .lightweight, .map: step.destination.name
                case .willMigrate: "will"
                case .didMigrate: "did"
                }
            }.joined(separator: " ")
        } catch {
            return "\(error.code.number)"
        }
    }

    /// The combinations of MigrationBehaviour, "Staged migration", with Core Data's result.
    static let combinations: [(stages: [TestStage], target: Int, apple: String, stepwise: String)] =
        [
            ([.light([1, 2, 3])], 3, "134140", "2 3"),
            ([.light([1]), .light([2]), .light([3])], 3, "134140", "2 3"),
            ([.custom(1, 2), .light([3])], 3, "will 2 3", "will 2 3"),
            ([.light([1]), .custom(2, 3)], 3, "2 will 3", "2 will 3"),
            ([.custom(1, 2), .custom(2, 3)], 3, "will 2 will 3", "will 2 will 3"),
            ([.custom(1, 2), .light([3, 4])], 4, "will 2 4", "will 2 3 4"),
            ([.light([1]), .custom(2, 3), .light([4])], 4, "2 will 3 4", "2 will 3 4"),
            ([.light([1, 4]), .custom(2, 3)], 4, "2 will 3 4", "134140"),
            ([.light([3, 4]), .custom(1, 2)], 4, "134506", "134506"),
            ([.light([1, 2]), .light([3, 4])], 4, "134140", "2 3 4"),
            ([.custom(2, 3), .light([1, 4])], 4, "134140", "134140"),
        ]

    @Test(arguments: combinations.indices)
    func `the recorded combinations end as Core Data ends them`(index: Int) {
        let item = Self.combinations[index]
        #expect(Self.way(item.stages, 1, item.target) == item.apple)
        #expect(Self.way(item.stages, 1, item.target, .stepwise) == item.stepwise)
    }

    @Test func `the versions of the table have the steps that the record says`() {
        func isLegal(_ from: Int, _ to: Int) -> Bool {
            MigrationPlan(from: Self.versions[from - 1], to: Self.versions[to - 1]).isLegal
        }
        #expect(!isLegal(1, 3) && !isLegal(1, 4))
        #expect(isLegal(1, 2) && isLegal(2, 3) && isLegal(3, 4) && isLegal(2, 4))
    }

    @Test func `a store that no stage lists is refused, and so is a target`() {
        #expect(Self.way([.light([2, 3])], 1, 3) == "134504")
        #expect(Self.way([.light([1, 2])], 1, 4) == "134504")
        #expect(Self.way([.light([1, 9])], 9, 1) == "134504")
    }

    @Test func `a store in the middle goes on from there`() {
        #expect(Self.way([.custom(1, 2), .custom(2, 3)], 2, 3) == "will 3")
        #expect(Self.way([.custom(1, 2), .custom(2, 3)], 1, 2) == "will 2")
        #expect(Self.way([.custom(1, 2), .light([3, 4])], 2, 4) == "4")
        #expect(Self.way([.light([1, 2])], 2, 2) == "")
        #expect(Self.way([.light([1, 2])], 4, 4) == "")
    }

    /// Stages with the rules that are broken, each with what Core Data does about it.
    typealias Fault = (
        stages: [TestStage], findings: [String], parts: Set<CustomMigrationStage.Part>
    )

    static let faults: [Fault] = [
        ([.custom(1, 2), .custom(2, 3), .light([4])], [], [.willMigrate]),
        ([.light([1, 9]), .light([2, 3, 4])], ["unknown-stage-version: 134504"], [.willMigrate]),
        (
            [.light([1, 2]), .light([2, 3, 4])],
            ["duplicate-stage-checksum: exception across stages"], [.willMigrate]
        ),
        ([.light([1, 1, 2, 3, 4])], ["duplicate-stage-checksum: exception"], [.willMigrate]),
        (
            [.custom(1, 1), .light([2, 3, 4])], ["duplicate-stage-checksum: exception"],
            [.willMigrate]
        ),
        (
            [.custom(1, 2), .light([2, 3, 4])],
            ["duplicate-stage-checksum: exception across stages"], [.willMigrate]
        ),
        (
            [.custom(2, 3), .custom(2, 4), .light([1])],
            [
                "stage-branch: exception across stages", "backward-stage: 134506",
                "backward-stage: 134506",
            ],
            [.willMigrate]
        ),
        (
            [.light([1]), .light([3, 4])], ["stage-gap: 134140", "unlisted-version: 134504"],
            [.willMigrate]
        ),
        ([.light([3, 4]), .custom(1, 2)], ["backward-stage: 134506"], [.willMigrate]),
        (
            [.light([4, 3]), .light([1, 2])],
            ["backward-stage: -", "backward-stage: 134506"],
            [.willMigrate]
        ),
        (
            [.light([1, 3, 4])], ["stage-not-lightweight: 134140", "unlisted-version: 134504"],
            [.willMigrate]
        ),
        (
            [.custom(1, 3), .light([4])],
            ["stage-not-lightweight: 134140", "unlisted-version: 134504"], [.willMigrate]
        ),
        (
            [.custom(1, 2), .custom(2, 3), .light([4])],
            ["needless-custom-stage: -", "needless-custom-stage: -"], []
        ),
        (
            [.custom(1, 3), .light([4])],
            ["map-beyond-core-data: 134140", "unlisted-version: 134504"], [.map]
        ),
        (
            [.custom(1, 2), .custom(2, 3), .light([4])],
            ["map-beyond-core-data: -", "map-beyond-core-data: -"], [.map]
        ),
        ([.light([1, 2, 3, 4])], ["collapsed-stages: 134140"], [.willMigrate]),
    ]

    /// The rule, and what Core Data does, which ends the message.
    private static func words(_ finding: Diagnostic) -> String {
        let outcomes = [
            "across stages detected.)":
                "exception across stages",
            "checksums detected)": "exception",
            "run time)": "-",
        ]
        let known = outcomes.first { finding.message.hasSuffix($0.key) }?.value
        let code = finding.message.firstMatch(of: /\((1345\d\d|134140) NS\w+Error\)$/)?.output.1
        return "\(finding.rule.rawValue): \(known ?? code.map(String.init) ?? finding.message)"
    }

    @Test(arguments: faults.indices)
    func `a list is checked before anything is touched`(index: Int) {
        let fault = Self.faults[index]
        let found = Self.manager(fault.stages, parts: fault.parts).findings(versions: Self.versions)
        #expect(found.map(Self.words) == fault.findings, "\(found.map(\.description))")
    }

    @Test func `a store without a checksum is a finding too`() {
        #expect(Self.words(Diagnostic.storeWithoutChecksum) == "store-without-checksum: 134505")
        let codes: [CoreDataErrorCode] = [
            .managedObjectModelReferenceNotFound, .stagedMigrationFrameworkVersionMismatch,
            .stagedMigrationBackward,
        ]
        #expect(codes.map(\.number) == [134504, 134505, 134506])
    }

    @Test(arguments: [
        ("$source.value", ["Person.value"]), ("$source.name", []),
        ("TERNARY(value == 'x', 'a', 'b')", ["Person.value"]),
        ("lowercase:($source.value)", ["Person.value"]),
    ])
    func `what a map reads and its step drops is known`(text: String, dropped: [String]) throws {
        let value = try PredicateExpression(parsing: text)
        let map = StageMap(entities: [
            StageMap.EntityMap(source: "Person", destination: "Person", values: ["name": value])
        ])
        #expect(map.dropped(from: Self.versions[0], to: Self.versions[1]) == dropped)
    }

    @Test(
        arguments: [
            (
                [.light([1, 2])], 4,
                StagedPlanError.unknownTargetVersion(checksum: "4", name: "4", isAfterCustom: false)
            ),
            (
                [.custom(1, 2)], 4,
                .unknownTargetVersion(checksum: "4", name: "4", isAfterCustom: true)
            ),
            ([.light([2, 4])], 4, .unknownStoreVersion(checksum: "1", name: "1")),
        ] as [([TestStage], Int, StagedPlanError)]
    )
    func `a version that no stage lists has its name`(
        stages: [TestStage],
        target: Int,
        expected: StagedPlanError
    ) throws {
        var manager = Self.manager(stages)
        manager.versions = Self.versions
        let (start, end) = (Self.reference(1), Self.reference(target))
        let error = #expect(throws: StagedPlanError.self) {
            try manager.plan(
                from: start.versionChecksum,
                to: end.versionChecksum,
                semantics: .apple
            )
        }
        let text = "\(try #require(error))"
        // Only the name is printed.
        #expect(text == expected.description, "\(text)")
    }

    @Test func `a checksum that went stale is found`() {
        let model = Self.versions[0].model
        let stale = ManagedObjectModelReference(model: model, name: "1", versionChecksum: "old")
        let list = StagedMigrationManager([.lightweight(LightweightMigrationStage([stale]))])
        #expect(list.findings().map(Self.words) == ["stale-stage-checksum: 134504"])
    }
}
