import Diagnostics
import MigrationPlanning
import ModelHashing
import ObjectModel
import TestSupport
import Testing

struct DetourTests {
    private static func version(_ name: String, _ entities: Entity...) -> ModelVersion {
        ModelVersion(name: name, model: ManagedObjectModel(entities))
    }

    private static func entity(_ name: String, _ attributes: Attribute...) -> Entity {
        Entity(name, attributes)
    }

    private static func attribute(
        _ name: String,
        _ type: AttributeType = .string,
        was identifier: String? = nil
    ) -> Attribute {
        var attribute = Attribute(name, type)
        attribute.renamingIdentifier = identifier
        return attribute
    }

    private static func expect(_ versions: [ModelVersion], goes stops: [String], drops: [String]) {
        guard
            case .detour(let detour) = VersionGraph(versions: versions)
                .route(from: 0, to: versions.count - 1)
        else {
            Issue.record("no way around")
            return
        }
        #expect(detour.plans.map(\.destination.name) == stops)
        #expect(detour.losses == drops)
        #expect(detour.plans.allSatisfy { $0.isLegal })
    }

    @Test func `what the direct step drops as well does not count`() {
        let versions = [
            Self.version("1", Self.entity("E", Self.attribute("a"), Self.attribute("b"))),
            Self.version("2", Self.entity("E", Self.attribute("x"))),
            Self.version("3", Self.entity("E", Self.attribute("a", .binary))),
        ]
        Self.expect(versions, goes: ["2", "3"], drops: ["E.a"])
    }

    @Test func `an entity counts with all that it has`() {
        let whole = Self.entity("A", Self.attribute("p"), Self.attribute("q"), Self.attribute("r"))
        let versions = [
            Self.version("1", whole, Self.entity("E", Self.attribute("a"), Self.attribute("b"))),
            Self.version("2", Self.entity("E", Self.attribute("b"))),
            Self.version("3", whole, Self.entity("E")),
            Self.version(
                "4",
                whole,
                Self.entity("E", Self.attribute("a", .binary), Self.attribute("b"))
            ),
        ]
        Self.expect(versions, goes: ["3", "4"], drops: ["E.a", "E.b"])
    }

    @Test func `versions with equal hashes are one stop`() {
        let middle = Self.entity("E", Self.attribute("k"))
        let versions = [
            Self.version("1", Self.entity("E", Self.attribute("a"), Self.attribute("k"))),
            Self.version("2", middle), Self.version("2 again", middle),
            Self.version("3", Self.entity("E", Self.attribute("a", .binary), Self.attribute("k"))),
        ]
        Self.expect(versions, goes: ["2 again", "3"], drops: ["E.a"])
        let other = [versions[0], versions[3], versions[3]]
        guard case .none(_, let deadEnds) = VersionGraph(versions: other).route(from: 0, to: 2)
        else {
            Issue.record("a way was found")
            return
        }
        #expect(deadEnds.count == 1)
    }

    /// Every version adds an attribute, and one in the middle changes a type.
    private static let long = {
        let count = 117
        return (0..<count).map { number in
            let added = (0...number).map { Attribute("a\($0)", .string) }
            let key = attribute("key", number < count / 2 ? .string : .binary)
            let others = (0..<8).map { place in
                Entity("Other\(place)", (0..<10).map { Attribute(name: "b\($0)", type: .string) })
            }
            return ModelVersion(
                name: "\(number)",
                model: ManagedObjectModel(others + [Entity(name: "E", attributes: added + [key])])
            )
        }
    }()

    /// The same without the change of type, so that each step can be taken.
    private static let even =
        long.prefix(58)
        + long.dropFirst(58).map { version in
            var model = version.model
            model.entities[8].attributes.removeLast()
            return ModelVersion(name: version.name, model: model)
        }

    @Test func `a bundle of 117 versions without a way around is searched at once`() {
        let versions = Self.long
        guard case .none(_, let deadEnds) = VersionGraph(versions: versions).route(from: 0, to: 116)
        else {
            Issue.record("a way was found")
            return
        }
        #expect(deadEnds.map(\.source.name) == ["57"])
    }

    @Test(arguments: Sweep.part(of: [true, false], every: 2))
    func `stages that list 117 versions are checked and planned at once`(custom: Bool) throws {
        let versions = Array(Self.even)
        let references = versions.map { ManagedObjectModelReference($0) }
        let stages: [MigrationStage] =
            custom
            ? zip(references, references.dropFirst()).map { pair in
                .custom(
                    CustomMigrationStage(migratingFrom: pair.0, to: pair.1, parts: [.didMigrate])
                )
            } : [.lightweight(LightweightMigrationStage(references))]
        let manager = StagedMigrationManager(stages)
        let errors = manager.findings(versions: versions).filter { $0.severity == .error }
        #expect(errors == [])
        let (first, last) = (versions[0].checksum, versions[116].checksum)
        let steps = try manager.plan(from: first, to: last, semantics: .stepwise)
        #expect(steps.count == (custom ? 232 : 116))
    }
}
