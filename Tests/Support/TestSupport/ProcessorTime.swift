import Foundation

/// Returns how long a function keeps this thread's processor busy.
///
/// Unlike a clock, it does not count the time for which a busy machine lets the thread wait. What other threads do for
/// the function is not counted.
public func processorTime(_ body: () throws -> Void) rethrows -> Duration {
    let start = threadTime()
    try body()
    return threadTime() - start
}

private func threadTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
