import Diagnostics
import Dispatch
import Essentials

/// Does work on several threads, and hands over each outcome in order, one at a time, when the earlier ones are done.
package func inParallel<Outcome: Sendable>(
    _ count: Int,
    jobs: Int,
    _ work: @escaping @Sendable (Int) -> Outcome,
    handle: @escaping @Sendable (Outcome) -> Void
) {
    let queue = WorkQueue<Outcome>(count: count)
    let help = { @Sendable in
        while let piece = queue.next() { queue.finish(piece, work(piece), handle) }
    }
    let group = DispatchGroup()
    // This thread works too, and alone if there is nothing to share.
    for _ in 1..<max(1, min(jobs, count)) {
        group.enter()
        // As much as the main thread has: models may be deep.
        startThread(stackSize: 8 << 20) {
            help()
            group.leave()
        }
    }
    help()
    group.wait()
}

private final class WorkQueue<Outcome: Sendable>: Sendable {
    private struct State {
        var started = 0
        var reported = 0
        var waiting: [Int: Outcome] = [:]
    }

    private let count: Int
    private let state = Locked(State())

    init(count: Int) { self.count = count }

    func next() -> Int? {
        state.withLock { state in
            guard state.started < count else { return nil }
            state.started += 1
            return state.started - 1
        }
    }

    func finish(_ piece: Int, _ outcome: Outcome, _ report: (Outcome) -> Void) {
        state.withLock { state in
            state.waiting[piece] = outcome
            while let outcome = state.waiting.removeValue(forKey: state.reported) {
                report(outcome)
                state.reported += 1
            }
        }
    }
}
