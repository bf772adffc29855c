import Diagnostics
import Essentials
import FileSystem
import MappingInference
import MigrationPlanning
import MigrationTesting
import ModelChecking
import ModelDiffing
import ModelHashing
import ModelLoading
import Momtool
import ObjectModel
import Reporting
import SettingsFiles

/// A run of `momtool check`: what was looked at, and what was found.
struct ProjectCheck {
    private let swift: SwiftSettings
    private let isRelease: Bool
    private let revision: String?
    private let matrix: MatrixOptions
    /// The stages files that were found, which count for the models that they name.
    var stages: [String] = []
    /// What was found so far, in the order of the models.
    private(set) var findings: [Finding] = []
    private var tests: [(place: SourceLocation, test: MigrationTest)] = []
    private var counts = (models: 0, versions: 0, locks: 0, migrations: 0, cases: 0)

    init(swift: SwiftSettings, isRelease: Bool, revision: String?, matrix: MatrixOptions) {
        self.swift = swift
        self.isRelease = isRelease
        self.revision = revision
        self.matrix = matrix
    }

    /// What was looked at.
    var summary: String {
        [
            counts.models.counted("model"), counts.versions.counted("version"),
            counts.locks.counted("lock"), counts.migrations.counted("migration"),
            counts.cases.counted("case"),
        ].joined(separator: ", ")
    }

    /// Checks a model, its lock and its steps, and remembers the migrations of generated objects.
    mutating func check(model: String) {
        counts.models += 1
        let lint = ModelLint(swift: swift, isRelease: isRelease, stages: stages)
        do {
            let result = try lint.result(for: model)
            counts.versions += result.bundle.versions.count
            if result.lock != nil { counts.locks += 1 }
            findings += merged(result.findings)
            guard !result.findings.contains(where: { $0.diagnostic.isUnreadable }) else { return }
            addSteps(of: result)
            compare(result.bundle, model)
        } catch {
            add(error, at: model)
        }
    }

    /// Reports locks whose models are gone.
    mutating func checkLocks(_ locks: [String], of models: [String]) {
        for lock in locks where !models.contains(String(lock.dropLast(".lock".count))) {
            let message = "the model of this lock is missing: restore it, or remove the lock"
            let place = SourceLocation(path: lock)
            findings.append(Finding(Diagnostic("locked-version-removed", message, at: place)))
        }
    }

    /// Reports mapping models that cannot be read, which answer no step.
    mutating func checkMappingModels(_ paths: [String]) {
        for path in paths {
            let faults = readMappingModel(at: path).diagnostics.filter { $0.severity == .error }
            findings += faults.map { Finding($0) }
        }
    }

    /// Remembers the cases of files.
    mutating func addCases(_ files: [String]) {
        for file in files {
            let folder = fileURL(file).deletingLastPathComponent()
            let place = SourceLocation(path: file)
            do throws(MigrationCaseError) {
                for item in try MigrationCase.cases(at: folder) {
                    counts.cases += 1
                    let group = parent(of: parent(of: file))
                    tests.append(
                        (place, item.test(in: group, CaseRunOptions(artifacts: matrix.artifacts)))
                    )
                }
            } catch {
                findings.append(Finding(Diagnostic(.brokenCase, error.reason, at: error.location)))
            }
        }
    }

    /// Runs what was remembered.
    mutating func finish(jobs: Int) {
        let outcomes = outcomes(of: tests.map(\.test), jobs: jobs)
        for (outcome, test) in zip(outcomes, tests) where outcome.status == .failed {
            let lines = outcome.lines.flatMap { $0.split(separator: "\n").map(String.init) }
            let message = "\(outcome.name) fails: \(lines.first ?? "no reason was given")"
            findings.append(
                Finding(
                    Diagnostic(
                        "migration-test-failed",
                        message,
                        at: test.place,
                        notes: lines.dropFirst().prefix(20).map { Diagnostic.Note($0) }
                    )
                )
            )
        }
        tests = []
    }

