package import ModelChecking
import ModelHashing
package import ModelLoading
package import ObjectModel

extension ModelBundle {
    /// The versions whose stores an app with a version may meet: those before it, and those behind it that shipped.
    ///
    /// Core Data knows no order: it takes stores of a version behind the current one back, if it can.
    ///
    /// - Parameters:
    ///   - end: the index of the version.
    ///   - lock: the lock of the versions, if there is one.
    /// - Returns: the versions, in their order.
    package func versionsInTheField(before end: Int, _ lock: ModelLock?) -> [ModelVersion] {
        versions.enumerated().filter { index, version in
            index < end || (index > end && lock?.version(named: version.name) != nil)
        }.map(\.element)
    }

    /// The versions whose stores an app with a version may meet, by the lock beside the model.
    package func versionsInTheField(before target: ModelVersion) -> [ModelVersion] {
        let end = versions.firstIndex { $0.isSame(as: target) } ?? versions.count
        return versionsInTheField(before: end, lock()?.following(versions).lock)
    }
}
