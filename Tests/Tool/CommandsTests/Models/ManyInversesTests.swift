import Foundation
import TestSupport
import Testing

struct ManyInversesTests {
    @Test func `thousands of inverses are written`() throws {
        try withFolder { folder in
            var lines = ["import SwiftData"]
            for owner in 0..<20 {
                let names = (0..<50).map { "Part\(owner)x\($0)" }
                lines.append("@Model final class Owner\(owner) {\n    init() {}")
                lines += names.enumerated().map { "    var part\($0): \($1)?" }
                lines.append("}")
                lines += names.map {
                    "@Model final class \($0) {\n    init() {}\n    var owner: Owner\(owner)?\n}"
                }
            }
            let file = folder.appending(path: "Models.swift")
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
            let fixed = try momtool(["lint", "Models.swift", "--fix"], in: folder)
            #expect(fixed.status == 0, "\(fixed.errors.prefix(500))")
            #expect(fixed.errors.contains("Models.swift: 1000 fixed"))
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(text.components(separatedBy: "@Relationship(inverse: ").count == 1001)
        }
    }
}