    private mutating func add(_ error: any Error, at path: String) {
        let failure = CommandFailure(error)
        let faults = (FailureReport.takeNoticed() + failure.diagnostics)
            .filter { $0.severity == .error && $0.location != nil }
        guard faults.isEmpty else { return findings += faults.map { Finding($0) } }
        let messages = failure.messages
        let place = SourceLocation(path: ModelArgument(path).path)
        let first = messages.first ?? "it could not be checked"
        findings.append(
            Finding(
                Diagnostic(
                    "not-checked",
                    first,
                    at: place,
                    notes: messages.dropFirst().map { Diagnostic.Note($0) }
                )
            )
        )
    }

    /// Plans every older version's step to the current one, and migrates generated objects where it is possible.
    private mutating func addSteps(of result: ModelLint.Result) {
        let versions = result.bundle.versions
        guard
            let current = result.bundle.currentVersion ?? (versions.count == 1 ? versions[0] : nil),
            let end = versions.firstIndex(where: { $0.isSame(as: current) })
        else { return }
        let routes = Routes(to: current, result)
        var open: [ModelVersion] = []
        for version in versions[..<end] where version.hashes != current.hashes {
            counts.migrations += 1
            switch routes.route(from: version) {
            case .direct: open.append(version)
            case .other: break
            case .none(let diagnostic): findings.append(Finding(diagnostic, version: version.name))
            }
        }
        var options = matrix
        options.ledger = routes.ledger
        let place = SourceLocation(path: result.bundle.path)
        guard
            let migrator = try? Migrator(
                models: [result.bundle],
                to: current.name,
                mappingModels: MappingModels(result.configuration)
                    .searching(near: result.bundle.path)
            )
        else { return }
        tests += matrixTests(
            in: result.bundle.path,
            from: open,
            to: current,
            by: migrator,
            options: options
        )
        .map { (place, $0) }
    }

    /// Says what differs from a git revision, and what its lock says of the versions.
    private mutating func compare(_ bundle: ModelBundle, _ model: String) {
        guard let revision, let current = bundle.currentVersion else { return }
        let path = ModelArgument(model).path
        guard let old = try? ModelPlace(path, at: revision, swift: swift).readUsable().value,
            let before = old.currentVersion
        else { return }
        findings += differences(from: before, to: current, since: revision)
        let lock = trimmedPath(path) + ".lock"
        guard let text = gitText(of: lock, at: revision) else { return }
        let read = ModelLock.parse(text, path: "\(revision):\(lock)")
        guard !read.hasErrors else { return }
        let located = LocatedLock(read.value, path: "\(revision):\(lock)")
        let known = Set(findings.map(\.diagnostic.message))
        findings += checkLock(bundle.versions, path: bundle.path, lock: located).filter {
            $0.diagnostic.severity == .error && !known.contains($0.diagnostic.message)
        }
    }
}

extension Diagnostic {
    /// Whether it leaves nothing to migrate.
    fileprivate var isUnreadable: Bool {
        severity == .error && [.unreadableFile, .notAModel, .missingCurrentVersion].contains(rule)
    }
}

/// What differs between two versions, each difference a note.
private func differences(
    from old: ModelVersion,
    to new: ModelVersion,
    since revision: String
) -> [Finding] {
    inferMapping(from: old, to: new).judgements.filter { $0.verdict > .noEffectOnHash }
        .map { judgement in
            let element = judgement.change.subject.path ?? "the model"
            return Finding(
                Diagnostic(
                    "changed-since",
                    "since \(revision): \(element): \(judgement.effect)",
                    severity: .note,
                    at: judgement.change.toLocation,
                    element: element
                ),
                version: new.name
            )
        }
}

/// Reads a file as a git revision has it; `nil` when that has none.
private func gitText(of path: String, at revision: String) -> String? {
    let folder = parent(of: resolvedPath(path))
    let name = path.split(separator: "/").last.map(String.init) ?? path
    guard let place = GitPlace("\(revision):./\(name)"),
        let objects = try? GitObjects.shared(at: folder),
        let files = try? objects.files(at: place, isNeeded: { _, _ in false })
    else { return nil }
    return files.first.map { String(decoding: $0.bytes, as: UTF8.self) }
}
