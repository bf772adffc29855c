import Foundation
import Momtool
import TestSupport
import Testing

/// Edits follow the advice of their refusals, in Xcode's models and in Swift sources.
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

    /// Does something with an Xcode model, or with Swift sources.
    private func withModel(isSwift: Bool, _ body: (String) throws -> Void) throws {
        try withFolder { folder in
            guard isSwift else {
                let bundle = folder.appending(path: "Shop.xcdatamodeld")
                try writeBundle(["V1": Self.source], current: "V1", at: bundle)
                return try body(bundle.path)
            }
            try write(Self.swift, "App/Models.swift", in: folder)
            try body(folder.appending(path: "App").path)
        }
    }

    @Test(arguments: [false, true])
    func `a relationship without an inverse is written where that is agreed to`(isSwift: Bool)
        throws
    {
        try withModel(isSwift: isSwift) { path in
            let lonely = ModelEditor.Change.addRelationship(
                "Friend.lonely",
                to: "Setting",
                inverse: nil
            )
            let settings = ["destinationEntity": "Setting"]
            let edits: [(inout ModelEditor, [Advice]) throws -> Void] = [
                { try $0.apply([lonely], following: $1) },
                { try $0.add("relationship Friend.lonely", settings, following: $1) },
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

    @Test(arguments: [false, true])
    func `a version that shipped is left, and the next one is started`(isSwift: Bool) throws {
        try withModel(isSwift: isSwift) { path in
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
        try withModel(isSwift: false) { path in
            var editor = try ModelEditor(path)
            let error = #expect(throws: MomtoolError.self) {
                try editor.set("Friend", ["newSetting": "YES"])
            }
            #expect(error?.advice == [.force])
            #expect(error?.description.components(separatedBy: ".force").count == 2)
            try editor.set("Friend", ["newSetting": "YES"], following: [.force])
            #expect(editor.text.contains("newSetting"))
        }
    }

    @Test func `Swift sources are edited, and edits go on after they are written`() throws {
        try withModel(isSwift: true) { path in
            var editor = try ModelEditor(path)
            #expect(editor.path == path && editor.version.isCurrent)
            try editor.apply([
                .addEntity("Tag"),
                .addAttribute("Tag.label", .string, isOptional: false, defaultValue: "x"),
                .addRelationship(
                    "Friend.tags",
                    to: "Tag",
                    inverse: "friend",
                    isToMany: true,
                    deleteRule: .cascade
                ),
                .rename("Friend.name", to: "title"),
            ])
            #expect(editor.text.contains("final class Tag"))
            #expect(!(try Model(path).versions[0].model.entities.contains { $0.name == "Tag" }))
            try editor.write()
            #expect(editor.remarks.isEmpty)
            try editor.remove("Tag.label")
            try editor.write()
            let model = try Model(path).version().model
            #expect(model.entities.map(\.name).sorted() == ["Friend", "Setting", "Tag"])
            let friend = model.entities.first { $0.name == "Friend" }
            #expect(friend?.attributes.map(\.renamingIdentifier) == ["name"])
            #expect(friend?.relationships.map(\.deleteRule) == [.cascade])
            #expect(model.entities.first { $0.name == "Tag" }?.attributes.isEmpty == true)
        }
    }

    @Test func `what is written by hand in Swift sources is told, and nothing is changed`() throws {
        try withModel(isSwift: true) { path in
            var editor = try ModelEditor(path)
            let text = editor.text
            let wrong: [ModelEditor.Change] = [
                .setType("Friend.name", .double), .addIndex("Friend.byName", of: ["name"]),
                .move("Friend.name", toEntity: "Setting"), .rename("Friend", to: "Person"),
                .addEntity("Pal", parent: "Friend"), .remove("Friend.none"),
            ]
            for change in wrong {
                let changes = [.addEntity("Tag"), change]
                let error = #expect(throws: MomtoolError.self) { try editor.apply(changes) }
                #expect(error?.kind == .usage || error?.kind == .refused)
            }
            #expect(throws: MomtoolError.self) { try editor.startVersion(makesCurrent: false) }
            #expect(editor.text == text)
        }
    }

    @Test func `an edit of Swift sources is refused when they were changed meanwhile`() throws {
        try withModel(isSwift: true) { path in
            var (first, second) = (try ModelEditor(path), try ModelEditor(path))
            try first.apply([.addAttribute("Friend.one", .double)])
            try second.apply([.addAttribute("Friend.two", .double)])
            try first.write()
            #expect(throws: MomtoolError.self) { try second.write() }
        }
    }
}
