import Diagnostics
import Essentials
import MigrationPlanning
import ModelChecking
import ModelHashing
import ModelLoading
import ObjectModel
import RowExchange
import SettingsFiles
import StoreFormat
import StoreMigration

struct CaseComparison {
    var status = CaseOutcome.Status.passed
    var lines: [String] = []
    private var expected: ObjectGraph?

    init(
        of migrationCase: MigrationCase,
        _ result: StoreFile,
        _ model: ManagedObjectModel,
        _ work: URL,
        _ options: CaseRunOptions
    ) throws {
        let file = migrationCase.file
        let isPartial = file.expectation == .contains
        let rows = Data(try exportedRows(of: result, model: model))
        let found = try ObjectGraph(rows: rows, model: model)
        let place = migrationCase.rowsFile("after")
        let expectedRows = try migrationCase.rows(file.after, "after")
        if let expectedRows {
            let expected = try ExpectedRows(expectedRows, model, isPartial, in: work)
            self.expected = expected.graph
            if isPartial {
                lines = PartialComparison(expected, found).lines
            } else {
                lines = differences(expected: expected.graph, found: found)
            }
            if lines.isEmpty { return }
        } else if isPartial, !file.facts.isEmpty {
            return
        } else {
            let missing: Wording = "\(place.lastPathComponent) is missing; \(.recording)"
            lines = [missing.text(in: options.words)]
        }
        status = .failed
        guard options.records else { return }
        if isPartial, expectedRows != nil {
            lines.append("partial expectations are not recorded: change them where they are")
        } else if file.after != nil {
            lines.append("rows under 'after' are not recorded: change them there")
        } else {
            try rows.write(to: place, options: .atomic)
            status = .recorded
            let path = place.path
            lines = expectedRows == nil ? ["wrote \(path)"] : ["rewrote \(path):"] + lines
        }
    }

    /// The lists of the case with an order that Core Data would have lost, each at its first line.
    func remarks(on orders: [KeptOrder]) -> [String] {
        guard let expected else { return [] }
        return orders.compactMap { order in
            let name = order.relationship.name
            let object = expected.objects.first { object in
                expected.isOrdered(name, of: object) && (object.links[name] ?? []).count > 1
            }
            return object.map { expected.place(of: $0, name) + order.diagnostic.message }
        }
    }
}

struct ExpectedRows {
    var graph: ObjectGraph
    /// The names of the properties that each row gives, by the row's name in an export.
    var named: [String: Set<String>] = [:]

    init(_ source: RowSource, _ model: ManagedObjectModel, _ isPartial: Bool, in work: URL) throws {
        let path = work.appending(path: "expected.sqlite").path
        var options = RowImportOptions()
        options.missing = isPartial ? .left : .refused
        options.tellsNames = true
        var model = model
        if isPartial {
            // Values that the rows do not name are the same in all of them.
            for index in model.entities.indices { model.entities[index].uniquenessConstraints = [] }
        }
        let imported = try createStore(
            at: path,
            model: model,
            rows: source,
            StoreCreationOptions(modelCache: .empty),
            options
        )
        let rows = Data(try exportedRows(of: StoreFile(path: path), model: model))
        try rows.write(to: work.appending(path: "expected.json"))
        graph = try ObjectGraph(rows: rows, model: model, names: imported.names)
        for row in imported.rows {
            named[row.reference] = Set(row.properties.keys)
            graph.lines[row.reference] = ObjectGraph.Lines(
                path: source.path,
                row: row.line,
                properties: row.properties
            )
        }
    }
}

extension MigrationCase {
    /// Judges a migrated store: first its own faults, then those of its rows; returns lines that explain the verdict.
    func verdict(
        on path: String,
        _ target: ModelVersion,
        _ orders: [KeptOrder],
        in folder: URL,
        _ options: CaseRunOptions,
        _ remarks: inout [String]
    ) throws -> (CaseOutcome.Status, [String]) {
        let result = try StoreFile(path: path)
        let faults =
            try verify(result, against: target.model).map { $0.description(in: options.words) }
            + systemFaults(of: result, target) + missingFacts(in: result)
        // The rows of a faulty store are not recorded.
        guard faults.isEmpty || !options.records else { return (.failed, faults) }
        let comparison: CaseComparison
        do {
            comparison = try CaseComparison(of: self, result, target.model, folder, options)
        } catch {
            guard !faults.isEmpty else { throw error }
            return (.failed, faults + [text(of: error, in: options.words)])
        }
        remarks += comparison.remarks(on: orders)
        return (faults.isEmpty ? comparison.status : .failed, faults + comparison.lines)
    }

