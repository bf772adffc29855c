import Foundation
import Momtool
import TestSupport
import Testing

struct EditAdviceTests {
    private static let source = """
        <model><entity name="Friend" representedClassName="Friend">
        <attribute name="name" optional="YES" attributeType="String"/></entity>
        <entity name="Setting" representedClassName="Setting"/></model>
        """

    private static let swift = """
        import SwiftData

        @Model
        final class Friend {
            var name: String = ""
            init() {}
        }

        @Model
        final class Setting {
            var key: String = ""
            init() {}
        }
        """

    private func withModel(_ body: (String) throws -> Void) throws {
        try withFolder { folder in
            let bundle = folder.appending(path: "Shop.xcdatamodeld")
            try writeBundle([Self.source], at: bundle)
            try body(bundle.path)
        }
    }

    private func withSwift(_ body: (String) throws -> Void) throws {
        try withFolder { folder in
            try write(Self.swift, "App/Models.swift", in: folder)
            try body(folder.appending(path: "App").path)
        }
    }

    @Test func `a relationship without an inverse is written where that is agreed to`() throws {
        try withModel { path in
            let lonely = ModelEditor.Change.addRelationship(
                "Friend.lonely",
                to: "Setting",
                inverse: nil
            )
            let edits: [(inout ModelEditor, [Advice]) throws -> Void] = [
                { try $0.apply([lonely], following: $1) },
                {
                    let list =
                        "- {add: relationship Friend.lonely, with: {destinationEntity: Setting}}"
                    try $0.apply(list, following: $1)
                },
            ]
            for edit in edits {
                var editor = try ModelEditor(path)
                let error = #expect(throws: MomtoolError.self) { try edit(&editor, []) }
                #expect(error?.kind == .refused)
                let advice = try #require(error?.advice)
                #expect(advice == [.force] && advice.allSatisfy(\.isComplete))
                try edit(&editor, advice)
                let friend = editor.version.model.entities.first { $0.name == "Friend" }
                #expect(friend?.relationships.map(\.name) == ["lonely"])
            }
        }
    }

    @Test func `a version that shipped is left, and the next one is started`() throws {
        try withModel { path in
            try Lock(of: Model(path)).update()
            var editor = try ModelEditor(path)
            let change = ModelEditor.Change.addAttribute("Friend.age", .integer16)
            let error = #expect(throws: MomtoolError.self) { try editor.apply([change]) }
            #expect(error?.advice == [.startVersion])
            try editor.apply([change], following: error?.advice ?? [])
            try editor.write()
            let read = try Model(path)
            #expect(read.versions.count == 2)
            let counts = read.versions.map { version in
                version.model.entities.first { $0.name == "Friend" }?.attributes.count
            }
            #expect(counts == [1, 2])
            #expect(try Lock(of: read).findings().allSatisfy { $0.severity < .error })
        }
    }

    @Test func `an older Xcode writes what a newer one has where that is agreed to`() throws {
        let setting = "- {set: entity Friend, with: {newSetting: true}}"
        try withModel { path in
            var editor = try ModelEditor(path)
            let error = #expect(throws: MomtoolError.self) {
                try editor.apply(setting)
            }
            #expect(error?.advice == [.force])
            #expect(error?.description.components(separatedBy: ".force").count == 2)
            try editor.apply(setting, following: [.force])
            #expect(editor.text.contains("newSetting"))
        }
    }

    @Test func `Swift sources get versions, and are changed by hand`() throws {
        try withSwift { path in
            var editor = try ModelEditor(path)
            #expect(editor.path == path && editor.version.isCurrent)
            let text = editor.text
            let error = #expect(throws: MomtoolError.self) { try editor.apply([.addEntity("Tag")]) }
            #expect(error?.kind == .usage)
            #expect(throws: MomtoolError.self) { try editor.apply([.remove("Friend.name")]) }
            #expect(throws: MomtoolError.self) { try editor.startVersion(makesCurrent: false) }
            #expect(editor.text == text)
            try editor.startVersion()
            #expect(editor.version.name == "SchemaV2" && !editor.remarks.isEmpty)
            try editor.write()
            #expect(editor.remarks.isEmpty)
            #expect(try Model(path).versions.map(\.name) == ["SchemaV1", "SchemaV2"])
        }
    }

    @Test func `a version of Swift sources is refused when they were changed meanwhile`() throws {
        try withSwift { path in
            var editor = try ModelEditor(path)
            try editor.startVersion()
            let file = URL(fileURLWithPath: path).appending(path: "Models.swift")
            try Data((Self.swift + "\n").utf8).write(to: file)
            #expect(throws: MomtoolError.self) { try editor.write() }
        }
    }
}
