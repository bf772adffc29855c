import Diagnostics
import Foundation
import ModelChecking
import ModelLoading
import Momtool
import TestSupport
import Testing

struct LinterRulesTests {
    private static let source = """
        <model><entity name="Book"><attribute name="a" optional="YES" attributeType="String"/>
        <relationship name="next" optional="YES" maxCount="1" destinationEntity="Book"/></entity></model>
        """

    private func severities(
        _ rules: [RuleID: Linter.RuleSetting],
        _ configuration: String? = nil
    ) throws -> [Severity] {
        try withFolder { folder in
            let bundle = folder.appending(path: "Shop.xcdatamodeld")
            try writeBundle([Self.source], at: bundle)
            try write(configuration ?? "", ".momtool.yml", in: folder)
            return try Linter(rules: rules).findings(in: bundle.path)
                .filter { $0.rule == "missing-inverse" }.map(\.severity)
        }
    }

    @Test func `a rule is off, or its breaches have another severity`() throws {
        #expect(try severities([:]) == [.note])
        #expect(try severities(["missing-inverse": .warning]) == [.warning])
        #expect(try severities(["missing-inverse": .error]) == [.error])
        #expect(try severities(["missing-inverse": .off]) == [])
    }

    @Test func `code counts before the configuration`() throws {
        let configuration = "lint: {rules: {missing-inverse: off}}\n"
        #expect(try severities([:], configuration) == [])
        #expect(try severities(["missing-inverse": .error], configuration) == [.error])
    }

    @Test func `a rule that is not there is told, with the one that was meant`() throws {
        let error = #expect(throws: MomtoolError.self) { try severities(["missing-invers": .off]) }
        #expect(error?.kind == .usage)
        #expect(error?.description.contains("'missing-inverse'") == true, "\(error)")
    }
}

struct BridgeTests {
    private static func version(_ attributes: String...) -> String {
        "<model><entity name='A'>\(attributes.joined())</entity></model>"
    }

    private static func attribute(_ name: String, _ type: String) -> String {
        "<attribute name='\(name)' optional='YES' attributeType='\(type)'/>"
    }

    @Test(arguments: [
        ("  - lightweight: [V1, V1.5, V2]", true),
        ("  - lightweight: [V1]\n  - custom: {from: V1.5, to: V2}\n    willMigrate: m.sql", false),
        ("  - custom: {from: V1, to: V1.5}\n    didMigrate: m.sql\n  - lightweight: [V2]", false),
        ("  - custom: {from: V1, to: V1.5}\n    willMigrate: m.sql\n  - lightweight: [V2]", true),
    ])
    func `a stage at either end of the bridging version moves the values`(
        stages: String,
        isLost: Bool
    ) throws {
        let (old, new) = (Self.attribute("n", "String"), Self.attribute("newN", "Integer 64"))
        let heir =
            "<attribute name='n' optional='YES' attributeType='Integer 64' elementID='newN'/>"
        try withFolder { folder in
            let versions = [
                "V1": Self.version(old), "V1.5": Self.version(old, new), "V2": Self.version(heir),
            ]
            try writeBundle(versions, "M.xcdatamodeld", in: folder)
            let bundle = folder.appending(path: "M.xcdatamodeld")
            let first = try #require(readModelBundle(at: bundle.path).value.version(named: "V1"))
            let lock = ModelLock(versions: [ModelLock.Version(first)])
            try write(lock.text, "M.xcdatamodeld.lock", in: folder)
            try write("UPDATE A SET newN = 1;\n", "m.sql", in: folder)
            try write("model: M.xcdatamodeld\nstages:\n\(stages)\n", "S.yml", in: folder)
            try write("stages: [S.yml]\nlosses: {V2: [A.n]}\n", ".momtool.yml", in: folder)
            let found = try Linter().findings(in: bundle.path).filter { $0.rule == "data-loss" }
            #expect(found.isEmpty == !isLost, "\(found)")
        }
    }
}

struct PrunedNameTests {
    @Test func `a version gets no name of one that was pruned`() throws {
        try withFolder { folder in
            try writeBundle([textModel("A", ["a"])], "M.xcdatamodeld", in: folder)
            let path = folder.appending(path: "M.xcdatamodeld").path
            let bundle = readModelBundle(at: path).value
            var gone = ModelLock.Version(try #require(bundle.versions.first))
            gone.name = "V2"
            gone.prunedDay = "2026-01-31"
            var lock = ModelLock()
            lock.prunedVersions = [gone]
            try write(lock.text, "M.xcdatamodeld.lock", in: folder)
            for (name, isFree) in [("V2", false), ("v2.xcdatamodel", false), ("V3", true)] {
                #expect((try? bundle.checkedVersionName(name)) == (isFree ? name : nil))
            }
        }
    }
}

/// Files that git writes with a carriage return in each line end, as on Windows, are read as others are.
struct WindowsLineTests {
    @Test(arguments: ["\n", "\r\n"])
    func `a stages file is found`(end: String) throws {
        try withFolder { folder in
            let lines = ["# From 1 on.", "stages:", "  - lightweight: [V1, V2]", ""]
            let file = folder.appending(path: "Stages.yml")
            try Data(lines.joined(separator: end).utf8).write(to: file)
            let contents = ProjectContents(of: [folder.path])
            #expect(
                contents.stages.map { URL(fileURLWithPath: $0).lastPathComponent } == ["Stages.yml"]
            )
        }
    }
}

