import Foundation
import TestSupport
import Testing

/// The changes of the page "Changes in words", each done as it is shown and proven on a store.
struct ChangesInWordsTests {
    private static let page = "ChangesInWords.md"

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
            let result = try migratedShop(
                of: Self.page,
                rows: #require(try guideBlocks(Self.page, "json").first),
                by: change.script,
                check: "momtool check",
                in: folder
            )
            let text = String(decoding: result, as: UTF8.self)
            #expect(text.contains("\"Emma\"") && text.contains("\"Ada\""), "\(text)")
        }
    }
}
