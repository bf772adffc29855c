import Diagnostics
import FileSystem
import Essentials
package import MigrationPlanning
package import SettingsFiles

/// Runs a case whose rows stand in the code of a test rather than in files.
///
/// - Parameters:
///   - model: the path of the model.
///   - from: the version of the rows.
///   - to: the version that is migrated to; `nil` for the current one.
///   - stages: the path of a stages file; `nil` for those of `.momtool.yml`, else none.
///   - rows: the rows at the old version, as JSON.
///   - expected: the rows at the new version, as JSON; `nil` when another ending is expected.
///   - expectation: what is expected.
///   - mappingModels: paths of mapping models, or of folders that hold them.
///   - policies: what the migration policies of mapping models do: `delete`, `copy`, or the path of a map.
///   - code: the Swift code that it is run with.
///   - allowsDataLoss: what may be lost: `true` for all, or names such as `["Notice", "Book.notes"]`.
///   - fillsValues: whether mandatory attributes that the rows leave out get values.
/// - Returns: a sentence for each difference; empty when all is as expected.
/// - Throws: `MigrationCaseError` when there is no such model.
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
) throws(MigrationCaseError) -> [String] {
    guard Files.exists(at: model) else {
        throw MigrationCaseError(path: model, reason: "no such file or folder")
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
    // What is wrong is told by its line in the text that was given.
    file.before = .text(RowText(path: "rows", json: rows))
    file.after = expected.map { .text(RowText(path: "after", json: $0)) }
    file.fillsValues = fillsValues
    file.mappingModels = mappingModels.map(absolute)
    file.policies = policies.mapValues { MappingPolicy(word: $0) == nil ? absolute($0) : $0 }
    // A folder that is not there has no files beside the case.
    let folder = Files.temporaryFolder
        .appending(path: "momtool-case-\(UUID().uuidString)")
    var inline = MigrationCase(folder: folder, file)
    (inline.home, inline.code) = (.code, code)
    let outcome = inline.run()
    return outcome.status == .passed ? [] : outcome.lines
}
