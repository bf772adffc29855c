import Diagnostics
import Foundation
import MappingInference
import ModelHashing
import MigrationTesting
import ModelLoading
import ObjectModel
import StoreFormat
import StoreMigration
import TestSupport
import Testing

func expectWhole(
    _ result: String,
    from store: StoreFile,
    _ migration: Migration,
    _ title: String,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
) throws {
    let migrated = try StoreFile(path: result)
    let (source, target) = (
        try #require(migration.source).model, try #require(migration.destination).model
    )
    let hashes = versionHashes(of: target)
    #expect(try migrated.metadata().hashes == hashes, "\(title)", sourceLocation: sourceLocation)
    let faults = try accountingFaults(
        before: try StoreDump(store, model: source),
        after: try StoreDump(migrated, model: target),
        mapping: migration.mapping,
        from: source,
        to: target
    )
    #expect(faults == [], "\(title)", sourceLocation: sourceLocation)
    let known = try verify(store, against: source).map(\.rule)
    let findings = try verify(migrated, against: target).filter { !known.contains($0.rule) }
    #expect(findings.map(\.description) == [], "\(title)", sourceLocation: sourceLocation)
    let cached = try migrated.modelArchive().map { readCompiledModel($0, path: result) }
    if let cached {
        #expect(
            versionHashes(of: cached.value) == hashes,
            "\(title)",
            sourceLocation: sourceLocation
        )
    }
}

func libraryVersions() -> [ModelVersion] {
    let path = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path
    return readModelBundle(at: path).value.versions
}
