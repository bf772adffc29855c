package import Diagnostics
import Essentials
import FileSystem
import ModelLoading
package import Momtool
import ObjectModel
import RowExchange
import SQLiteAccess
import SettingsFiles
import StoreFormat
import StoreMigration

package struct CaseOutcome: Sendable, Hashable {
    package enum Status: String, Sendable, Hashable {
        case passed, failed
        /// The expectation was recorded, which proves nothing.
        case recorded
        /// Not run, for a given reason.
        case skipped
    }

    /// The folder of cases or the model.
    package var group: String
    package var name: String
    package var status: Status
    /// What differs, or what was recorded; a line each.
    package var lines: [String]
    /// What a reader must know even of a passed case, such as agreed losses.
    package var remarks: [String] = []
    package var seconds: Double
    /// What kept it from running, without the name of the case, as it may affect others; `nil` when it ran.
    package var obstacle: String?

    /// Creates the outcome of a test that has passed so far.
    init(group: String, name: String) {
        (self.group, self.name) = (group, name)
        status = .passed
        lines = []
        seconds = 0
    }

    /// What it is about, where no line of the differences has a location; `nil` where that is not known.
    package var subject: FileLocation?

    /// The location of the first difference that has one: the line of the expectation, or of a step.
    package var place: FileLocation? {
        // A test that did not run differs in nothing.
        lines.lazy.filter { !remarks.contains($0) }.compactMap(leadingPlace).first
            ?? (status == .failed ? subject : nil)
    }
}

/// The location before a message, as in `after.json:7: …`; `nil` for one without a line.
func leadingPlace(of line: String) -> FileLocation? {
    guard let end = line.firstRange(of: ": ")?.lowerBound else { return nil }
    let place = FileLocation(printed: line[..<end])
    return place.line == nil ? nil : place
}

package struct CaseRunOptions: Sendable, Hashable {
    /// Whether missing and different expectations are recorded.
    package var records: Bool
    /// The folder for what the case leaves when it fails; `nil` for none.
    var artifacts: URL?
    /// Whether stages may run the programs that they name.
    package var allowsPrograms: Bool
    package var words: Words

    package init(records: Bool = false, allowsPrograms: Bool = false, words: Words = .code) {
        (self.words, self.records, self.allowsPrograms) = (words, records, allowsPrograms)
    }
}

func text(of error: any Error, in words: Words) -> String {
    switch error {
    case let error as MomtoolError: error.description(in: words)
    case let error as StoreMigrationError: error.wording.text(in: words)
    case StoreError.rows, StoreError.incomplete: "\(error)"
    case let error as StoreError: StoreMigrationError.store(error).wording.text(in: words)
    default: "\(error)"
    }
}

extension MigrationCase {
    /// Runs the case: makes the store, migrates it, verifies and compares the result.
    package func run(_ options: CaseRunOptions = CaseRunOptions()) -> CaseOutcome {
        let start = ContinuousClock.now
        var outcome = CaseOutcome(
            group: folder.deletingLastPathComponent().lastPathComponent,
            name: name
        )
        outcome.subject = file.places["model"].map { FileLocation(path: $0.path, line: $0.line) }
        if let reason = file.skipReason {
            (outcome.status, outcome.lines) = (.skipped, [reason])
            return outcome
        }
        do {
            let work = try TemporaryFolder()
            var remarks: [String] = []
            do {
                (outcome.status, outcome.lines) = try result(in: work.url, options, &remarks)
            } catch let error as CaseObstacle {
                (outcome.status, outcome.lines) = (.failed, error.lines)
                outcome.obstacle = error.cause
            } catch {
                (outcome.status, outcome.lines) = (.failed, [text(of: error, in: options.words)])
            }
            outcome.remarks = unrunStages
            outcome.lines += outcome.remarks.map { at("from", $0) } + remarks
            outcome.remarks += remarks
            if outcome.status == .failed, let artifacts = options.artifacts {
                keepArtifacts(of: outcome, from: work.url, at: artifacts)
            }
        } catch {
            (outcome.status, outcome.lines) = (.failed, [text(of: error, in: options.words)])
        }
        outcome.seconds = (ContinuousClock.now - start) / .seconds(1)
        return outcome
    }

    /// The functions of a SwiftData plan that the case does not run, if it has no stages.
    private var unrunStages: [String] {
        guard file.stages == nil, let bundle = try? readCaseModel(url(of: file.model).path).value,
            let target = file.to ?? bundle.currentVersion?.name,
            let version = bundle.version(named: target)
        else { return [] }
        let stages = bundle.unrunStages(from: file.from, to: target).map(\.message)
        guard !stages.isEmpty, (try? migrator(to: version, in: bundle))?.stagesPath == nil
        else { return [] }
        return stages
    }

