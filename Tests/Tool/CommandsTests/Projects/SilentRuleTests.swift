import Foundation
import TestSupport
import Testing

struct SilentRuleTests {
    @Test func `a rule that is off is no stricter than one whose findings are notes`() throws {
        try withFolder { folder in
            try ShopVersions.write(
                [ShopVersions.source("name", "code"), ShopVersions.source("name")],
                in: folder
            )
            #expect(try momtool(["check"], in: folder).status == 1)
            for (setting, isSaid) in [("note", true), ("off", false)] {
                try ShopVersions.say("lint: {rules: {data-loss: \(setting)}}\n", in: folder)
                let check = try momtool(["check"], in: folder)
                #expect(check.status == 0, "\(setting): \(check.output)")
                #expect(check.output.contains("[data-loss]") == isSaid, "\(check.output)")
            }
        }
    }
}
