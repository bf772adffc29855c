import SettingsFiles
import Diagnostics
import Essentials
import MigrationPlanning
import ModelChecking
import ModelHashing
import ModelLoading
import ObjectModel
import StoreFormat
import StoreMigration

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
    let code = numbers.first {
        $0.count == digits.count && $0.hasPrefix(String(digits.prefix(3)))
    }
    guard let code else {
        return "\(ending) without the expected code \(digits): \(reason)"
    }
    return "\(ending) with \(code), expected \(digits): \(reason)"
}
