import MappingInference
package import MigrationPlanning
import ModelDiffing
import ModelHashing
package import ObjectModel

/// The sources of a revision, by which edits of locked versions are judged: a lock holds hashes and no model.
package struct EarlierSources {
    package var versions: [ModelVersion]
    package var losses: LossLedger
    /// Whether a release has a version of a name, which then cannot be unlocked; asked where that matters.
    let isReleased: (String) -> Bool

    /// Takes the versions of a revision; without any, only the lock is known.
    package init(
        _ versions: [ModelVersion] = [],
        losses: LossLedger = LossLedger(),
        isReleased: @escaping (String) -> Bool = { _ in false }
    ) { (self.versions, self.losses, self.isReleased) = (versions, losses, isReleased) }
}

/// The effect of edits of a locked version on its stores, where the sources of a revision agree with the lock.
struct EarlierJudgement {
    enum Effect {
        /// No unnamed loss or requirement for rows.
        case harmless
        /// These unnamed losses or requirements for rows, which may be agreed to.
        case loss([String])
        /// The sources of the revision already have it, so they do not show its effect.
        case old
        /// No lightweight step makes it, or the sources of the revision are not what was locked.
        case open
    }

    private let locked: ModelLock.Version
    private let earlier: [(version: ModelVersion, judgements: [Judgement])]
    private let agreement: LossAgreement
    private let hashes: ModelHashes
    private let newNames: [String: String]

    init(_ sources: EarlierSources, of locked: ModelLock.Version, now version: ModelVersion) {
        self.locked = locked
        hashes = version.hashes
        agreement = sources.losses.agreement(into: version.name)
        earlier = sources.versions.map { ($0, inferMapping(from: $0, to: version).judgements) }
        newNames = Dictionary(
            firstOf: version.model.entities.compactMap { entity in
                entity.renamingIdentifier.map { ($0, entity.name) }
            }
        )
    }

    /// The effect of an edit of an element, by its new and perhaps its old name; `open` where it is unknown.
    func effect(of elements: [String], in entity: String) -> Effect {
        let hash = locked.entities.first { $0.name == entity }?.hash
        guard let hash else { return .open }
        guard let known = earlier.first(where: { $0.version.hashes.entities[entity] == hash })
        else {
            guard let new = hashes.entities[entity] else { return .open }
            return earlier.contains { $0.version.hashes.entities[entity] == new } ? .old : .open
        }
        let all = known.judgements.filter { $0.verdict > .noEffectOnHash }
        let own = all.filter { $0.change.subject.path.map(elements.contains) == true }
        // A finding about an entity is judged by all of its properties.
        let names = [entity, newNames[entity]].compactMap(\.self)
        let edits =
            own.isEmpty ? all.filter { edit in names.contains { edit.isPart(of: $0) } } : own
        guard !edits.isEmpty, edits.allSatisfy({ $0.verdict <= .losesData }) else { return .open }
        let losses = edits.filter { $0.verdict >= .dependsOnRows || $0.isHeldByCloudKit }
            .compactMap(\.change.subject.path).filter { !agreement.covers([$0]) }
        return losses.isEmpty ? .harmless : .loss(losses)
    }
}

extension Judgement {
    /// Whether CloudKit does not accept the edit, so that devices no longer share the element.
    fileprivate var isHeldByCloudKit: Bool {
        switch cloudKit?.verdict {
        case .refused, .unsupported: true
        case .noTrace, .accepted, .unknown, nil: false
        }
    }

    fileprivate func isPart(of entity: String) -> Bool {
        change.subject.path == entity || change.subject.path?.hasPrefix(entity + ".") == true
    }
}
