import Essentials
import StoreMigration

/// Does blocking work of the library on a thread of its own; cancelling the task stops it.
///
/// ```swift
/// let losses = try await inBackground { try migrator.losses(of: store) }
/// ```
///
/// Stopped work leaves stores and files as they were, and throws an error of the kind `cancelled`. Handlers of progress
/// are called on that thread.
public func inBackground<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
) async throws(Failure) -> Value {
    let cancellation = MigrationCancellation()
    let result: Result<Value, Failure> = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
            // As much as the main thread has: models may be deep.
            startThread(stackSize: 8 << 20) {
                continuation.resume(
                    returning: MigrationCancellation.$current.withValue(cancellation) {
                        Result(catching: work)
                    }
                )
            }
        }
    } onCancel: {
        cancellation.cancel()
    }
    return try result.get()
}