    /// The message about a missing model; `nil` if it exists, or the path names more than a file.
    private var missingModel: String? {
        let path = url(of: file.model).path
        guard !path.contains("#"), !Files.exists(at: path) else { return nil }
        return at("model", "there is no model '\(file.model)'")
    }

    private func result(
        in folder: URL,
        _ options: CaseRunOptions,
        _ remarks: inout [String]
    ) throws -> (CaseOutcome.Status, [String]) {
        if let fault = missingModel { return (.failed, [fault]) }
        let bundle = try readCaseModel(url(of: file.model).path)
        guard !bundle.hasErrors else {
            let errors = bundle.diagnostics.filter { $0.severity == .error }
            throw CaseObstacle(errors.map { $0.description(in: options.words) })
        }
        guard let source = bundle.value.version(named: file.from),
            let target = file.to.map({ bundle.value.version(named: $0) })
                ?? bundle.value.currentVersion
        else { throw missingVersion(in: bundle.value) }
        do throws(MomtoolError) { try requireSettings() } catch {
            throw CaseObstacle(error.lines.map { $0.text(in: options.words) })
        }
        let given = try givenStore()
        let before = given ?? folder.appending(path: "before.sqlite").path
        if given == nil { try fillStore(at: before, source.model) }
        let store = try StoreFile(path: before)
        if let fault = try mislabelling(store, source, bundle.value) { return (.failed, [fault]) }
        remarks = misspeltLosses(in: bundle.value, store)
        if given != nil {
            remarks += [store.missingLog].compactMap(\.self).map { at("before", $0) }
        }
        let after = folder.appending(path: "after.sqlite").path
        let ending = try migrate(
            store,
            from: source,
            to: target,
            in: bundle.value,
            resultPath: after,
            options
        ) { remarks.append($0) }
        guard case .migrated(let orders) = ending else { return verdict(on: ending) }
        guard [.migrated, .contains].contains(file.expectation) else {
            let line = "the store was migrated unexpectedly"
            return (.failed, [at("expect", line)])
        }
        return try verdict(on: after, target, orders, in: folder, options, &remarks)
    }

    private func missingVersion(in bundle: ModelBundle) -> CaseObstacle {
        let names = bundle.versions.map(\.name)
        let wanted = [file.from, file.to].compactMap(\.self).first {
            bundle.version(named: $0) == nil
        }
        let what =
            wanted.map { "the model has no version '\($0)'" }
            ?? "the model has no current version; name one under 'to:'"
        let key = bundle.version(named: file.from) == nil ? "from" : "to"
        let near = wanted.map { suggestion(for: $0, among: names) } ?? ""
        let words = "\(what)\(near); there are: \(names.joined(separator: ", "))"
        return CaseObstacle([at(key, words)], cause: "\(bundle.path): \(words)")
    }

    /// The path of the case's store; `nil` where it is made from rows.
    func givenStore() throws -> String? {
        if case .file(let store)? = file.before, isDatabase(url(of: store).path) {
            return url(of: store).path
        }
        let path = folder.appending(path: "before.sqlite").path
        guard Files.exists(at: path), try rows(file.before, "before") == nil else { return nil }
        try Self.requireInside(path)
        return path
    }

    func makeStore(at path: String, _ model: ManagedObjectModel) throws {
        if let given = try givenStore() { return try copyStore(at: given, to: path) }
        try fillStore(at: path, model)
    }

    private func fillStore(at path: String, _ model: ManagedObjectModel) throws {
        let rows = try rows(file.before, "before")
        var options = RowImportOptions()
        options.missing = file.fillsValues ? .filled : .refused
        // Faults name the rows.
        options.tellsNames = true
        for base in file.bases { options.bases.append(try rowSource(base, "base")) }
        let rowsPath = rowsFile("before").path
        guard
            let rows = rows
                ?? (file.bases.isEmpty ? nil : RowSource(bytes: Array("{}".utf8), path: rowsPath))
        else {
            throw MigrationCaseError(
                path: rowsPath,
                reason: "there are no rows; write them here, or under 'before' in case.yml"
            )
        }
        _ = try createStore(at: path, model: model, rows: rows, StoreCreationOptions(), options)
    }

    /// Prefixes a message with the location of a key of the case; a missing key has that of the model.
    func at(_ key: String, _ line: String) -> String {
        guard let place = file.places[key] ?? file.places["model"] else { return line }
        return "\(FileLocation(path: place.path, line: place.line))".onOneLine + ": \(line)"
    }
}

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
