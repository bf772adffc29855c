public import Diagnostics
import ModelChecking
import StoreMigration

extension Linter {
    /// Checks a model.
    ///
    /// ```swift
    /// for finding in try Linter().findings(in: "Shop.xcdatamodeld") { print(finding) }
    /// ```
    ///
    /// A folder means all models below it. An error keeps a store from opening or loses unnamed values; a warning
    /// leaves it to the rows. Throws when there is nothing to check.
    public func findings(in path: String) throws(MomtoolError) -> [Diagnostic] {
        func requireWanted() throws(MomtoolError) {
            guard MigrationCancellation.current?.isCancelled != true else {
                throw .cancelled("the check")
            }
        }
        var findings: [Diagnostic] = []
        for model in modelPlaces(path, swift) {
            try requireWanted()
            findings += try result(for: model).findings.map(\.diagnostic)
        }
        try requireWanted()
        return findings
    }
}
