import Diagnostics
package import MappingInference
import ModelDiffing
package import ObjectModel

/// The agreed losses between the versions of a model, where every command looks them up.
///
/// A loss is named for the version whose step loses it. A migration over several steps may lose what any of them may,
/// by the names of the version of the store.
package struct LossLedger: Sendable, Hashable {
    package var versions: [ModelVersion] { didSet { names = StepNames() } }
    package var always: LossAgreement
    /// By version.
    package var named: [String: LossAgreement]
    /// The agreed losses of steps back to versions, by version: what the configuration names for them.
    ///
    /// What shipped or was reported for a step into a version does not apply to steps back to it.
    package var namedBack: [String: LossAgreement]
    /// The versions in whose steps custom stages run code that may change rows.
    package var coded: Set<String> = []
    /// The app's own stages file, to which advice on keeping a loss appends; `nil` where there is none.
    package var stagesFile: String?
    /// The folder of the configuration, which a new stages file lies in; `nil` for the current one.
    package var folder: String?
    private var names = StepNames()

    package init(
        versions: [ModelVersion] = [],
        always: LossAgreement = .none,
        named: [String: LossAgreement] = [:],
        namedBack: [String: LossAgreement] = [:]
    ) {
        (self.versions, self.always, self.named) = (versions, always, named)
        self.namedBack = namedBack
    }

    package func agreement(into version: String) -> LossAgreement {
        always.union(named[version] ?? .none)
    }

    package func unnamed(_ losses: [StepLoss], into version: String) -> [StepLoss] {
        let agreement = agreement(into: version)
        return losses.filter { !agreement.covers($0.names) }
    }

    /// Returns the agreed losses of a migration, by the names of the source and of the target.
    ///
    /// A source that is not of the model counts as older than all of it.
    package func agreement(from source: ModelVersion, to target: ModelVersion) -> LossAgreement {
        guard case .named = always, let end = index(of: target) else { return always }
        let start = index(of: source)
        guard let start else {
            return named.values.filter { $0 != .all }.reduce(always) { $0.union($1) }
        }
        guard start < end else { return agreement(from: source, backTo: target) }
        return agreements(from: start, to: target)[0]
    }

    /// The agreed losses of the step back from a newer version: what is named for the target, in the newer names.
    package func agreement(
        from source: ModelVersion,
        backTo target: ModelVersion
    ) -> LossAgreement {
        guard let start = index(of: source), let end = index(of: target), end < start else {
            return always
        }
        return always.union(namedBack[target.name] ?? .none)
    }

    /// Returns the agreed losses of migrations to a version, for each from an index to the target, oldest first.
    package func agreements(from start: Int = 0, to target: ModelVersion) -> [LossAgreement] {
        guard let end = index(of: target), start < end else { return [] }
        guard case .named(let known) = always, named.values.contains(where: { $0 != .none }) else {
            return Array(repeating: always, count: end - start)
        }
        var agreements: [LossAgreement] = []
        // By the names in the present version, and by those in the target.
        var (here, there): (Set<String>, Set<String>) = ([], [])
        var steps: [NamedStep] = []
        for index in (start..<end).reversed() {
            let agreed = named[versions[index + 1].name] ?? .none
            let step = names.step(index, of: versions, agreed)
            let later = step.agreedNames.subtracting(step.takenNames)
            there.formUnion(steps.reversed().reduce(later) { $1.forward($0) })
            here = step.backward(here.union(step.agreedNames)).union(step.agreedNames)
            steps.append(step)
            agreements.append(.named(known.union(here).union(there)))
        }
        return agreements.reversed()
    }

    /// Finds for each loss of a step the first version between whose own step loses it, by its name there, or `nil`.
    package func versions(
        losing losses: [StepLoss],
        from source: ModelVersion,
        to target: ModelVersion
    ) -> [ModelVersion?] {
        owners(of: losses.map(\.names), from: source, to: target).map { $0?.version }
    }

    /// Finds how to agree to a loss in the configuration: the version whose step loses it, and its name there.
    ///
    /// Where no step between loses the same, that is the target; so too past a mapped step, as a mapping model covers
    /// only its own step.
    package func entry(
        agreeingTo name: String,
        _ names: [String],
        from source: ModelVersion,
        to target: ModelVersion,
        isMapped: (ModelVersion, ModelVersion) -> Bool = { _, _ in false }
    ) -> (version: String, name: String) {
        guard !leads(past: isMapped, from: source, to: target),
            let owner = owners(of: [names], from: source, to: target)[0]
        else { return (target.name, name) }
        return (owner.version.name, owner.names.contains(name) ? name : owner.names.min() ?? name)
    }

    /// Whether a mapped step is between two versions.
    private func leads(
        past isMapped: (ModelVersion, ModelVersion) -> Bool,
        from source: ModelVersion,
        to target: ModelVersion
    ) -> Bool {
        guard let start = index(of: source), let end = index(of: target), start + 1 < end else {
            return false
        }
        return zip(versions[start..<end], versions[(start + 1)...end]).contains(where: isMapped)
    }

    /// The first version between whose step loses something of some names, with its names there.
    private func owners(
        of names: [[String]],
        from source: ModelVersion,
        to target: ModelVersion
    ) -> [(version: ModelVersion, names: Set<String>)?] {
        var owners = [(version: ModelVersion, names: Set<String>)?](
            repeating: nil,
            count: names.count
        )
        guard !names.isEmpty, let start = index(of: source), let end = index(of: target),
            start < end
        else { return owners }
        var wanted = names.map { Set($0) }
        for place in start..<end where owners.contains(where: { $0 == nil }) {
            let step = self.names.step(place, of: versions, .all)
            for index in owners.indices where owners[index] == nil {
                let lost = step.agreedNames.intersection(wanted[index])
                if lost.isEmpty {
                    wanted[index] = step.forward(wanted[index])
                } else {
                    owners[index] = (versions[place + 1], lost)
                }
            }
        }
        return owners
    }

    /// The index of a version, by its hashes, or by its name.
    package func index(of version: ModelVersion) -> Int? {
        versions.firstIndex { $0.isSame(as: version) }
            ?? versions.firstIndex { $0.name == version.name }
    }
}

