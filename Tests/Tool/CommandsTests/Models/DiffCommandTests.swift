import Foundation
import TestSupport
import Testing

private let library = "Models/Library.xcdatamodeld"

struct DiffCommandTests {
    @Test func `every change has its verdict, places and query`() throws {
        let result = try expectRun(["diff", library, "--from", "V1", "--to", "V5"], 0)
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

    @Test func `a diagram holds the part that is asked for`() throws {
        func boxes(of model: String = library, _ arguments: String...) throws -> Int {
            let diagram = try expectRun(["graph", model] + arguments, 0)
            return diagram.output.components(separatedBy: "\n    class ").count - 1
        }
        let whole = try boxes()
        #expect(try boxes("--entity", "Book", "--depth", "0") == 1 && whole > 3)
        #expect(try boxes("--entity", "Book") > 1)
        let changed = try boxes(of: library + "#V2", "--from", "V1", "--changed")
        #expect(changed > 0 && changed <= whole + 1)
        for arguments in [
            ["--entity", "None"], ["--changed"], ["--depth", "2"],
            ["--entity", "Book", "--depth", "-1"],
        ] {
            #expect(try momtool(["graph", library] + arguments).status == 64, "\(arguments)")
        }
    }

    @Test func `advice is given once`() throws {
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
            try writeBundle([model("Old"), model("New")], at: shop)
            func report(_ format: String) throws -> String {
                try momtool(["diff", "Shop.xcdatamodeld", "--format", format], in: folder).output
            }
            func count(_ part: String, _ text: String) -> Int {
                text.components(separatedBy: part).count - 1
            }
            let cure = "set the renaming identifier of the new entity"
            let table = try report("markdown")
            #expect(count("Each of these may be a rename", table) == 1)
            #expect(count("- `Old3` → `New3`", table) == 1)
            #expect(count(cure, table) == 1)
            let text = try report("text")
            #expect(count(cure, text) == 1)
        }
    }

    @Test func `git shows models by the diff driver, and a revision is compared`() throws {
        try withFolder { folder in
            let model = folder.appending(path: "M.xcdatamodel")
            try makeFolder(model)
            func write(_ type: String) throws {
                let text =
                    "<model><entity name='A'><attribute name='a' attributeType='\(type)'/></entity></model>"
                try Data(text.utf8).write(to: model.appending(path: "contents"))
            }
            try write("Integer 16")
            try Data("**/contents diff=momtool\n".utf8)
                .write(to: folder.appending(path: ".gitattributes"))
            try commit("one", in: folder)
            try write("Integer 32")
            let driver = "diff.momtool.command=\(commandFolder)/momtool diff --git-driver"
            let shown = try git("-c", driver, "diff", in: folder)
            #expect(shown.status == 0)
            #expect(shown.output.contains("old M.xcdatamodel/contents → new"))
            #expect(shown.output.contains("A.a: type: Integer 16 → Integer 32"))
            let against = try momtool("diff M.xcdatamodel --against HEAD", in: folder)
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
            try writeBundle([source("")], at: bundle)
            try Data("**/contents diff=momtool\n".utf8)
                .write(to: folder.appending(path: ".gitattributes"))
            try commit("one", in: folder)
            let new = source("<attribute name='b' optional='YES' attributeType='String'/>")
            try writeBundle([source(""), new], at: bundle)
            try git("add", "-A", in: folder)
            let driver = "diff.momtool.command=\(commandFolder)/momtool diff --git-driver"
            let shown = try git("-c", driver, "diff", "--cached", in: folder)
            #expect(shown.output.contains("'V1', the version before → new"), "\(shown.output)")
            #expect(shown.output.contains("A.b: ") && !shown.output.contains("A.a: "))
        }
    }

    @Test func `diagrams come in two forms`() throws {
        #expect(try momtool("graph", library).output.hasPrefix("classDiagram\n"))
        #expect(try momtool("graph", library, "--format", "dot").output.hasPrefix("digraph"))
        let marked = try momtool("graph", library, "--from", "V1").output
        #expect(marked.contains("cssClass \"") && marked.contains("\" added\n"))
        #expect(try momtool("graph", library, "--format", "png").status == 64)
    }

    @Test func `git shows a file that is not understood by its lines, and the files behind it`()
        throws
    {
        try withFolder { folder in
            func write(_ name: String, _ attribute: String) throws {
                let model = folder.appending(path: "\(name).xcdatamodel")
                try makeFolder(model)
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
            try commit("one", in: folder)
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
            let unmerged = try expectRun("diff --git-driver M1.xcdatamodel/contents", 0)
            #expect(unmerged.output == "* Unmerged path M1.xcdatamodel/contents\n")
            let own = try momtool("diff M1.xcdatamodel --against HEAD", in: folder)
            #expect(own.output.contains("no difference in what is understood\n"), "\(own.output)")
            #expect(own.output.contains("not compared, as they are not understood: A"))
        }
    }
}