struct PassedFolderTests {
    @Test(arguments: [
        ("Pods", false), ("Carthage", false), ("DerivedData", false), ("node_modules", false),
        (".build", false), ("SourcePackages", false), ("App", true), ("pods", true),
    ])
    func `models of package managers are not those of a project`(folder: String, isFound: Bool)
        throws
    {
        try withFolder { root in
            try writeBundle([textModel("A", ["a"])], "\(folder)/M.xcdatamodeld", in: root)
            try write("@Model\nclass Item { var a = 1 }\n", "\(folder)/Item.swift", in: root)
            let found = ProjectContents(below: root.path).models
            #expect(found.isEmpty != isFound, "\(found)")
            #expect(readSwiftBundle(at: root.path).value.versions.isEmpty != isFound)
        }
    }
}

/// Finds the folders that are models of their own where several targets declare classes.
struct TargetFolderTests {
    @Test(arguments: [
        (["Pkg/Sources/A", "Pkg/Sources/B"], ["Pkg/Sources/A", "Pkg/Sources/B"]),
        (
            ["App/Models", "Pkg/Sources/A", "Pkg/Sources/B", "Pkg/Tests/ATests"],
            ["App", "Pkg/Sources/A", "Pkg/Sources/B"]
        ),
        (
            ["Pkg/Demo/App", "Pkg/Sources/A", "Pkg/Sources/B"],
            ["Pkg/Demo", "Pkg/Sources/A", "Pkg/Sources/B"]
        ),
        (["App", "Pkg/Sources/A"], [""]),
    ])
    func `an app beside the targets of packages is one too`(
        folders: [String],
        models: [String]
    ) throws {
        try withFolder { root in
            for folder in folders {
                try write("@Model\nclass Item { var a = 1 }\n", "\(folder)/Item.swift", in: root)
            }
            let contents = ProjectContents(below: root.path)
            let found = contents.models.map { $0.dropFirst(root.path.count + 1) }
            #expect(found.map(String.init) == models)
        }
    }

    @Test(arguments: [
        // Each target has a class Item.
        (["App/Models", "Watch"], [["App/Models"], ["Watch"]], ["App", "Watch"]),
        // One target has both, as of two versions.
        (["App/Old", "App/New"], [["App/Old", "App/New"], ["App/New"]], [""]),
        // Tests declare what they like.
        (["App", "AppTests"], [["App"], ["AppTests"]], [""]),
        (["App", "AppUITests"], [["App"], ["AppUITests"]], [""]),
        // Folders that targets share are no models.
        (["App", "Watch", ""], [["App", ""], ["Watch", ""]], [""]),
    ])
    func `targets of Xcode with classes of one name are models`(
        folders: [String],
        targets: [[String]],
        models: [String]
    ) throws {
        try withFolder { root in
            var objects: [String] = []
            for folder in folders {
                try write("@Model\nclass Item { var a = 1 }\n", "\(folder)/Item.swift", in: root)
                let path = "\"\(folder)/Item.swift\"; sourceTree = SOURCE_ROOT"
                objects.append("\"f\(folder)\" = {isa = PBXFileReference; path = \(path);};")
                objects.append("\"b\(folder)\" = {isa = PBXBuildFile; fileRef = \"f\(folder)\";};")
            }
            for (number, target) in targets.enumerated() {
                let files = target.map { "\"b\($0)\"" }.joined(separator: ",")
                let types = ["AppTests": "bundle.unit-test", "AppUITests": "bundle.ui-testing"]
                let type = types[target[0]] ?? "application"
                objects.append("s\(number) = {isa = PBXSourcesBuildPhase; files = (\(files));};")
                objects.append(
                    "t\(number) = {isa = PBXNativeTarget; productType = \"com.apple.product-type.\(type)\"; buildPhases = (s\(number));};"
                )
            }
            let project = "{objects = {\(objects.joined(separator: "\n"))};}"
            try write(project, "T.xcodeproj/project.pbxproj", in: root)
            let contents = ProjectContents(below: root.path)
            let found = contents.models.map { $0.dropFirst(root.path.count + 1) }
            #expect(found.map(String.init) == models)
        }
    }

    @Test(arguments: [
        ("sources: [\"App/**\"]), Target(sources: \"Watch/**/*.swift\")", ["App", "Watch"]),
        (
            "sources: [.glob(\"**\", excluding: \"Watch/**\")]), .target(sources: [\"Watch/**\"])",
            ["App", "Watch"]
        ),
        ("sources: [\"App/**\", \"Watch/*\"])", [""]),
        ("sources: [\"App/**\"]), .target(product: .unitTests, sources: [\"Watch/**\"])", [""]),
    ])
    func `targets of Tuist with classes of one name are models`(
        targets: String,
        models: [String]
    ) throws {
        try expectModels(
            models,
            "import ProjectDescription\nlet a = .target(\(targets)",
            "Project.swift"
        )
    }

    @Test(arguments: [
        ("{App: {sources: App}, Watch: {sources: [Watch]}}", ["App", "Watch"]),
        ("{App: {sources: [App, Watch]}}", [""]),
        ("{App: {sources: App}, T: {type: bundle.unit-test, sources: Watch}}", [""]),
    ])
    func `targets of XcodeGen with classes of one name are models`(
        targets: String,
        models: [String]
    ) throws { try expectModels(models, "name: A\ntargets: \(targets)\n", "project.yml") }

    private func expectModels(_ models: [String], _ project: String, _ file: String) throws {
        try withFolder { root in
            for folder in ["App/Models", "Watch"] {
                try write("@Model\nclass Item { var a = 1 }\n", "\(folder)/Item.swift", in: root)
            }
            try write(project, file, in: root)
            let found = ProjectContents(below: root.path).models
            #expect(found.map { String($0.dropFirst(root.path.count + 1)) } == models)
        }
    }
}
