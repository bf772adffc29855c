import Foundation
import TestSupport
import Testing

/// What is said of a revision that git does not have.
struct MissingRevisionTests {
    @Test func `a revision that is not here is told as by diff, with what CI needs`() throws {
        try withFolder { folder in
            try ShopVersions.write([ShopVersions.source("name")], in: folder)
            try ShopVersions.commit(in: folder)
            for command in [["check", "--against"], ["diff", ShopVersions.bundle, "--against"]] {
                let run = try momtool(command + ["HEAD~1"], in: folder)
                #expect(run.status == 66)
                #expect(run.errors.contains("there is no revision 'HEAD~1'"), "\(run.errors)")
                #expect(run.errors.contains("fetch-depth: 0"), "\(run.errors)")
            }
        }
    }
}
