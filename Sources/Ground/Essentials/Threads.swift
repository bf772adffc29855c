/// Calls a function on a new detached thread, or on this one if the system gives none; `stackSize` is in bytes.
package func startThread(stackSize: Int, _ body: @escaping @Sendable () -> Void) {
    if !hasStartedThread(stackSize: stackSize, body) { body() }
}

/// Calls a function on a new detached thread, and tells whether the system gave one; otherwise it is not called.
///
/// Foundation's threads fail to start silently. `stackSize` is in bytes.
package func hasStartedThread(stackSize: Int, _ body: @escaping @Sendable () -> Void) -> Bool {
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else { return false }
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    guard pthread_attr_setstacksize(&attributes, stackSize) == 0 else { return false }
    let surroundings = Surroundings.current
    let work = Unmanaged.passRetained(
        ThreadWork { Surroundings.$current.withValue(surroundings, operation: body) }
    )
    #if canImport(Darwin)
        var thread: pthread_t?
        let status = pthread_create(&thread, &attributes, { runThread($0) }, work.toOpaque())
    #else
        var thread = pthread_t()
        let status = pthread_create(&thread, &attributes, runThread, work.toOpaque())
    #endif
    if status != 0 { work.release() }
    return status == 0
}

private final class ThreadWork: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private func runThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let argument { Unmanaged<ThreadWork>.fromOpaque(argument).takeRetainedValue().body() }
    return nil
}
