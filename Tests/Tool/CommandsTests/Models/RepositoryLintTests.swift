import Foundation
import TestSupport
import Testing

struct RepositoryLintTests {
    private let faulty = """
        <model>
        <entity name='A'><relationship name='next' maxCount='1' optional='YES' destinationEntity='A'/></entity>
        </model>
        """

    @Test func `every model below a folder is checked, and what tools made is left out`() throws {
        try withFolder { folder in
            for path in [
                "App/Shop.xcdatamodeld/Shop.xcdatamodel/contents",
                "Kit/Sources/B.xcdatamodel/contents",
                ".build/checkouts/Other/C.xcdatamodel/contents", ".git/D.xcdatamodel/contents",
            ] { try write(faulty, path, in: folder) }
            let result = try momtool(["lint", ".", "--fail-on", "note"], in: folder)
            #expect(result.status == 1)
            let findings = result.output.matches(of: #/(?m)^([^ :]+):[0-9]+:[0-9]+: /#)
            let paths = Set(findings.map { String($0.output.1) })
            #expect(
                paths == [
                    "App/Shop.xcdatamodeld/Shop.xcdatamodel/contents",
                    "Kit/Sources/B.xcdatamodel/contents",
                ],
                "\(result.output)"
            )
            #expect(result.output.contains("2 models: "))
            let above = try momtool(["lint", "Kit"], in: folder)
            #expect(above.output.contains("Kit/Sources/B.xcdatamodel/contents:2:"))
            #expect(!above.output.contains("Shop.xcdatamodeld"))
        }
    }

    @Test func `a model that cannot be read does not hide what is wrong with the others`() throws {
        try withFolder { folder in
            try write("<model", "A.xcdatamodel/contents", in: folder)
            try write(faulty, "B.xcdatamodel/contents", in: folder)
            let result = try momtool(["lint", "."], in: folder)
            #expect(result.status != 0)
            #expect(result.output.contains("B.xcdatamodel/contents:2:"))
            #expect((result.output + result.errors).contains("A.xcdatamodel/contents:1:"))
        }
    }

    @Test func `settings count for the models below them alone`() throws {
        try withFolder { folder in
            try write(faulty, "App/A.xcdatamodel/contents", in: folder)
            try write(faulty, "Kit/B.xcdatamodel/contents", in: folder)
            let settings = "lint:\n  rules:\n    missing-inverse: off\n"
            try write(settings, "Kit/.momtool.yml", in: folder)
            let result = try momtool(["lint", "."], in: folder)
            let lines = result.output.split(separator: "\n").filter {
                $0.contains("[missing-inverse]")
            }
            #expect(lines.count == 1)
            #expect(lines.first?.contains("App/A.xcdatamodel") == true, "\(result.output)")
        }
    }

    @Test func `a folder without a model is said to have none`() throws {
        try withFolder { folder in
            let result = try momtool(["lint", "."], in: folder)
            #expect([65, 66].contains(result.status))
            #expect(result.errors.contains("error: "))
        }
    }
}
