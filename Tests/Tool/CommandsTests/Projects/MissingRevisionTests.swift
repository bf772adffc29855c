import Foundation
import TestSupport
import Testing

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

    @Test(arguments: [
        ("", "the name of the revision is empty"), (":0", "':0'"),
        ("HEAD\nHEAD", "HEAD\\u000AHEAD"),
    ])
    func `what names no revision is told by both`(revision: String, reason: String) throws {
        try withFolder { folder in
            try ShopVersions.write([ShopVersions.source("name")], in: folder)
            try ShopVersions.commit(in: folder)
            for command in [["check", "--against"], ["diff", ShopVersions.bundle, "--against"]] {
                let run = try momtool(command + [revision], in: folder)
                #expect(run.status == 66, "\(run.output)")
                #expect(run.errors.contains(reason), "\(run.errors)")
                #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
            }
        }
    }
}
