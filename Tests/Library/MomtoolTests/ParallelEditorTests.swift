import FileSystem
import Foundation
import Momtool
import TestSupport
import Testing

@testable import Momtool

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
            try writeBundle(["Shop": Self.source], at: model)
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
            let text = try fileText(file)
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
            #expect(try fileText(copy) == Self.source)
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
            #expect(try fileText(file) == project + "// more\n")
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

struct MigrationTargetTests {
    @Test(
        arguments: [
            ("a.sqlite", "a.sqlite"), ("./a//b/./c.sqlite", "a/b/c.sqlite"),
            ("/srv/a.sqlite", "_/srv/a.sqlite"), ("../a.sqlite", "__/a.sqlite"),
            ("a/../b.sqlite", "a/__/b.sqlite"), ("_/srv/a.sqlite", "___/srv/a.sqlite"),
            ("__/a.sqlite", "____/a.sqlite"), ("..a/_b", "..a/_b"),
            ("a/\u{301}b.sqlite", "a/\u{301}b.sqlite"),
        ]
    )
    func `the place of a listed store depends on its path alone, and stays in the folder`(
        path: String,
        place: String
    ) throws {
        for stores in [[path], [path, "x/y/z.sqlite"]] {
            let targets = try MigrationTarget.all(for: stores, output: "New", naming: .byPath)
            #expect(targets[0].place == place)
            #expect(targets[0].output == "New/\(place)")
        }
    }

    @Test func `stores of the command line lie below the folder that holds all`() throws {
        let targets = try MigrationTarget.all(
            for: ["Devices/A/Shop.sqlite", "Devices/B/Shop.sqlite"],
            output: "New",
            backup: "Old",
            naming: .belowSharedFolder
        )
        #expect(targets.map(\.output) == ["New/A/Shop.sqlite", "New/B/Shop.sqlite"])
        #expect(targets.map(\.backup) == ["Old/A/Shop.sqlite", "Old/B/Shop.sqlite"])
    }

    @Test func `the backup of a store does not take the place of another`() throws {
        try withFolder { folder in
            let paths = ["Shop.sqlite", "Old/Shop.sqlite"].map { folder.appending(path: $0).path }
            try write("A", "Shop.sqlite", in: folder)
            try makeFolder(folder.appending(path: "Old"))
            try write("A", "Old/Shop.sqlite", in: folder)
            func targets(_ backup: String) throws -> [MigrationTarget] {
                try MigrationTarget.all(
                    for: paths,
                    output: nil,
                    backup: folder.appending(path: backup).path,
                    naming: .belowSharedFolder
                )
            }
            let error = #expect(throws: MomtoolError.self) { try targets("Old") }
            #expect(error?.kind == .cannotCreate, "\(String(describing: error))")
            #expect(try targets("New").count == 2)
        }
    }
}
