import Essentials
package import StoreMigration

/// Does blocking work on a thread of its own; cancelling the task stops work that looks at the cancellation.
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
