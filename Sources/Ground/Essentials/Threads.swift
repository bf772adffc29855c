/// Starts a thread of its own that ends with the function that it calls.
///
/// - Parameters:
///   - stackSize: how much the function may have on its stack, in bytes, as far as the system has it.
///   - body: the function.
package func startThread(stackSize: Int, _ body: @escaping @Sendable () -> Void) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, stackSize)
    let work = Unmanaged.passRetained(ThreadWork(body))
    #if canImport(Darwin)
        var thread: pthread_t?
        let status = pthread_create(&thread, &attributes, { runThread($0) }, work.toOpaque())
    #else
        var thread = pthread_t()
        let status = pthread_create(&thread, &attributes, runThread, work.toOpaque())
    #endif
    // A system that gives no thread leaves the work to this one.
    if status != 0 { work.takeRetainedValue().body() }
}

private final class ThreadWork: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }
}

private func runThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let argument { Unmanaged<ThreadWork>.fromOpaque(argument).takeRetainedValue().body() }
    return nil
}
