import Foundation
import TestSupport
import Testing

struct HouseRuleTests {
    @Test func `the rules of the page say what their examples say`() throws {
        try withFolder { folder in
            let page = "Sources/Library/Momtool/Momtool.docc/HouseRules.md"
            let text = try fileText(Corpus.package.appending(path: page))
            let parts = text.components(separatedBy: "```yaml\n").dropFirst()
            let rules = try #require(parts.first?.components(separatedBy: "```").first)
            try write(rules, ".momtool.yml", in: folder)
            try expectRun("config --test", in: folder, 0, "2 rules, 3 examples")
        }
    }

    private static let endless = [
        (0..<6).reduce("name == 'x'") { inner, depth in
            "SUBQUERY(version.entities, $v\(depth), \(inner)).@count > 0"
        },
        "name MATCHES 'E(a|a)*b'", "name LIKE '*a*a*a*a*a*a*a*a*b'",
    ]

    @Test(arguments: endless)
    func `a condition that would take for ever is stopped, and says so`(condition: String) throws {
        try withFolder { folder in
            let entities = (0..<60).map { number in
                let name = "E\(String(repeating: "a", count: 200))\(number)"
                return "<entity name='\(name)'><attribute name='a' attributeType='Date'/></entity>"
            }
            let model = "<model documentVersion=\"1.0\">\(entities.joined())</model>"
            try writeBundle([model], "Shop.xcdatamodeld", in: folder)
            let rule = "{id: acme-slow, for: entity, when: \"\(condition)\", message: slow}"
            try write("rules:\n  - \(rule)\n", ".momtool.yml", in: folder)
            try expectRun("lint Shop.xcdatamodeld", in: folder, 1, "'V1'")
        }
    }
}
