import Essentials

/// Something to run with an outcome: a case, a step of a matrix, a store from the field.
package struct MigrationTest: Sendable {
    /// The folder of cases or the model.
    package var group: String
    package var name: String
    /// The folder for what it leaves when it fails; `nil` for none.
    var artifacts: URL?
    var body: @Sendable (_ artifacts: URL?) -> CaseOutcome

    package func run() -> CaseOutcome { body(artifacts) }

    /// Something that could not even be read: it fails with the reason.
    package static func failing(group: String, name: String, reason: String) -> MigrationTest {
        MigrationTest(group: group, name: name) { _ in .failed(group, name, reason) }
    }
}

extension CaseOutcome {
    static func failed(_ group: String, _ name: String, _ reason: String) -> CaseOutcome {
        var outcome = CaseOutcome(group: group, name: name)
        (outcome.status, outcome.lines) = (.failed, [reason])
        return outcome
    }
}

extension MigrationCase {
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
