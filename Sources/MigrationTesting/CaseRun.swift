import Diagnostics
public import Foundation
import MappingInference
import ModelHashing
import ModelLoading
import ObjectModel
import RowExchange
import StoreFormat
import StoreMigration

/// What came out of a case.
public struct CaseOutcome: Sendable, Hashable {
    /// How it ended.
    public enum Status: String, Sendable, Hashable {
        /// As expected.
        case passed
        /// Not as expected.
        case failed
        /// The expectation was written down, which is no proof of anything.
        case recorded
    }

    /// The name of the case.
    public var name: String
    /// How it ended.
    public var status: Status
    /// What is different, or what was recorded; a line each.
    public var lines: [String]
    /// How long it took, in seconds.
    public var seconds: Double
}

/// What a run of cases is told.
public struct CaseRunOptions: Sendable, Hashable {
    /// Whether missing and different expectations are written down.
    public var records: Bool
    /// A folder for what failing cases leave: both stores and the found rows; `nil` for none.
    public var artifacts: URL?

    /// Creates options.
    public init(records: Bool = false, artifacts: URL? = nil) {
        self.records = records
        self.artifacts = artifacts
    }
}

extension MigrationCase {
    /// Runs the case: makes the store, migrates it, verifies and compares what came out.
    public func run(_ options: CaseRunOptions = CaseRunOptions()) -> CaseOutcome {
        let start = ContinuousClock.now
        var outcome = CaseOutcome(name: name, status: .passed, lines: [], seconds: 0)
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "momtool-case-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            (outcome.status, outcome.lines) = try result(in: folder, options)
        } catch {
            (outcome.status, outcome.lines) = (.failed, ["\(error)"])
        }
        if outcome.status == .failed, let artifacts = options.artifacts {
            let kept = artifacts.appending(path: name)
            try? FileManager.default.removeItem(at: kept)
            try? FileManager.default.createDirectory(
                at: artifacts,
                withIntermediateDirectories: true
            )
            try? FileManager.default.copyItem(at: folder, to: kept)
        }
        outcome.seconds = (ContinuousClock.now - start) / .seconds(1)
        return outcome
    }

    private func result(
        in folder: URL,
        _ options: CaseRunOptions
    ) throws -> (CaseOutcome.Status, [String]) {
        let bundle = readModelBundle(at: self.folder.appending(path: model).path)
        guard !bundle.hasErrors else { return (.failed, bundle.diagnostics.map(\.description)) }
        guard let source = bundle.value.version(named: from),
            let target = to.map({ bundle.value.version(named: $0) }) ?? bundle.value.currentVersion
        else {
            let names = bundle.value.versions.map(\.name).joined(separator: ", ")
            return (.failed, ["a version is not in the model; there are: \(names)"])
        }
        let before = folder.appending(path: "before.sqlite").path
        try makeStore(at: before, source.model)
        let store = try StoreFile(path: before)
        guard try store.metadata().hashes == versionHashes(of: source.model) else {
            return (.failed, ["before.sqlite is not of version '\(from)'"])
        }
        let after = folder.appending(path: "after.sqlite").path
        if let refusal = try refusal(store, source.model, target.model, after) {
            return judge(refusal)
        }
        guard case .migrated = expectation else {
            return (.failed, ["the store was migrated, though a refusal is expected"])
        }
        let result = try StoreFile(path: after)
        let findings = try verify(result, against: target.model)
        guard findings.isEmpty else { return (.failed, findings.map(\.description)) }
        return try compare(result, target.model, folder, options)
    }

    private func makeStore(at path: String, _ model: ManagedObjectModel) throws {
        let given = folder.appending(path: "before.sqlite")
        if FileManager.default.fileExists(atPath: given.path) {
            try FileManager.default.copyItem(atPath: given.path, toPath: path)
            return
        }
        let rows = try RowSource(path: folder.appending(path: "before.json").path)
        try createStore(at: path, model: model, rows: rows)
    }

    /// Migrates the store; gives what was said when it was refused.
    private func refusal(
        _ store: StoreFile,
        _ source: ManagedObjectModel,
        _ target: ManagedObjectModel,
        _ path: String
    ) throws -> String? {
        do throws(StoreMigrationError) {
            let migration = try StoreMigration(of: store, from: source, to: target)
            let options = MigrationRunOptions(acceptsLosses: allowsDataLoss)
            try migration.run(from: store, toNewFile: path, options: options)
            return nil
        } catch {
            switch error {
            case .notInferable, .rows, .stages, .map: return error.description
            case .store, .unexpectedLayout, .checkFailed, .script, .handler, .stageFindings,
                .interrupted:
                throw error
            }
        }
    }

    private func judge(_ refusal: String) -> (CaseOutcome.Status, [String]) {
        guard case .refused(let code, let message) = expectation else {
            return (.failed, ["refused: \(refusal)"])
        }
        let wanted = [code.map(String.init), message].compactMap(\.self)
        let missing = wanted.filter { !refusal.contains($0) }
        guard missing.isEmpty else {
            return (.failed, missing.map { "the refusal does not say '\($0)': \(refusal)" })
        }
        return (.passed, [])
    }

    private func compare(
        _ result: StoreFile,
        _ model: ManagedObjectModel,
        _ work: URL,
        _ options: CaseRunOptions
    ) throws -> (CaseOutcome.Status, [String]) {
        let rows = Data(try exportedRows(of: result, model: model))
        try rows.write(to: work.appending(path: "found.json"))
        let file = folder.appending(path: "after.json")
        var lines = ["after.json is missing; write it, or record it with --record"]
        if FileManager.default.fileExists(atPath: file.path) {
            let expected = work.appending(path: "expected.sqlite").path
            try createStore(at: expected, model: model, rows: RowSource(path: file.path))
            let expectedRows = try exportedRows(of: StoreFile(path: expected), model: model)
            lines = differences(
                expected: try ObjectGraph(rows: Data(expectedRows), model: model),
                found: try ObjectGraph(rows: rows, model: model)
            )
            if lines.isEmpty { return (.passed, []) }
        }
        guard options.records else { return (.failed, lines) }
        try rows.write(to: file, options: .atomic)
        return (.recorded, ["wrote \(file.path)"] + lines)
    }
}
