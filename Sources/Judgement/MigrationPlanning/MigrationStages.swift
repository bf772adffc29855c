import ModelHashing
package import ObjectModel

/// A version of a model in a stage: a promise of a model, and the checksum that it must have.
///
/// Named as Apple's `NSManagedObjectModelReference`.
package struct ManagedObjectModelReference: Sendable, Hashable {
    package var name: String
    /// In base64.
    package var versionChecksum: String
    /// The existing version of that name, with any checksum.
    package var found: ModelVersion?

    /// Creates a reference to a version; `versionChecksum` pins it, by default to that of the model.
    package init(_ version: ModelVersion, versionChecksum: String? = nil) {
        name = version.name
        found = version
        self.versionChecksum = versionChecksum ?? version.checksum
    }

    /// Creates a reference to a model; `versionChecksum` pins it, by default to the computed one.
    package init(model: ManagedObjectModel, name: String, versionChecksum: String? = nil) {
        self.init(ModelVersion(name: name, model: model), versionChecksum: versionChecksum)
    }

    package init(unresolvedName name: String, versionChecksum: String = "") {
        (self.name, self.versionChecksum) = (name, versionChecksum)
        found = nil
    }

    package var version: ModelVersion? {
        found.flatMap { $0.checksum == versionChecksum ? $0 : nil }
    }
}

/// Versions connected by lightweight steps, named as Apple's `NSLightweightMigrationStage`.
package struct LightweightMigrationStage: Sendable, Hashable {
    package var label: String?
    package var versions: [ManagedObjectModelReference]

    package init(_ versions: [ManagedObjectModelReference], label: String? = nil) {
        (self.versions, self.label) = (versions, label)
    }
}

/// A lightweight step with work before and after it, named as Apple's `NSCustomMigrationStage`.
package struct CustomMigrationStage: Sendable, Hashable {
    package enum Part: String, Sendable, Hashable, CaseIterable {
        case willMigrate
        /// Instead of inference: value expressions from the current version to the next one.
        case map
        case didMigrate
    }

    package var label: String?
    package var currentModel: ManagedObjectModelReference
    package var nextModel: ManagedObjectModelReference
    package var parts: Set<Part>

    package init(
        migratingFrom currentModel: ManagedObjectModelReference,
        to nextModel: ManagedObjectModelReference,
        label: String? = nil,
        parts: Set<Part> = []
    ) {
        (self.currentModel, self.nextModel, self.label) = (currentModel, nextModel, label)
        self.parts = parts
    }
}

package enum MigrationStage: Sendable, Hashable {
    case lightweight(LightweightMigrationStage)
    case custom(CustomMigrationStage)

    package var versions: [ManagedObjectModelReference] {
        switch self {
        case .lightweight(let stage): stage.versions
        case .custom(let stage): [stage.currentModel, stage.nextModel]
        }
    }

    /// The label for people, by default made up of its versions.
    package var title: String {
        let names = versions.map(\.name)
        switch self {
        case .lightweight(let stage):
            return stage.label ?? "lightweight \(names.joined(separator: ", "))"
        case .custom(let stage): return stage.label ?? "custom \(names.joined(separator: " → "))"
        }
    }
}

/// A list of stages, named as Apple's `NSStagedMigrationManager`.
///
/// A value without a database: it is checked and planned here, and performed by `StoreMigration`.
package struct StagedMigrationManager: Sendable, Hashable {
    package var stages: [MigrationStage]
    /// The versions of the model, to name one that no stage lists.
    package var versions: [ModelVersion] = []

    package init(_ stages: [MigrationStage]) { self.stages = stages }

    /// Returns the list with the relationships that name the join tables of an entity with itself.
    package func namingJoinTables(by names: [String]) -> StagedMigrationManager {
        func named(_ reference: ManagedObjectModelReference) -> ManagedObjectModelReference {
            var copy = reference
            copy.found?.namingRelationships.formUnion(names)
            return copy
        }
        var copy = self
        copy.stages = stages.map { stage in
            switch stage {
            case .lightweight(var stage):
                stage.versions = stage.versions.map(named)
                return .lightweight(stage)
            case .custom(var stage):
                stage.currentModel = named(stage.currentModel)
                stage.nextModel = named(stage.nextModel)
                return .custom(stage)
            }
        }
        return copy
    }

    /// Returns the listed version of a name or a checksum.
    package func version(_ nameOrChecksum: String) -> ModelVersion? {
        let all = stages.flatMap(\.versions)
        let found =
            all.first { $0.name == nameOrChecksum }
            ?? all.first { $0.versionChecksum == nameOrChecksum }
        return found?.version
    }
}

/// Why a route through a list of stages ends before its target.
enum StageDeadEnd: Error {
    case error(StagedPlanError)
    case refused(ModelVersion, ModelVersion)
}

/// A route through a list of stages, or why there is none.
enum StageWay {
    case leads([RouteStep])
    case ends(StageDeadEnd)
}

