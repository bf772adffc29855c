import Diagnostics
import Foundation
import ModelLoading
import ObjectModel
import Testing
import XMLReading

struct BundleTests {
    private func read(_ files: [String: String]) throws -> Diagnosed<ModelBundle> {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let bundle = folder.appending(path: "App.xcdatamodeld")
        try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
        for (name, text) in files {
            let file = bundle.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: file)
        }
        return readModelBundle(at: bundle.path)
    }

    private func current(_ name: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0"><dict>
            <key>_XCCurrentVersionName</key><string>\(name)</string>
        </dict></plist>
        """
    }

    @Test func `versions come in the order that people count`() throws {
        let bundle = try read([
            "App 10.xcdatamodel/contents": "<model/>", "App.xcdatamodel/contents": "<model/>",
            "App 2.xcdatamodel/contents": "<model/>", "notes.txt": "",
            ".xccurrentversion": current("App 10.xcdatamodel"),
        ])
        #expect(bundle.diagnostics.isEmpty)
        #expect(bundle.value.versions.map(\.name) == ["App", "App 2", "App 10"])
        #expect(bundle.value.currentVersion?.name == "App 10")
        #expect(bundle.value.version(named: "App 2.xcdatamodel")?.name == "App 2")
        #expect(bundle.value.version(named: "App 3") == nil)
    }

    @Test func `the only version is the current one`() throws {
        let bundle = try read(["App.xcdatamodel/contents": "<model/>"])
        #expect(bundle.diagnostics.isEmpty)
        #expect(bundle.value.currentVersion?.name == "App")
    }

    @Test func `a current version that is not there is a warning, as most work needs none`() throws
    {
        let bundle = try read([
            "App.xcdatamodel/contents": "<model/>",
            ".xccurrentversion": current("App 2.xcdatamodel"),
        ])
        #expect(bundle.diagnostics.map(\.rule) == [.missingCurrentVersion])
        #expect(!bundle.hasErrors)
        #expect(bundle.value.currentVersion == nil)
    }

    @Test func `a file that names no current version is a warning where there are several`() throws
    {
        let empty = #"<?xml version="1.0"?><plist version="1.0"><dict/></plist>"#
        let one = try read(["App.xcdatamodel/contents": "<model/>", ".xccurrentversion": empty])
        #expect(one.diagnostics.isEmpty)
        #expect(one.value.currentVersion?.name == "App")
        let two = try read([
            "App.xcdatamodel/contents": "<model/>", "App 2.xcdatamodel/contents": "<model/>",
            ".xccurrentversion": empty,
        ])
        #expect(two.diagnostics.map(\.rule) == [.missingCurrentVersion])
        #expect(!two.hasErrors)
        #expect(two.value.currentVersion == nil)
        #expect(two.value.versions.count == 2)
    }

    @Test func `several versions and no current one are a warning`() throws {
        let bundle = try read([
            "A.xcdatamodel/contents": "<model/>", "B.xcdatamodel/contents": "<model/>",
        ])
        #expect(bundle.diagnostics.map(\.rule) == [.missingCurrentVersion])
        #expect(!bundle.hasErrors)
    }

    @Test func `a damaged current version is an error at its line`() throws {
        let bundle = try read([
            "A.xcdatamodel/contents": "<model/>", ".xccurrentversion": "<plist>\n<dict>",
        ])
        #expect(bundle.diagnostics.map(\.rule) == [.malformedXML])
        #expect(bundle.diagnostics.first?.location?.line == 2)
    }

    @Test func `an empty bundle is no model`() throws {
        #expect(try read(["notes.txt": ""]).diagnostics.map(\.rule) == [.emptyBundle])
    }

    @Test func `a version without contents, an Xcode 3 model and a missing path are told apart`()
        throws
    {
        #expect(try read(["A.xcdatamodel/layout": ""]).diagnostics.map(\.rule) == [.unreadableFile])
        #expect(
            try read(["A.xcdatamodel/elements": "x"]).diagnostics.map(\.rule) == [
                "legacy-model-format", .notAModel,
            ]
        )
        let missing = readModelBundle(at: "/nonexistent/App.xcdatamodeld")
        #expect(missing.diagnostics.map(\.rule) == [.unreadableFile])
    }

    /// The phases of a target, and what it is for a model among their files.
    @Test(arguments: [
        ("Sources", ProjectModel.Membership.inTarget), ("Resources", .inTarget),
        ("Frameworks", .inNoTarget), ("Headers", .inNoTarget), ("CopyFiles", .inNoTarget),
    ])
    func `a phase compiles models or does not`(_ phase: String, _ found: ProjectModel.Membership) {
        let text = """
            // !$*UTF8*$!
            { objects = {
                A0 = {isa = XCVersionGroup; path = M.xcdatamodeld; sourceTree = SOURCE_ROOT; };
                B1 = {isa = PBXBuildFile; fileRef = A0; };
                C1 = {isa = PBX\(phase)BuildPhase; files = (B1); };
                D1 = {isa = PBXNativeTarget; buildPhases = (C1); };
            }; }
            """
        let read = readXcodeProject(Array(text.utf8), path: "x", model: "M.xcdatamodeld")
        #expect(read.value?.membership == found)
    }

    @Test func `a conflict that git left in a project is told as one`() {
        let text = "// !$*UTF8*$!\n{\n<<<<<<< HEAD\na = 1;\n=======\na = 2;\n>>>>>>> other\n}\n"
        let read = readXcodeProject(
            Array(text.utf8),
            path: "project.pbxproj",
            model: "M.xcdatamodeld"
        )
        #expect(read.diagnostics.map(\.rule) == [.unreadableProject])
        #expect(read.diagnostics.first?.location?.line == 3)
    }
}
