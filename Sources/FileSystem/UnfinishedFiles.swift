import Diagnostics

/// The drafts, work files and temporary folders of this process that are not finished yet.
///
/// A process that is asked to end removes them all, so that it leaves nothing behind. Those of a process that is killed
/// are removed by the next one.
package enum UnfinishedFiles {
    private struct State {
        var next = 0
        var removals: [Int: @Sendable () -> Void] = [:]
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

    /// Removes all that is not finished; the process must end at once, for those at work on it will fail.
    package static func removeAll() {
        let removals = state.withLock { state in
            defer { state.removals = [:] }
            return state.removals.sorted { $0.key < $1.key }.map(\.value)
        }
        for remove in removals { remove() }
    }
}
