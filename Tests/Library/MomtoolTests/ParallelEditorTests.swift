import FileSystem
import Foundation
import Momtool
import Testing
import TestSupport

struct ParallelEditorTests {
    private static let source = """
        <model><entity name="Stop" representedClassName="Stop">
        <attribute name="label" optional="YES" attributeType="String"/></entity></model>
        """

    private func withEditors(_ body: (URL, inout ModelEditor, inout ModelEditor) throws -> Void)
        throws
    {
        try withFolder { folder in
            let model = folder.appending(path: "Shop.xcdatamodeld")
            try writeBundle(["Shop": Self.source], current: "Shop", at: model)
            var first = try ModelEditor(model.path)
            var second = try ModelEditor(model.path)
            try body(model, &first, &second)
        }
    }

    @Test func `an edit is refused when another one was written meanwhile`() throws {
        try withEditors { model, first, second in
            try first.apply([.addAttribute("Stop.one", .double)])
            try second.apply([.addAttribute("Stop.two", .double)])
            try first.write()
            #expect(throws: MomtoolError.self) { try second.write() }
            let file = model.appending(path: "Shop.xcdatamodel/contents")
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(text.contains("\"one\"") && !text.contains("\"two\""))
        }
    }

    @Test func `a new version is refused when its source was edited, or it is there`() throws {
        try withEditors { model, first, second in
            try first.apply([.addAttribute("Stop.one", .double)])
            try second.startVersion()
            try first.write()
            #expect(throws: MomtoolError.self) { try second.write() }
        }
        try withEditors { model, first, second in
            try first.startVersion()
            try second.startVersion()
            try second.apply([.addAttribute("Stop.two", .double)])
            try first.write()
            #expect(throws: MomtoolError.self) { try second.write() }
            let copy = model.appending(path: "Shop 2.xcdatamodel/contents")
            #expect(try String(contentsOf: copy, encoding: .utf8) == Self.source)
        }
    }

    @Test func `a new version is refused when its project was changed`() throws {
        try withEditors { model, first, _ in
            let folder = model.deletingLastPathComponent()
            let project = shopProject(["Shop"])
            try write(project, "App.xcodeproj/project.pbxproj", in: folder)
            try first.startVersion()
            try write(project + "// more\n", "App.xcodeproj/project.pbxproj", in: folder)
            #expect(throws: MomtoolError.self) { try first.write() }
            let file = folder.appending(path: "App.xcodeproj/project.pbxproj")
            #expect(try String(contentsOf: file, encoding: .utf8) == project + "// more\n")
        }
    }

    @Test func `what another one made is not taken back`() throws {
        try withFolder { folder in
            let made = folder.appending(path: "New").path
            let file = folder.appending(path: "list").path
            // The folder exists before the file beside it can be written.
            try write("mine", "New/contents", in: folder)
            try write("old", "list", in: folder)
            let changes: [FileChange] = [
                .write(path: file, bytes: Array("new".utf8)),
                .makeFolder(path: made, files: ["contents": Array("mine".utf8)]),
            ]
            #expect(throws: FileError.self) { try make(changes, of: folder.path, in: nil) }
            #expect(FileManager.default.fileExists(atPath: made + "/contents"))
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "old")
        }
    }
}
