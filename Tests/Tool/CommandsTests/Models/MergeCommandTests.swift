import Foundation
import TestSupport
import Testing

struct MergeCommandTests {
    private static func model(_ names: String..., tools: String = "1") -> String {
        let rows = names.map { name in
            let parts = name.split(separator: "=")
            let value = parts.count > 1 ? " defaultValueString=\"\(parts[1])\"" : ""
            return "        <attribute name=\"\(parts[0])\" attributeType=\"String\"\(value)/>\n"
        }
        return """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model lastSavedToolsVersion="\(tools)">
                <entity name="A" syncable="YES">
            \(rows.joined())    </entity>
            </model>

            """
    }

    /// The lines of the guide that make the command git's driver, with the built command.
    private func driver() throws -> String {
        let guide = try fileText(pagesFolder.appending(path: "CheckingModels.md"))
        let section = try #require(
            guide.components(separatedBy: "### As git's merge driver\n").last
        )
        let lines = section.components(separatedBy: "\n").drop { !$0.hasPrefix("```") }
        let built = lines.dropFirst().prefix { !$0.hasPrefix("```") }.map {
            $0.replacing("'momtool model merge", with: "'\(commandFolder)/momtool model merge")
        }
        return (["set -e"] + built).joined(separator: "\n")
    }

    @Test func `git merges branches by the driver of the guide`() throws {
        try withFolder { folder in
            let path = "Shop.xcdatamodeld/Shop 2.xcdatamodel/contents"
            func save(_ text: String, on branch: String...) throws {
                try git("checkout", "-q", branch[0], in: folder)
                if branch.count > 1 { try git("checkout", "-qb", branch[1], in: folder) }
                try write(text, path, in: folder)
                try commit("a", in: folder)
            }
            func merge(_ branch: String) throws -> CommandResult {
                try git("checkout", "-q", "main", in: folder)
                return try git("merge", "-q", branch, in: folder)
            }
            try makeRepository(folder)
            let made = try result(of: URL(filePath: "/bin/sh"), ["-c", driver()], in: folder)
            #expect(made.status == 0, "\(made.errors)")
            try save(Self.model("a", "z"), on: "main")
            try save(Self.model("a", "m", "z", tools: "3"), on: "main", "side")
            try save(Self.model("a", "b", "z", tools: "2"), on: "main")
            let merged = try merge("side")
            #expect(merged.status == 0, "\(merged.output)\(merged.errors)")
            let file = folder.appending(path: path)
            #expect(try fileText(file) == Self.model("a", "b", "m", "z", tools: "3"))
            try save(Self.model("a=1", "b", "m", "z"), on: "main", "other")
            try save(Self.model("a=2", "b", "m", "z"), on: "main")
            let refused = try merge("other")
            #expect(refused.status != 0)
            let place = "Shop 2.xcdatamodel/contents:4:9: error: A.a"
            #expect((refused.output + refused.errors).contains(place))
            let text = try fileText(file)
            #expect(text.contains("<!-- <<<<<<< ours") && text.contains("defaultValueString=\"1\""))
        }
    }
}
