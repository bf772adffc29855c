import Foundation
import TestSupport
import Testing

struct MissingMappingModelTests {
    private let fault =
        ".momtool.yml:1:17: error: there is no 'Gone.xcmappingmodel' [unreadable-file]"

    @Test func `migrations of generated objects are run without it`() throws {
        try withFolder { folder in
            try ShopVersions.write(
                [
                    ShopVersions.source("a"), ShopVersions.source("a", "b"),
                    ShopVersions.source("a", "b", "c"),
                ],
                in: folder
            )
            #expect(try momtool(["init"], in: folder).status == 0)
            try ShopVersions.say("mappingModels: [Gone.xcmappingmodel]\n", in: folder)
            let check = try momtool(["check"], in: folder)
            #expect(check.status == 1, "\(check.errors)")
            #expect(check.output.contains(fault), "\(check.output)")
            #expect(check.output.contains("2 migrations, 1 case: 1 error"), "\(check.output)")
            let test = try momtool(["test", "MigrationCases"], in: folder)
            #expect(test.status == 1 && test.output.contains(fault), "\(test.output)")
            #expect(try momtool(["lock", "--relock"], in: folder).status != 0)
        }
    }
}
