import Foundation
import TestSupport
import Testing

struct SwiftInverseFixTests {
    @Test func `lines that end as on Windows do so behind the fix`() throws {
        try withFolder { folder in
            let text = """
                @Model final class Author {
                    var books: [Book] = []
                }
                @Model final class Book {
                    var author: Author?
                }

                """.replacing("\n", with: "\r\n")
            let fixed = text.replacing(
                "var books",
                with: "@Relationship(inverse: \\Book.author) var books"
            )
            try write(text, "Models.swift", in: folder)
            try expectRun("lint Models.swift --fix", in: folder, 0)
            let written = try Data(contentsOf: folder.appending(path: "Models.swift"))
            #expect(Array(written) == Array(fixed.utf8))
        }
    }

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
            try write(lines.joined(separator: "\n") + "\n", "Models.swift", in: folder)
            let fix = "lint Models.swift --fix"
            try expectRun(fix, in: folder, 0, errors: ["Models.swift: 1000 fixed"])
            let text = try fileText(folder.appending(path: "Models.swift"))
            #expect(text.components(separatedBy: "@Relationship(inverse: ").count == 1001)
        }
    }
}
