import Essentials
import SettingsFiles

/// Something that is run and comes out one way or another: a case, a way of a matrix, a store from the field.
package struct MigrationTest: Sendable {
    /// What it belongs to, as the folder of cases or the model.
    package var group: String
    package var name: String
    /// The folder for what it leaves when it fails; `nil` for none.
    var artifacts: URL?
    /// Runs it, and keeps what it leaves in a folder.
    var body: @Sendable (_ artifacts: URL?) -> CaseOutcome

    /// Runs it.
    package func run() -> CaseOutcome { body(artifacts) }
}

extension MigrationTest {
    /// Something that could not even be read: it fails with the reason.
    ///
    /// - Parameters:
    ///   - group: what it belongs to.
    ///   - name: its name.
    ///   - reason: what is wrong.
    /// - Returns: the test.
    package static func failing(group: String, name: String, reason: String) -> MigrationTest {
        MigrationTest(group: group, name: name) { _ in .failed(group, name, reason) }
    }
}

extension CaseOutcome {
    /// The outcome of something that could not even be begun.
    static func failed(_ group: String, _ name: String, _ reason: String) -> CaseOutcome {
        var outcome = CaseOutcome(group: group, name: name)
        (outcome.status, outcome.lines) = (.failed, [reason])
        return outcome
    }
}

extension MigrationCase {
    /// The case as a test that can be run beside others.
    ///
    /// - Parameters:
    ///   - group: what the case belongs to.
    ///   - options: what the run is told.
    /// - Returns: the test.
    package func test(
        in group: String,
        _ options: CaseRunOptions = CaseRunOptions()
    ) -> MigrationTest {
        MigrationTest(group: group, name: name) { artifacts in
            var options = options
            options.artifacts = artifacts
            var outcome = run(options)
            outcome.group = group
            return outcome
        }
    }
}