    /// Judges an ending without a migration.
    func verdict(on ending: CaseEnding) -> (CaseOutcome.Status, [String]) {
        switch ending {
        case .migrated: return (.passed, [])
        case .refused(let reason): return judge("refused", reason)
        case .asked(let reason):
            // A message in the expectation means a question of momtool's, not a refusal by Core Data.
            guard case .refused(_, message: nil) = file.expectation else {
                return judge("refused", reason)
            }
            return (
                .failed,
                [at("expect", "Core Data does not refuse this, only momtool does: \(reason)")]
            )
        case .failed(let reason): return judge("failed", reason)
        }
    }

    /// The fault of a store that is not of the version that the case names.
    func mislabelling(
        _ store: StoreFile,
        _ version: ModelVersion,
        _ bundle: ModelBundle
    ) throws -> String? {
        let hashes = try store.metadata().hashes
        guard hashes != version.hashes else { return nil }
        let own = bundle.versions.version(withHashes: hashes)
        let name: String
        if case .file(let path)? = file.before { name = path } else { name = "before.sqlite" }
        let line =
            "\(name) is not of version '\(file.from)', but of "
            + (own.map { "'\($0.name)'; write from: \($0.name)" } ?? "none that the model has")
        return at("from", line)
    }

    private func judge(_ word: String, _ reason: String) -> (CaseOutcome.Status, [String]) {
        let wanted: [String]
        switch (file.expectation, word) {
        case (.refused(let code, let message), "refused"):
            wanted = [code.map(String.init), message].compactMap(\.self)
        case (.failed(let message), "failed"): wanted = [message].compactMap(\.self)
        default: return (.failed, [placed("\(word): ", reason)])
        }
        let missing = wanted.filter { !reason.contains($0) }
        return missing.isEmpty
            ? (.passed, []) : (.failed, missing.map { at("expect", unmet($0, word, in: reason)) })
    }

    /// The names under `allowDataLoss` that match nothing in a version or the store.
    func misspeltLosses(in bundle: ModelBundle, _ store: StoreFile) -> [String] {
        guard case .named(let names) = file.allowsDataLoss else { return [] }
        return LossLedger(versions: bundle.versions)
            .misspelt(names.sorted()) { hasObject(named: $0, in: store) }
            .map { at("allowDataLoss", "allowDataLoss: \($0)") }
    }

    /// The message about an outcome: at the location of its reason in a file beside the model, or at the expectation.
    private func placed(_ ending: String, _ reason: String) -> String {
        guard let place = leadingPlace(of: reason), !place.path.contains(".xcdatamodel"),
            Files.exists(at: place.path)
        else { return at("expect", ending + reason) }
        let rest = reason.trimmingPrefix("\(place): ")
        return rest.hasPrefix("error: ") ? reason : "\(place): \(ending)\(rest)"
    }
}

/// The fault of a refusal or a failure other than the expected one.
private func unmet(_ wanted: String, _ ending: String, in reason: String) -> String {
    let digits = String(wanted.filter { $0.isNumber })
    let isCode = digits.count > 3 && wanted.allSatisfy { $0.isNumber || "()".contains($0) }
    guard isCode else { return "\(ending), but the message lacks '\(wanted)': \(reason)" }
    let numbers = reason.split(whereSeparator: { !$0.isNumber }).map(String.init)
    let code = numbers.first { $0.count == digits.count && $0.hasPrefix(String(digits.prefix(3))) }
    guard let code else { return "\(ending) without the expected code \(digits): \(reason)" }
    return "\(ending) with \(code), expected \(digits): \(reason)"
}
