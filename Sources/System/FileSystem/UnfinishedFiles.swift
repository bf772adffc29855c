import Diagnostics

/// The drafts, work files and temporary folders of this process that are not finished yet.
///
/// A process that is asked to end removes them all, so that it leaves nothing behind. Those of a process that is killed
/// are removed by the next one.
package enum UnfinishedFiles {
    private struct State {
        var next = 0
        var removals: [Int: @Sendable () -> Void] = [:]
        var isPublishing = false
    }

    private static let state = Locked(State())

    /// An entry of the list; it is taken off when the value goes.
    package final class Entry: Sendable {
        private let number: Int

        fileprivate init(_ number: Int) {
            self.number = number
        }

        deinit { _ = UnfinishedFiles.state.withLock { $0.removals.removeValue(forKey: number) } }
    }

    /// Enters something that is not finished.
    ///
    /// - Parameter remove: removes it; is called at most once, by any thread.
    /// - Returns: the entry, to be kept until the thing is finished or removed.
    package static func enter(_ remove: @escaping @Sendable () -> Void) -> Entry {
        let number = state.withLock { state in
            state.next += 1
            state.removals[state.next] = remove
            return state.next
        }
        return Entry(number)
    }

    /// Notes that something is about to get its name: from now on the process is as good as done.
    package static func beginPublishing() { state.withLock { $0.isPublishing = true } }

    /// Removes all that is not finished; the process must end at once, for those at work on it will fail.
    ///
    /// - Parameter always: whether it is removed even though something else has got its name already.
    /// - Returns: whether it was removed.
    package static func removeAll(always: Bool) -> Bool {
        let removals: [@Sendable () -> Void]? = state.withLock { state in
            guard always || !state.isPublishing else { return nil }
            defer { state.removals = [:] }
            // What was made last may lie in a folder that was made before.
            return state.removals.sorted { $0.key > $1.key }.map(\.value)
        }
        for remove in removals ?? [] { remove() }
        return removals != nil
    }
}
