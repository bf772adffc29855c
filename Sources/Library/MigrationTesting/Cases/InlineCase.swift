import FileSystem
import Essentials
package import MigrationPlanning
package import Momtool
package import SettingsFiles

/// Runs a case whose rows are in the code of a test; returns a sentence for each difference.
///
/// `expected` is nil if another outcome is expected; policies are `delete`, `copy`, or the path of a map.
package func migrationDifferences(
    of model: String,
    from: String,
    to: String? = nil,
    stages: String? = nil,
    rows: String,
    gives expected: String?,
    expectation: CaseFile.Expectation = .migrated,
    mappingModels: [String] = [],
    policies: [String: String] = [:],
    code: MigrationCase.Code = MigrationCase.Code(),
    allowsDataLoss: LossAgreement = .none,
    fillsValues: Bool = false
) throws(MomtoolError) -> [String] {
    guard Files.exists(at: model) else {
        throw MomtoolError(MigrationCaseError(path: model, reason: absence(of: model)))
    }
    func absolute(_ path: String) -> String { fileURL(path).path }
    var file = CaseFile(
        model: absolute(model),
        from: from,
        to: to,
        stages: stages.map { .file(absolute($0)) },
        expectation: expectation,
        allowsDataLoss: allowsDataLoss
    )
    // Faults are reported by their line in the given text.
    file.before = .text(RowText(path: "rows", json: rows))
    file.after = expected.map { .text(RowText(path: "after", json: $0)) }
    file.fillsValues = fillsValues
    file.mappingModels = mappingModels.map(absolute)
    file.policies = policies.mapValues { MappingPolicy(word: $0) == nil ? absolute($0) : $0 }
    let folder = Files.temporaryFolder.appending(path: "momtool-case-\(UUID().uuidString)")
    var inline = MigrationCase(folder: folder, file)
    (inline.home, inline.code) = (.code, code)
    let outcome = inline.run()
    return outcome.status == .passed ? [] : outcome.lines
}
