import Diagnostics
import Essentials
import FileSystem
import ModelLoading
package import Momtool

/// Runs every case of a folder, or of a `case.yml`, for tests in code; throws for a folder without a case.
package func caseOutcomes(in folder: String) throws(MomtoolError) -> [CaseOutcome] {
    guard Files.exists(at: folder) else {
        throw MomtoolError(.noInput, folder, absence(of: folder), "no-cases")
    }
    let found: [(name: String, Result<MigrationCase, MigrationCaseError>)]
    do throws(MigrationCaseError) { found = try MigrationCase.results(in: fileURL(folder)) } catch {
        throw MomtoolError(error)
    }
    guard !found.isEmpty else {
        throw MomtoolError(.noInput, folder, "there are no cases", "no-cases")
    }
    return tests(of: found, in: folder).map { $0.run() }
}

/// Makes a test of each case found by a folder; one that cannot be read fails.
package func tests(
    of found: [(name: String, Result<MigrationCase, MigrationCaseError>)],
    in folder: String,
    _ options: CaseRunOptions = CaseRunOptions()
) -> [MigrationTest] {
    found.map { name, result in
        switch result {
        case .success(let found): found.test(in: found.group(foundBy: folder), options)
        case .failure(let error): .failing(group: folder, name: name, reason: error.description)
        }
    }
}

/// Migrates generated objects of every older version of a model as `momtool test --matrix` does, for tests in code.
package func matrixOutcomes(
    of path: String,
    rows: Int,
    seed: UInt64
) throws(MomtoolError) -> [CaseOutcome] {
    try asked {
        let bundle = try Model(path).bundle
        let app = try AppMigrations(of: bundle, MatrixOptions(rows: rows, seed: seed))
        let target = try bundle.chosenVersion(nil)
        let tests = matrixTests(
            in: path,
            from: bundle.versionsInTheField(before: target),
            to: target,
            by: app.migrator,
            options: app.options
        )
        guard !tests.isEmpty else {
            let message = "there is no other version to migrate from"
            throw MomtoolError(.noInput, path, message, "no-cases")
        }
        return tests.map { $0.run() }
    }
}
