import MigrationPlanning
package import ModelChecking
package import ModelLoading
package import ObjectModel

extension ModelBundle {
    /// The versions whose stores an app may meet: older ones, and shipped later ones, which Core Data may migrate back.
    package func versionsInTheField(before end: Int, _ lock: ModelLock?) -> [ModelVersion] {
        versions.enumerated().filter { index, version in
            index < end || (index > end && lock?.version(named: version.name) != nil)
        }.map(\.element)
    }

    package func versionsInTheField(before target: ModelVersion) -> [ModelVersion] {
        let end = versions.firstIndex { $0.isSame(as: target) } ?? versions.count
        return versionsInTheField(before: end, lock()?.following(versions).lock)
    }
}

extension LocatedLock {
    /// The lock of one store of several; that of the main one has the versions that no sources have, too.
    func keeping(_ store: ModelBundle, of bundle: ModelBundle, isMain: Bool) -> LocatedLock {
        let names = Set(store.versions.map(\.name))
        let others = Set(bundle.versions.map(\.name)).subtracting(names)
        var copy = self
        copy.lock.versions.removeAll {
            isMain ? others.contains($0.name) : !names.contains($0.name)
        }
        return copy
    }
}

extension LossLedger {
    /// The ledger of one store of several, between whose versions no step leads.
    func keeping(_ store: ModelBundle) -> LossLedger {
        guard versions.count != store.versions.count else { return self }
        var copy = self
        copy.versions = store.versions
        return copy
    }
}
