import Essentials
package import StoreMigration

/// Does blocking work on a thread of its own; cancelling the task stops the work.
///
/// - Parameters:
///   - cancellation: what is told when the task is cancelled.
///   - work: the work, which looks at the cancellation now and then.
/// - Returns: what the work gives.
/// - Throws: what the work throws.
package func inBackground<Value: Sendable>(
    cancelling cancellation: MigrationCancellation = MigrationCancellation(),
    _ work: @escaping @Sendable (MigrationCancellation) throws(MomtoolError) -> Value
) async throws(MomtoolError) -> Value {
    let result: Result<Value, MomtoolError> = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
            // As much as the main thread has: models may be deep.
            startThread(stackSize: 8 << 20) {
                continuation.resume(
                    returning: Result { () throws(MomtoolError) in
                        let value = try work(cancellation)
                        return value
                    }
                )
            }
        }
    } onCancel: {
        cancellation.cancel()
    }
    return try result.get()
}
