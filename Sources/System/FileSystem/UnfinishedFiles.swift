import Diagnostics
import Essentials

/// The drafts, work files and temporary folders of this process that are not finished yet.
///
/// A process that is asked to end removes them all, so that it leaves nothing behind. Those of a process that is killed
/// are removed by the next one.
package enum UnfinishedFiles {
    private struct State {
        var next = 0
        var removals: [Int: @Sendable () -> Void] = [:]
        var isPublishing = false
        /// Whether all is being removed because the process ends.
        var isEnding = false
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
        enter(making: { 0 }, removing: remove).entry
    }

    /// Makes something that is not finished, and enters it: it is removed when it is there, or not made at all.
    ///
    /// - Parameters:
    ///   - make: makes it by one call of the system, whose result it returns.
    ///   - remove: removes it; is called at most once, by any thread.
    /// - Returns: the entry, to be kept until the thing is finished or removed, what the call returned, and `errno`.
    package static func enter(
        making make: () -> Int32,
        removing remove: @escaping @Sendable () -> Void
    ) -> (entry: Entry, result: Int32, code: Int32) {
        let made: (number: Int, result: Int32, code: Int32)? = state.withLock { state in
            guard !state.isEnding else { return nil }
            state.next += 1
            state.removals[state.next] = remove
            let result = make()
            return (state.next, result, errno)
        }
        guard let made else { waitForEnd() }
        return (Entry(made.number), made.result, made.code)
    }

    /// Notes that something is about to get its name: from now on the process is as good as done.
    ///
    /// Does not return where the process has begun to end and to remove what would get its name.
    package static func beginPublishing() {
        let isEnding = state.withLock { state in
            if !state.isEnding { state.isPublishing = true }
            return state.isEnding
        }
        if isEnding { waitForEnd() }
    }

    /// Goes on, unless the process ends: then nothing more may be made.
    package static func passUnlessEnding() {
        if state.withLock({ $0.isEnding }) { waitForEnd() }
    }

    /// Waits until another thread has ended the process.
    private static func waitForEnd() -> Never {
        while true { pause() }
    }

    /// Removes all that is not finished; the process must end at once, for those at work on it wait for that.
    ///
    /// - Parameter always: whether it is removed even though something else has got its name already.
    /// - Returns: whether it was removed.
    package static func removeAll(always: Bool) -> Bool {
        let removals: [@Sendable () -> Void]? = state.withLock { state in
            guard always || !state.isPublishing else { return nil }
            state.isEnding = true
            defer { state.removals = [:] }
            // What was made last may lie in a folder that was made before.
            return state.removals.sorted { $0.key > $1.key }.map(\.value)
        }
        for remove in removals ?? [] { remove() }
        return removals != nil
    }
}