/// A list of stages with its versions by checksum, and known steps between them.
struct StageWays {
    let steps: StepMemo
    private let stages: [MigrationStage]
    private let listed: [[String]]
    private let versions: [String: ModelVersion]
    private let names: [String: String]
    private let all: [ModelVersion]
    private let places: [String: (first: Int, last: Int)]

    init(_ manager: StagedMigrationManager) {
        (stages, all) = (manager.stages, manager.versions)
        steps = StepMemo()
        listed = stages.map { $0.versions.map(\.versionChecksum) }
        var versions: [String: ModelVersion] = [:]
        var names: [String: String] = [:]
        var places: [String: (first: Int, last: Int)] = [:]
        for (place, stage) in stages.enumerated() {
            for reference in stage.versions {
                let checksum = reference.versionChecksum
                names[checksum] = names[checksum] ?? reference.name
                versions[checksum] = versions[checksum] ?? reference.version
                places[checksum] = (places[checksum]?.first ?? place, place)
            }
        }
        (self.versions, self.names, self.places) = (versions, names, places)
    }

    func way(from checksum: String, to target: String, semantics: StageSemantics) -> StageWay {
        do throws(StageDeadEnd) {
            return .leads(try self.steps(from: checksum, to: target, semantics))
        } catch { return .ends(error) }
    }

    private func steps(
        from checksum: String,
        to target: String,
        _ semantics: StageSemantics
    ) throws(StageDeadEnd) -> [RouteStep] {
        guard let start = places[checksum]?.last else {
            if checksum == target { return [] }
            throw .error(.unknownStoreVersion(checksum: checksum, name: name(of: checksum)))
        }
        guard let end = places[target] else {
            var isAfterCustom = false
            if case .custom? = stages.last { isAfterCustom = true }
            throw .error(
                .unknownTargetVersion(
                    checksum: target,
                    name: name(of: target),
                    isAfterCustom: isAfterCustom
                )
            )
        }
        let (source, destination) = (try resolve(checksum), try resolve(target))
        // The next version of a custom stage may be the current one of the following stage as well.
        guard checksum == target || end.last >= start else {
            throw .error(.backward(from: source.name, to: destination.name))
        }
        var walk = StageWalk(position: source, target: destination, steps: self.steps)
        for (place, stage) in stages.enumerated().dropFirst(start) where !walk.hasArrived {
            switch stage {
            case .lightweight:
                if semantics == .stepwise { try stepThrough(listed[place], in: &walk) }
            case .custom(let stage):
                guard listed[place][1] != checksum else { continue }
                try pass(stage.parts, place, in: &walk)
            }
        }
        try walk.go(to: destination, stage: nil)
        return walk.path
    }

    private func name(of checksum: String) -> String? {
        all.first { $0.checksum == checksum }?.name
    }

    private func resolve(_ checksum: String) throws(StageDeadEnd) -> ModelVersion {
        guard let version = versions[checksum] else {
            throw .error(.unresolvedVersion(name: names[checksum] ?? checksum))
        }
        return version
    }

    private func stepThrough(_ checksums: [String], in walk: inout StageWalk) throws(StageDeadEnd) {
        let passed = checksums.firstIndex(of: walk.position.checksum).map { $0 + 1 } ?? 0
        for checksum in checksums.dropFirst(passed) where !walk.hasArrived {
            try walk.go(to: try resolve(checksum), stage: nil)
        }
    }

    private func pass(
        _ parts: Set<CustomMigrationStage.Part>,
        _ place: Int,
        in walk: inout StageWalk
    ) throws(StageDeadEnd) {
        try walk.go(to: try resolve(listed[place][0]), stage: nil)
        guard !walk.hasArrived else { return }
        let next = try resolve(listed[place][1])
        if parts.contains(.willMigrate) {
            walk.path.append(RouteStep(.willMigrate, at: walk.position, stage: place))
        }
        if parts.contains(.map) {
            walk.map(to: next, stage: place)
        } else {
            try walk.go(to: next, stage: place)
        }
        if parts.contains(.didMigrate) {
            walk.path.append(RouteStep(.didMigrate, at: walk.position, stage: place))
        }
    }
}

private struct StageWalk {
    var position: ModelVersion
    let target: ModelVersion
    let steps: StepMemo
    var path: [RouteStep] = []

    var hasArrived: Bool { position.checksum == target.checksum }

    mutating func go(to version: ModelVersion, stage: Int?) throws(StageDeadEnd) {
        guard version.checksum != position.checksum else { return }
        guard steps.isLegal(position, version) else { throw .refused(position, version) }
        path.append(RouteStep(from: position, to: version, stage: stage))
        position = version
    }

    mutating func map(to version: ModelVersion, stage: Int) {
        path.append(RouteStep(.map, from: position, to: version, stage: stage))
        position = version
    }
}
