import SettingsFiles
package import Diagnostics
import FileSystem
import Essentials
import ModelHashing
import ModelLoading
import Momtool
import ObjectModel
import RowExchange
import SQLiteAccess
import StoreFormat
import StoreMigration

/// What came out of a case.
package struct CaseOutcome: Sendable, Hashable {
    /// How it ended.
    package enum Status: String, Sendable, Hashable {
        /// As expected.
        case passed
        /// Not as expected.
        case failed
        /// The expectation was written down, which is no proof of anything.
        case recorded
        /// Not run, for a reason that is given.
        case skipped
    }

    /// What it belongs to, as the folder of cases or the model.
    package var group: String
    /// The name of the case.
    package var name: String
    /// How it ended.
    package var status: Status
    /// What is different, or what was recorded; a line each.
    package var lines: [String]
    /// The lines that a reader must know of one that passed too, such as losses that were agreed to.
    package var remarks: [String] = []
    /// How long it took, in seconds.
    package var seconds: Double
    /// What kept it from being run at all, in words without the case, as it may keep others too; `nil` when it was run.
    package var obstacle: String?

    /// Creates an outcome of something that went as expected so far.
    init(group: String, name: String) {
        self.group = group
        self.name = name
        status = .passed
        lines = []
        seconds = 0
    }

    /// What it is about, where no line of what is different has a place; `nil` where that is not known.
    package var subject: FileLocation?

    /// Where the first difference is that has a place: the line of what is expected, or of a step.
    package var place: FileLocation? {
        // What was not run is no difference.
        lines.lazy.filter { !remarks.contains($0) }.compactMap(leadingPlace).first
            ?? (status == .failed ? subject : nil)
    }
}

/// The place that stands before what is said, as in `after.json:7: …`; `nil` where there is none with a line.
func leadingPlace(of line: String) -> FileLocation? {
    guard let end = line.firstRange(of: ": ")?.lowerBound else { return nil }
    var parts = line[..<end].split(separator: ":", omittingEmptySubsequences: false)
    var numbers: [Int] = []
    while parts.count > 1, let number = parts.last.flatMap({ Int($0) }) {
        numbers.insert(number, at: 0)
        parts.removeLast()
    }
    guard let line = numbers.first else { return nil }
    let column = numbers.count > 1 ? numbers[1] : nil
    return FileLocation(path: parts.joined(separator: ":"), line: line, column: column)
}

/// What a run of cases is told.
package struct CaseRunOptions: Sendable, Hashable {
    /// Whether missing and different expectations are written down.
    package var records: Bool
    /// The folder for what the case leaves when it fails: both stores, both exports, the plan, the differences; `nil` for
    /// none.
    var artifacts: URL?
    /// Whether stages may run the programs that they name.
    package var allowsPrograms: Bool
    /// Whose words what is wrong is told in.
    package var words: Words

    package init(
        records: Bool = false,
        allowsPrograms: Bool = false,
        words: Words = .code
    ) {
        self.words = words
        self.records = records
        self.allowsPrograms = allowsPrograms
    }
}

/// What is wrong, in some words.
func text(of error: any Error, in words: Words) -> String {
    switch error {
    case let error as MomtoolError: error.description(in: words)
    case let error as StoreMigrationError: error.wording.text(in: words)
    case let error as StoreError: StoreMigrationError.store(error).wording.text(in: words)
    default: "\(error)"
    }
}

extension MigrationCase {
    /// Runs the case: makes the store, migrates it, verifies and compares what came out.
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

    /// Says which functions of a plan of SwiftData the case does without, where it has no stages of its own.
    private var unrunStages: [String] {
        guard file.stages == nil,
            let bundle = try? readCaseModel(url(of: file.model).path).value,
            let target = file.to ?? bundle.currentVersion?.name
        else { return [] }
        return bundle.unrunStages(from: file.from, to: target).map(\.message)
    }

    /// Says that the model is not there; `nil` where it is, or where the path names more than a file.
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
        do throws(MomtoolError) {
            try requireSettings()
        } catch {
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
            let line = "the store was migrated, though that is not expected"
            return (.failed, [at("expect", line)])
        }
        return try verdict(on: after, target, orders, in: folder, options, &remarks)
    }

    /// Says which version the model lacks.
    private func missingVersion(in bundle: ModelBundle) -> CaseObstacle {
        let names = bundle.versions.map(\.name)
        let wanted = [file.from, file.to].compactMap(\.self).first {
            bundle.version(named: $0) == nil
        }
        let what =
            wanted.map { "the model has no version '\($0)'" }
            ?? "the model says no current version; name one by 'to:'"
        let key = bundle.version(named: file.from) == nil ? "from" : "to"
        let near = wanted.map { suggestion(for: $0, among: names) } ?? ""
        let words = "\(what)\(near); there are: \(names.joined(separator: ", "))"
        return CaseObstacle([at(key, words)], cause: "\(bundle.path): \(words)")
    }

    /// The path of the store that the case is given; `nil` where it is made of rows.
    func givenStore() throws -> String? {
        if case .file(let store)? = file.before, isDatabase(url(of: store).path) {
            return url(of: store).path
        }
        let path = folder.appending(path: "before.sqlite").path
        guard Files.exists(at: path), try rows(file.before, "before") == nil
        else { return nil }
        return path
    }

    /// Makes the store of the case, a copy of the one that it is given.
    func makeStore(at path: String, _ model: ManagedObjectModel) throws {
        if let given = try givenStore() { return try copyStore(at: given, to: path) }
        try fillStore(at: path, model)
    }

    /// Makes the store of the case of its rows.
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
                reason: "there are no rows; write them here, or behind 'before' in case.yml"
            )
        }
        _ = try createStore(at: path, model: model, rows: rows, StoreCreationOptions(), options)
    }

    /// Puts the place of a key of the case before what is said; a key that is left out has that of the model.
    func at(_ key: String, _ line: String) -> String {
        guard let place = file.places[key] ?? file.places["model"] else { return line }
        return "\(FileLocation(path: place.path, line: place.line))".onOneLine + ": \(line)"
    }
}
