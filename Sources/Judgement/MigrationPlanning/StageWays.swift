import ModelHashing
import ObjectModel

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
        var walk = StageWalk(at: source, target: destination, steps: self.steps)
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

    init(at position: ModelVersion, target: ModelVersion, steps: StepMemo) {
        self.position = position
        self.target = target
        self.steps = steps
    }

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
