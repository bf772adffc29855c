import Foundation
import TestSupport
import Testing

private let library = "Models/Library.xcdatamodeld"

struct DiffCommandTests {
    @Test func `every change has its verdict, places and query`() throws {
        let result = try momtool("diff", library, "--from", "V1", "--to", "V5")
        #expect(result.status == 0)
        #expect(result.output.hasPrefix("V1 → V5: loses data\n"))
        #expect(result.output.contains("Book.notes: optional String attribute removed [loses data"))
        #expect(result.output.contains("type: Integer 16 → Integer 32 [lightweight though"))
        #expect(result.output.contains("decided by: SELECT count(*)"))
        #expect(result.output.contains("entity hashes that move: "))
    }

    @Test func `the exit status tells of a difference when asked`() throws {
        #expect(try momtool("diff", library, "--exit-code").status == 2)
        #expect(
            try momtool("diff", library, "--from", "V1", "--to", "V1", "--exit-code").status == 0
        )
        #expect(try momtool("diff", library + "#V1").status == 3)
        #expect(try momtool("diff", "a", "b", "c").status == 64)
    }

    @Test func `two paths and a store's embedded model are compared`() throws {
        let same = try momtool("diff", "Fixtures/Library-V1.sqlite", library + "#V1", "--exit-code")
        #expect(same.errors == "")
        let other = try momtool("diff", library + "#V1", library + "#V2", "--format", "json")
        let json = try JSONSerialization.jsonObject(with: Data(other.output.utf8)) as? [String: Any]
        #expect(json?["verdict"] as? String == "lightweight")
        #expect((json?["changes"] as? [[String: Any]])?.isEmpty == false)
    }

    @Test func `the page needs nothing but itself`() throws {
        let page = try momtool("diff", library, "--from", "V1", "--format", "html").output
        #expect(page.contains("<svg "))
        #expect(page.contains("prefers-color-scheme: dark"))
        // The namespace is a name, not an address that is read.
        let rest = page.replacingOccurrences(of: "http://www.w3.org/2000/svg", with: "")
        #expect(!rest.contains("http") && !rest.contains("src=") && !rest.contains("<link"))
        // A change leads to its box.
        #expect(page.contains("<a href=\"#box-") && page.contains("id=\"box-0\""))
    }

    @Test func `a picture's page stands alone and holds the part that is asked for`() throws {
        let page = try momtool("graph", library, "--format", "html")
        #expect(page.status == 0)
        let rest = page.output.replacingOccurrences(of: "http://www.w3.org/2000/svg", with: "")
        #expect(!rest.contains("http") && !rest.contains("src=") && !rest.contains("<link"))
        func boxes(_ arguments: String...) throws -> Int {
            let picture = try momtool(["graph", library, "--format", "svg"] + arguments)
            #expect(picture.status == 0, "\(picture.errors)")
            return picture.output.components(separatedBy: "<g class=\"box ").count - 1
        }
        let whole = try boxes()
        let part = try boxes("--entity", "Book", "--depth", "0")
        #expect(part == 1 && whole > 3)
        let near = try boxes("--entity", "Book")
        #expect(near > 1)
        let changed = try boxes("--from", "V1", "--version", "V2", "--changed")
        #expect(changed > 0 && changed <= whole + 1)
        for arguments in [
            ["--entity", "None"], ["--changed"], ["--depth", "2"],
            ["--entity", "Book", "--depth", "-1"],
        ] {
            #expect(try momtool(["graph", library] + arguments).status == 64, "\(arguments)")
        }
    }

    static let browser = [
        "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome",
    ]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

    @Test func `a page begins with its counts, and advice is given once`() throws {
        func model(_ prefix: String) -> String {
            let entities = (0..<5).map { number in
                let attributes = ["a", "b", "c"].map {
                    "<attribute name='\($0)\(number)' optional='YES' attributeType='String'/>"
                }
                return "<entity name='\(prefix)\(number)'>\(attributes.joined())</entity>"
            }
            return "<model>\(entities.joined())</model>"
        }
        try withFolder { folder in
            let shop = folder.appending(path: "Shop.xcdatamodeld")
            try writeBundle(["V1": model("Old"), "V2": model("New")], current: "V2", at: shop)
            func report(_ format: String) throws -> String {
                try momtool(["diff", "Shop.xcdatamodeld", "--format", format], in: folder).output
            }
            func count(_ part: String, _ text: String) -> Int {
                text.components(separatedBy: part).count - 1
            }
            let page = try report("html")
            let counts = try #require(
                page.range(of: "<h2>10 changes</h2>\n<p class=\"verdicts\">")
            )
            let sides = try #require(page.range(of: "<div class=\"sides\">"))
            #expect(counts.lowerBound < sides.lowerBound)
            let cure = "set the renaming identifier of the new entity"
            #expect(count("Each of these may be a rename", page) == 1)
            #expect(count("<b>Old3</b> → <b>New3</b>", page) == 1)
            #expect(count(cure, page) == 1)
            let table = try report("markdown")
            #expect(count("Each of these may be a rename", table) == 1)
            #expect(count("- `Old3` → `New3`", table) == 1)
            #expect(count(cure, table) == 1)
            let text = try report("text")
            #expect(count(cure, text) == 1)
        }
    }

    @Test(.enabled(if: browser != nil))
    func `a browser draws the page`() throws {
        try withFolder { folder in
            let page = folder.appending(path: "diff.html")
            let picture = folder.appending(path: "diff.png")
            let format = "html=\(page.path)"
            _ = try momtool("diff", library, "--from", "V1", "--to", "V5", "--format", format)
            let arguments = [
                "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1600,1000",
                "--user-data-dir=\(folder.path)/profile", "--screenshot=\(picture.path)",
                page.absoluteString,
            ]
            _ = try result(of: URL(fileURLWithPath: Self.browser ?? ""), arguments)
            // An empty page of this size takes some 10 KB.
            #expect(try Data(contentsOf: picture).count > 60_000)
        }
    }

    @Test func `git shows models by the diff driver, and a revision is compared`() throws {
        try withFolder { folder in
            let model = folder.appending(path: "M.xcdatamodel")
            try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
            func write(_ type: String) throws {
                let text =
                    "<model><entity name='A'><attribute name='a' attributeType='\(type)'/></entity></model>"
                try Data(text.utf8).write(to: model.appending(path: "contents"))
            }
            try write("Integer 16")
            try Data("**/contents diff=momtool\n".utf8)
                .write(to: folder.appending(path: ".gitattributes"))
            try git("init", "-q", in: folder)
            try git("add", "-A", in: folder)
            try git("commit", "-qm", "one", in: folder)
            try write("Integer 32")
            let driver = "diff.momtool.command=\(commandFolder)/momtool diff --git-driver"
            let shown = try git("-c", driver, "diff", in: folder)
            #expect(shown.status == 0)
            #expect(shown.output.contains("old M.xcdatamodel/contents → new"))
            #expect(shown.output.contains("A.a: type: Integer 16 → Integer 32"))
            let against = try momtool(["diff", "M.xcdatamodel", "--against", "HEAD"], in: folder)
            #expect(against.output.contains("A.a: type: Integer 16 → Integer 32"))
            #expect(against.output.contains("from HEAD:M.xcdatamodel/contents:1:"))
        }
    }

    @Test func `git shows a new version against the one before it`() throws {
        try withFolder { folder in
            func source(_ rest: String) -> String {
                "<model><entity name='A'><attribute name='a' optional='YES' attributeType='String'/>\(rest)</entity></model>"
            }
            let bundle = folder.appending(path: "M.xcdatamodeld")
            try writeBundle(["V1": source("")], current: "V1", at: bundle)
            try Data("**/contents diff=momtool\n".utf8)
                .write(to: folder.appending(path: ".gitattributes"))
            try git("init", "-q", in: folder)
            try git("add", "-A", in: folder)
            try git("commit", "-qm", "one", in: folder)
            let new = source("<attribute name='b' optional='YES' attributeType='String'/>")
            try writeBundle(["V1": source(""), "V2": new], current: "V2", at: bundle)
            try git("add", "-A", in: folder)
            let driver = "diff.momtool.command=\(commandFolder)/momtool diff --git-driver"
            let shown = try git("-c", driver, "diff", "--cached", in: folder)
            #expect(shown.output.contains("'V1', the version before → new"), "\(shown.output)")
            #expect(
                shown.output.contains("A.b: ") && !shown.output.contains("A.a: "),
                "\(shown.output)"
            )
        }
    }

    @Test func `pictures come in three forms`() throws {
        #expect(try momtool("graph", library).output.hasPrefix("classDiagram\n"))
        #expect(try momtool("graph", library, "--format", "dot").output.hasPrefix("digraph"))
        let svg = try momtool("graph", library, "--from", "V1", "--format", "svg").output
        #expect(svg.hasPrefix("<svg ") && svg.contains("class=\"box added\""))
        #expect(try momtool("graph", library, "--format", "png").status == 64)
    }

    @Test func `git shows a file that is not understood by its lines, and the files behind it`()
        throws
    {
        try withFolder { folder in
            func write(_ name: String, _ attribute: String) throws {
                let model = folder.appending(path: "\(name).xcdatamodel")
                try FileManager.default.createDirectory(
                    at: model,
                    withIntermediateDirectories: true
                )
                let text = "<model>\n<entity name='A'>\n\(attribute)\n</entity>\n</model>\n"
                try Data(text.utf8).write(to: model.appending(path: "contents"))
            }
            func attribute(_ type: String) -> String {
                "<attribute name='a' optional='YES' attributeType='\(type)'/>"
            }
            let names = ["M1", "M2", "M3"]
            for name in names { try write(name, attribute("Integer 16")) }
            try Data("**/contents diff=momtool\n".utf8)
                .write(to: folder.appending(path: ".gitattributes"))
            try git("init", "-q", in: folder)
            try git("add", "-A", in: folder)
            try git("commit", "-qm", "one", in: folder)
            try write("M1", attribute("Integr 16"))
            try write("M2", "<" + attribute("Integer 16"))
            try write("M3", attribute("Integer 32"))
            let command = "diff.momtool.command=\(commandFolder)/momtool diff --git-driver"
            for driver in [command, command + " --exit-code"] {
                let shown = try git("-c", driver, "diff", in: folder)
                #expect(shown.status == 0 && shown.errors.isEmpty, "\(shown.errors)")
                let lines = shown.output.split(separator: "\n").map(String.init)
                let said = lines.filter { $0.hasPrefix("momtool shows ") }
                #expect(said.count == 2, "\(shown.output)")
                #expect(said.first?.contains("'Integr 16'") == true, "\(said)")
                #expect(said.last?.contains("M2.xcdatamodel/contents line by line") == true)
                #expect(lines.contains("-" + attribute("Integer 16")))
                #expect(lines.contains("+" + attribute("Integr 16")))
                #expect(lines.contains("+<" + attribute("Integer 16")))
                #expect(shown.output.contains("A.a: type: Integer 16 → Integer 32"))
            }
            let unmerged = try momtool(["diff", "--git-driver", "M1.xcdatamodel/contents"])
            #expect(unmerged.status == 0)
            #expect(unmerged.output == "* Unmerged path M1.xcdatamodel/contents\n")
            let own = try momtool(["diff", "M1.xcdatamodel", "--against", "HEAD"], in: folder)
            #expect(own.output.contains("no difference in what is understood\n"), "\(own.output)")
            #expect(own.output.contains("not compared, as they are not understood: A"))
        }
    }
}