/// The steps between the versions of a ledger, each computed once, as the routes of all older versions share them.
///
/// A class, because copies share it. All are equal: their content follows from the versions.
private final class StepNames: Sendable, Hashable {
    private let steps = Locked<[Int: [LossAgreement: NamedStep]]>([:])

    func step(_ index: Int, of versions: [ModelVersion], _ agreement: LossAgreement) -> NamedStep {
        if let known = steps.withLock({ $0[index]?[agreement] }) { return known }
        let step = NamedStep(from: versions[index], to: versions[index + 1], agreement)
        steps.withLock { $0[index, default: [:]][agreement] = step }
        return step
    }

    static func == (left: StepNames, right: StepNames) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}

/// A step with its agreed losses, and the names of one version in the other.
private struct NamedStep {
    let agreedNames: Set<String>
    /// The names of removed items that another item has in the new version: they mean the removed ones, untranslated.
    let takenNames: Set<String>
    private let newNames: [String: String]
    private let oldNames: [String: String]

    init(from: ModelVersion, to: ModelVersion, _ agreement: LossAgreement) {
        let step = InferredStep.between(from, to)
        let matching = step.matching
        agreedNames = Self.names(of: agreement, step)
        var names: [(old: String, new: String)] = []
        var gone = Set(matching.removedEntities.map(\.name))
        // What is not named is called the same in both versions.
        for pair in matching.entityPairs where !matching.isUntouched(pair) {
            names.append((pair.from.name, pair.to.name))
            let attributes = matching.attributes(of: pair)
            let relationships = matching.relationships(of: pair)
            let properties =
                attributes.pairs.map { ($0.from.property.name, $0.to.property.name) }
                + relationships.pairs.map { ($0.from.property.name, $0.to.property.name) }
            names += properties.map { ("\(pair.from.name).\($0)", "\(pair.to.name).\($1)") }
            let removed =
                attributes.removed.map(\.property.name) + relationships.removed.map(\.property.name)
            gone.formUnion(removed.map { "\(pair.from.name).\($0)" })
        }
        newNames = Dictionary(names.map { ($0.old, $0.new) }, uniquingKeysWith: { one, _ in one })
        takenNames = gone.intersection(names.map(\.new))
        oldNames = Dictionary(
            names.filter { !gone.contains($0.new) }.map { ($0.new, $0.old) },
            uniquingKeysWith: { one, _ in one }
        )
    }

    func forward(_ names: Set<String>) -> Set<String> {
        Set(names.map { translated($0, newNames) })
    }

    func backward(_ names: Set<String>) -> Set<String> {
        Set(names.map { translated($0, oldNames) })
    }

    /// A name in the other version; elements of composites follow their attribute, and other names stay.
    private func translated(_ name: String, _ names: [String: String]) -> String {
        var parts = name.split(separator: ".")
        var rest: [Substring] = []
        while !parts.isEmpty {
            if let found = names[parts.joined(separator: ".")] {
                return ([found[...]] + rest).joined(separator: ".")
            }
            rest.insert(parts.removeLast(), at: 0)
        }
        return name
    }

    private static func names(of agreement: LossAgreement, _ step: InferredStep) -> Set<String> {
        if case .named(let names) = agreement, names.isEmpty { return [] }
        let losses = step.losses.filter { agreement.covers($0.names) }
        var all = Set(losses.flatMap { $0.names + $0.consequences })
        switch agreement {
        case .named(let names): all.formUnion(names)
        case .all: all.formUnion(linksToRemovedObjects(step.matching) + changedTypes(step.matching))
        }
        return all
    }

    /// The attributes with another type, by their old names: a map's result for them is not inferred.
    private static func changedTypes(_ matching: ModelMatching) -> [String] {
        matching.entityPairs.flatMap { pair in
            matching.attributes(of: pair).pairs
                .filter { $0.from.property.type != $0.to.property.type }
                .map { "\(pair.from.name).\($0.from.property.name)" }
        }
    }

    /// The relationships to removed entities, or to entities above these.
    private static func linksToRemovedObjects(_ matching: ModelMatching) -> [String] {
        guard !matching.removedEntities.isEmpty else { return [] }
        let gone = Set(
            matching.removedEntities.flatMap { entity in
                matching.from.lineage(of: entity).map(\.name)
            }
        )
        return matching.from.model.entities.flatMap { entity in
            entity.relationships.filter { gone.contains($0.destinationEntity ?? "") }
                .map { "\(entity.name).\($0.name)" }
        }
    }
}
