import Foundation
import MigrationTesting
import Momtool
import ProjectChecking
import TestSupport
import Testing

struct CheckedStepTests {
    /// The versions from which `check` migrates so many objects each, of which it generates 6,000.
    @Test(arguments: [(10, [1, 2, 3, 4, 5]), (2_000, [1, 4, 5]), (9_000, [1, 5])])
    func `the previous and the oldest version are migrated always`(rows: Int, from: [Int]) throws {
        try withFolder { folder in
            let versions = (1...6).map { textModel("Item", (1...$0).map { "a\($0)" }) }
            try writeBundle(versions, "Shop.xcdatamodeld", in: folder)
            var options = ProjectCheck.Options()
            options.matrix.rows = rows
            var check = ProjectCheck(of: ProjectContents(below: folder.path), options)
            var names: [String] = []
            check.checkAll { tests in
                names = tests.map(\.name)
                return []
            }
            #expect(names == from.map { "V\($0) → V6" })
        }
    }
}
