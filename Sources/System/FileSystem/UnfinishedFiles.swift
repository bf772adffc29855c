import Diagnostics
import Essentials

/// The unfinished drafts, work files and temporary folders of this process.
///
/// A process that is asked to end removes them all, so that it leaves nothing. Those of a killed process are removed by
/// the next one.
package enum UnfinishedFiles {
    private struct State {
        var next = 0
        var removals: [Int: @Sendable () -> Void] = [:]
        var isPublishing = false
        /// Whether all is being removed because the process ends.
        var isEnding = false
    }

    private static let state = Locked(State())

    /// An entry of the list, which ends with the value.
    package final class Entry: Sendable {
        private let number: Int

        fileprivate init(_ number: Int) { self.number = number }

        deinit { _ = UnfinishedFiles.state.withLock { $0.removals.removeValue(forKey: number) } }
    }

    /// Enters something unfinished; the entry must be kept until it is finished or removed.
    ///
    /// `remove` is called at most once, by any thread.
    package static func enter(_ remove: @escaping @Sendable () -> Void) -> Entry {
        enter(making: { 0 }, removing: remove).entry
    }

    /// Makes and enters something unfinished, so that it is removed if it exists, or not made at all.
    ///
    /// `make` is one system call, whose result is returned with `errno` and the entry, which must be kept until the item is
    /// finished or removed. `remove` is called at most once, by any thread.
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
    /// Does not return where the process is ending and removing what would get its name.
    package static func beginPublishing() {
        let isEnding = state.withLock { state in
            if !state.isEnding { state.isPublishing = true }
            return state.isEnding
        }
        if isEnding { waitForEnd() }
    }

    /// Continues, unless the process is ending: then nothing more may be created.
    package static func passUnlessEnding() { if state.withLock({ $0.isEnding }) { waitForEnd() } }

    private static func waitForEnd() -> Never { while true { pause() } }

    /// Removes everything unfinished and tells whether it did; the process must end at once, as other threads wait.
    ///
    /// `always` removes it even if something else already has its name.
    package static func removeAll(always: Bool) -> Bool {
        let removals: [@Sendable () -> Void]? = state.withLock { state in
            guard always || !state.isPublishing else { return nil }
            state.isEnding = true
            defer { state.removals = [:] }
            // The newest may be in a folder that was made before.
            return state.removals.sorted { $0.key > $1.key }.map(\.value)
        }
        for remove in removals ?? [] { remove() }
        return removals != nil
    }
}
