public import Diagnostics
import Essentials
import ModelChecking
import StoreMigration

extension Linter {
    /// Creates a linter that uses the nearest `.momtool.yml` and the lock beside each model.
    public init() { self.init(swift: SwiftSettings()) }

    /// Checks a model.
    ///
    /// ```swift
    /// for finding in try Linter().findings(in: "Shop.xcdatamodeld") { print(finding) }
    /// ```
    ///
    /// - Parameter path: the path of the model; a folder means all models below it.
    /// - Returns: what is wrong, with its location: an error keeps a store from opening or loses unnamed values; a
    ///   warning leaves it to the rows.
    /// - Throws: ``MomtoolError`` when there is nothing to check.
    public func findings(in path: String) throws(MomtoolError) -> [Diagnostic] {
        try findings(in: path, MigrationCancellation())
    }

    /// Checks a model as the synchronous method does, on a thread of its own.
    ///
    /// Cancelling the task ends the work before the next model of a folder, and throws.
    public func findings(in path: String) async throws(MomtoolError) -> [Diagnostic] {
        try await inBackground { cancellation throws(MomtoolError) in
            try findings(in: path, cancellation)
        }
    }

    private func findings(
        in path: String,
        _ cancellation: MigrationCancellation
    ) throws(MomtoolError) -> [Diagnostic] {
        var findings: [Diagnostic] = []
        for model in modelPaths(path) {
            guard !cancellation.isCancelled else { throw .cancelled("the check") }
            findings += try result(for: ModelPlace(model, swift: swift)).findings.map(\.diagnostic)
        }
        guard !cancellation.isCancelled else { throw .cancelled("the check") }
        return findings
    }
}
