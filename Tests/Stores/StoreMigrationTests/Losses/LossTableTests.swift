import Diagnostics
import Foundation
import LossCases
import MappingInference
import MigrationPlanning
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct LossTableTests {
    @Test func `there are forty kinds of change`() { #expect(LossCase.all.count >= 40) }

    @Test(arguments: LossCase.all.filter(\.against.isEmpty))
    func `what is lost is counted, named and agreed to`(_ example: LossCase) throws {
        try withFolder { folder in
            let path = folder.appending(path: "Old.sqlite").path
            try createStore(at: path, model: example.from) { connection, _ throws(StoreError) in
                for statement in example.rows { try connection.execute(statement) }
            }
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            let store = try StoreFile(path: path)
            let migration = try Migration(
                of: store,
                from: ModelVersion(model: example.from),
                to: ModelVersion(model: example.to)
            )
            let findings = try migration.findings(in: store)
            var told: [String: Int] = [:]
            for finding in findings {
                #expect(
                    finding.isLoss && !finding.examples.isEmpty
                        || finding.risk.unit == .schemaObjects,
                    "\(finding)"
                )
                let name = finding.names.first { example.lost[$0] != nil } ?? finding.name
                told[name, default: 0] += finding.count
            }
            var counted: [String: Int] = [:]
            for (name, query) in example.lost {
                counted[name] = Int(try store.connection.value(query)?.integer ?? -1)
            }
            #expect(told == counted)
            try run(migration, store, folder, example, findings)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        }
    }

    private func run(
        _ migration: Migration,
        _ store: StoreFile,
        _ folder: URL,
        _ example: LossCase,
        _ findings: [RowFinding]
    ) throws {
        let new = folder.appending(path: "New.sqlite").path
        let names = findings.map(\.name)
        for missing in names.indices {
            // An agreement for an entity holds for its sub-entities too, and a link has two names.
            let agreed = names.enumerated().filter { place, name in
                place != missing && !LossAgreement.named([name]).covers(findings[missing].names)
            }
            .map(\.element)
            let options = MigrationOptions(acceptsLosses: .named(Set(agreed)))
            #expect(throws: StoreMigrationError.self) {
                try migration.run(from: store, toNewFile: new, options: options)
            }
        }
        let options = MigrationOptions(acceptsLosses: .named(Set(names)))
        #expect(try migration.run(from: store, toNewFile: new, options: options) == findings)
        let result = try StoreFile(path: new)
        let errors = try verify(result, against: example.to).filter {
            $0.severity == .error && $0.rule.rawValue != "destination-count"
        }
        #expect(errors.map(\.description) == [])
    }
}
