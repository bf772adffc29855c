import Foundation
import TestSupport
import Testing

/// Writes the documentation of models.
struct DocsCommandTests {
    private static let library = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path

    @Test func `the site has a page for each entity, and every link leads somewhere`() throws {
        try withFolder { folder in
            let site = folder.appending(path: "Site")
            let result = try momtool("docs", Self.library, "-o", site.path)
            #expect(result.status == 0, "\(result.errors)")
            let names = try FileManager.default.contentsOfDirectory(atPath: site.path)
            let entities = names.filter { $0.hasPrefix("entity-") }
            #expect(entities.count > 3 && names.contains("index.html"))
            #expect(names.contains("versions.html"))
            for name in names {
                let page = try String(contentsOf: site.appending(path: name), encoding: .utf8)
                let rest = page.replacing("http://www.w3.org/2000/svg", with: "")
                #expect(!rest.contains("http") && !rest.contains("src=") && !rest.contains("<link"))
                #expect(
                    page.contains("width=device-width") && page.contains("prefers-color-scheme")
                )
                for link in page.matches(of: /href="([^"]*)"/).map({ String($0.1) }) {
                    let isThere =
                        link.hasPrefix("#")
                        ? page.contains("id=\"\(link.dropFirst())\"") : names.contains(link)
                    #expect(isThere, "\(name): \(link)")
                }
            }
            let again = try momtool("docs", Self.library, "-o", site.path)
            #expect(again.output.contains("up to date"))
        }
    }

    @Test func `the page of versions tells changes of the data alone`() throws {
        try withFolder { folder in
            func source(_ tools: String, _ type: String) -> String {
                "<model lastSavedToolsVersion='\(tools)'><entity name='A'><attribute name='a' optional='YES'"
                    + " attributeType='\(type)'/></entity></model>"
            }
            let bundle = folder.appending(path: "M.xcdatamodeld")
            try writeBundle(
                ["M": source("22522", "Integer 16"), "M 2": source("24299", "Integer 32")],
                current: "M 2",
                at: bundle
            )
            #expect(try momtool(["docs", "M.xcdatamodeld", "-o", "Site"], in: folder).status == 0)
            let page = try String(
                contentsOf: folder.appending(path: "Site/versions.html"),
                encoding: .utf8
            )
            #expect(page.contains("Integer 16 → Integer 32"))
            #expect(!page.contains("lastSavedToolsVersion"))
        }
    }

    @Test func `what the model says of itself stands there, harmless`() throws {
        try withFolder { folder in
            let model = folder.appending(path: "M.xcdatamodel")
            try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
            let text = """
                <model><entity name='A&lt;b&gt;'><attribute name='n' attributeType='Integer 16'
                defaultValueString='7' minValueString='1' maxValueString='9'>
                <userInfo><entry key='why' value='&lt;script&gt;x'/></userInfo></attribute>
                <relationship name='r' maxCount='1' deletionRule='Cascade' destinationEntity='A&lt;b&gt;'/>
                <uniquenessConstraints><uniquenessConstraint><constraint value='n'/>
                </uniquenessConstraint></uniquenessConstraints></entity></model>
                """
            try Data(text.utf8).write(to: model.appending(path: "contents"))
            let result = try momtool(["docs", "M.xcdatamodel", "-o", "Site"], in: folder)
            #expect(result.status == 0, "\(result.errors)")
            // By the name and not by the place, so that links last.
            let file = "Site/entity--251e7741f869.html"
            let page = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            for words in [
                "A&lt;b&gt;", "Integer 16", "<code>7</code>", "at least 1, at most 9",
                "<b>why</b>: &lt;script&gt;x", "Cascade", "<code>n</code>",
            ] {
                #expect(page.contains(words), "\(words)")
            }
            #expect(!page.contains("<script>x"))
        }
    }

    @Test func `sources of this folder are called as it is`() throws {
        try withFolder { folder in
            let app = folder.appending(path: "Diary")
            try FileManager.default.createDirectory(at: app, withIntermediateDirectories: true)
            let source =
                "import SwiftData\n@Model final class Item {\n    var a: Int = 0\n    init() {}\n}\n"
            try Data(source.utf8).write(to: app.appending(path: "Item.swift"))
            let run = try momtool(["docs", ".", "-o", "../Site"], in: app)
            #expect(run.status == 0, "\(run.errors)")
            let page = try String(
                contentsOf: folder.appending(path: "Site/index.html"),
                encoding: .utf8
            )
            #expect(page.contains("<title>Diary"), "\(page.prefix(600))")
        }
    }
}
