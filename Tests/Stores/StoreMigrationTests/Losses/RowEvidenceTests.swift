import Diagnostics
import Foundation
import LossCases
import MappingInference
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct RowEvidenceTests {
    @Test(arguments: LossCase.all.filter { !$0.against.isEmpty })
    func `what the rows stand against is counted, and a guess is never Apple's word`(
        _ example: LossCase
    ) throws {
        try withFolder { folder in
            let path = folder.appending(path: "Old.sqlite").path
            try createStore(at: path, model: example.from) { connection, _ throws(StoreError) in
                for statement in example.rows { try connection.execute(statement) }
            }
            let store = try StoreFile(path: path)
            let migration = try Migration(
                of: store,
                from: ModelVersion(model: example.from),
                to: ModelVersion(model: example.to)
            )
            let fatal = try migration.findings(in: store).filter { !$0.isLoss }
            #expect(Set(fatal.map(\.name)) == Set(example.against.keys))
            for finding in fatal {
                let isGuess = finding.risk.evidence.isGuess
                #expect(
                    finding.description.contains("momtool cannot tell") == isGuess,
                    "\(finding)"
                )
                #expect(finding.description.contains("134110") == !isGuess, "\(finding)")
            }
            let new = folder.appending(path: "New.sqlite").path
            #expect(throws: StoreMigrationError.self) {
                try migration.run(from: store, toNewFile: new, options: .agreed)
            }
            #expect(!FileManager.default.fileExists(atPath: new))
        }
    }
}
