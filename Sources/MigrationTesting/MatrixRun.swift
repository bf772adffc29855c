import Foundation
import MappingInference
import ModelHashing
public import ModelLoading
import ObjectModel
import Diagnostics
import StoreFormat
import StoreMigration

/// Migrates generated objects of every version of a model to one of them, and accounts for each object.
///
/// - Parameters:
///   - versions: the versions in their order; those before the target are started from.
///   - target: the version to arrive at.
///   - rows: the number of objects of each entity.
/// - Returns: an outcome for each version before the target.
public func matrixOutcomes(
    from versions: [ModelVersion],
    to target: ModelVersion,
    rows: Int
) -> [CaseOutcome] {
    versions.prefix { $0.path != target.path }.map { version in
        outcome(named: "\(version.name) → \(target.name)") { folder in
            let path = folder.appending(path: "before.sqlite").path
            try makeSampleStore(at: path, model: version.model, rows: rows)
            return try faults(of: path, from: version.model, to: target.model, in: folder)
        }
    }
}

/// Migrates copies of real stores to a version of their model, and accounts for each object.
///
/// - Parameters:
///   - paths: the paths of the stores, which are only read.
///   - versions: the versions among which each store's own is found by its entity hashes.
///   - target: the version to arrive at.
/// - Returns: an outcome for each store.
public func fieldOutcomes(
    ofStores paths: [String],
    among versions: [ModelVersion],
    to target: ModelVersion
) -> [CaseOutcome] {
    paths.map { path in
        outcome(named: URL(fileURLWithPath: path).lastPathComponent) { folder in
            let hashes = try StoreFile(path: path).metadata().hashes
            guard let version = versions.last(where: { versionHashes(of: $0.model) == hashes })
            else {
                return ["the store is of no version of the model"]
            }
            return try faults(of: path, from: version.model, to: target.model, in: folder)
        }
    }
}

private func outcome(named name: String, _ body: (URL) throws -> [String]) -> CaseOutcome {
    let start = ContinuousClock.now
    let folder = FileManager.default.temporaryDirectory
        .appending(path: "momtool-case-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    var lines: [String]
    do {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        lines = try body(folder)
    } catch {
        lines = ["\(error)"]
    }
    return CaseOutcome(
        name: name,
        status: lines.isEmpty ? .passed : .failed,
        lines: lines,
        seconds: (ContinuousClock.now - start) / .seconds(1)
    )
}

/// Migrates a copy of a store and says what is wrong with what came out.
private func faults(
    of path: String,
    from source: ManagedObjectModel,
    to target: ManagedObjectModel,
    in folder: URL
) throws -> [String] {
    let store = try StoreFile(path: path)
    let migration = try StoreMigration(of: store, from: source, to: target)
    let findings = try migration.findings(in: store)
    guard findings.isEmpty else { return findings.map(\.description) }
    let result = folder.appending(path: "after.sqlite").path
    try migration.run(from: store, toNewFile: result)
    let migrated = try StoreFile(path: result)
    let known = Set(try verify(store, against: source).map(\.rule))
    let broken = try verify(migrated, against: target).filter { !known.contains($0.rule) }
    return broken.map(\.description)
        + accountingFaults(
            before: try StoreDump(store, model: source),
            after: try StoreDump(migrated, model: target),
            mapping: migration.mapping,
            from: source,
            to: target
        )
}
