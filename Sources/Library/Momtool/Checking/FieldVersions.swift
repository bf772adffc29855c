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
