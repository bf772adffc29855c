import Foundation
import TestSupport
import Testing

struct SkillTests {
    @Test func `the skill is short, has its heading, and fits no name that is not there`() throws {
        let text = try momtool("skill").output
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 150)
        #expect(lines[0] == "---" && lines[1] == "name: momtool")
        #expect(lines[2].hasPrefix("description: ") && lines[2].count <= 1024)
        let rules = try momtool("rules").output
        for rule in text.matches(of: /`([a-z]+(?:-[a-z]+){2,})`/) {
            #expect(rules.contains(rule.1), "\(rule.1)")
        }
    }

    @Test func `every command of the skill runs, each in a folder of its own`() throws {
        let text = try momtool("skill").output
        let commands = text.split(separator: "\n").map { $0.drop { $0 == " " } }
            .filter { $0.hasPrefix("momtool ") }
        #expect(commands.count >= 20)
        try withFolder { folder in
            let space = try PageWorkspace(.first, at: folder.appending(path: "space"))
            for (place, command) in commands.enumerated() {
                let result = try space.result(
                    of: String(command),
                    at: folder.appending(path: "\(place)")
                )
                #expect(
                    result.status == (command.hasPrefix("momtool doctor") ? 1 : 0),
                    "\(command): \(result.output)\(result.errors)"
                )
            }
        }
    }
}
