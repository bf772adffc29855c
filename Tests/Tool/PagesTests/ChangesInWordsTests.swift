import Diagnostics
import Foundation
import TestSupport
import Testing

/// The changes of the page "Changes in words", each done as it is shown and proven on a store.
struct ChangesInWordsTests {
    private static let page = "ChangesInWords.md"

    /// A change: its heading and its commands.
    struct Change: Sendable, CustomTestStringConvertible {
        var title: String
        var script: String

        var testDescription: String { title }
    }

    static let changes: [Change] = {
        let file = pagesFolder.appending(path: page)
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.components(separatedBy: "\n### ").dropFirst().compactMap { part in
            let script = part.components(separatedBy: "```sh\n").dropFirst().first?
                .components(separatedBy: "```").first
            let title = part.components(separatedBy: "\n").first ?? ""
            return script.map { Change(title: title, script: $0) }
        }
    }()

    @Test func `there are thirty changes, each with a title of its own`() {
        #expect(Self.changes.count >= 30)
        #expect(Set(Self.changes.map(\.title)).count == Self.changes.count)
    }

    @Test(arguments: changes)
    func `a change ends with a model that checks, and a store that is migrated`(
        change: Change
    ) throws {
        try withFolder { folder in
            let model = try #require(try guideBlocks(Self.page, "xml").first)
            let rows = try #require(try guideBlocks(Self.page, "json").first)
            try writeBundle(
                ["Shop": model],
                current: "Shop",
                at: folder.appending(path: "Shop.xcdatamodeld")
            )
            try Data(rows.utf8).write(to: folder.appending(path: "Rows.json"))
            try expect("momtool lock Shop.xcdatamodeld", in: folder)
            let create = "momtool create Shop.sqlite --model Shop.xcdatamodeld --rows Rows.json"
            try expect(create, in: folder)
            try expect(change.script, in: folder)
            try expect("momtool check", in: folder)
            let stages = folder.appending(path: "Stages.yml").path
            let way =
                FileManager.default.fileExists(atPath: stages)
                ? "--stages Stages.yml" : "--model Shop.xcdatamodeld"
            try expect("momtool migrate Shop.sqlite \(way) -o New.sqlite", in: folder)
            try expect("momtool verify New.sqlite --model Shop.xcdatamodeld", in: folder)
            let export = "momtool export New.sqlite --model Shop.xcdatamodeld -o New.json"
            try expect(export, in: folder)
            let text = try String(
                contentsOf: folder.appending(path: "New.json"),
                encoding: .utf8
            )
            #expect(text.contains("\"Emma\"") && text.contains("\"Ada\""), "\(text)")
        }
    }

    private func expect(_ script: String, in folder: URL) throws {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let run = try result(
            of: URL(filePath: "/bin/sh"),
            ["-ec", script],
            in: folder,
            environment: ["PATH": "\(commandFolder):\(path)"]
        )
        #expect(run.status == 0, "\(script)\n\(run.errors)\(run.output)")
    }
}
