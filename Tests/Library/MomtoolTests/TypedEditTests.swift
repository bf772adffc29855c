import Foundation
import ModelEditing
import ModelLoading
import Momtool
import TestSupport
import Testing

struct TypedEditTests {
    private let source = """
        <model><entity name="Stop" representedClassName="Stop">
        <attribute name="label" optional="YES" attributeType="String"/></entity></model>
        """

    private func withModel(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            let model = folder.appending(path: "Shop.xcdatamodeld")
            try writeBundle(["Shop": source], at: model)
            try body(model)
        }
    }

    @Test func `edits go into a new version, and leave the old one as it is`() throws {
        try withModel { model in
            var editor = try ModelEditor(model.path)
            try editor.startVersion()
            try editor.apply([
                .rename(.attribute("label", of: "Stop"), to: "caption"),
                .add(.attribute("rating", of: "Stop"), [.type(.double), .defaultValue("0")]),
                .add(.entity("Tag"), []),
                .add(
                    .relationship("tags", of: "Stop"),
                    [.destination("Tag"), .toMany(true), .inverse("stop")]
                ),
            ])
            try editor.write()
            #expect(editor.version.model.entities.map(\.name) == ["Stop", "Tag"])
            let read = try ModelPlace(model.path).read().value
            #expect(read.currentVersion?.name == "Shop 2")
            let stop = try #require(read.currentVersion?.model.entities.first)
            #expect(stop.attributes.map(\.renamingIdentifier) == ["label", nil])
            let file = model.appending(path: "Shop.xcdatamodel/contents")
            #expect(try fileText(file) == source)
        }
    }

    @Test func `changes by types do what the edits of sources do`() throws {
        try withModel { model in
            var editor = try ModelEditor(model.path)
            try editor.startVersion()
            try editor.apply([
                .rename("Stop.label", to: "caption"),
                .addAttribute("Stop.rating", .double, isOptional: false, defaultValue: "0"),
                .addAttribute("Stop.opened", .date),
                .setDefault("Stop.opened", "60"),
                .addEntity("Tag"),
                .addEntity("ColoredTag", parent: "Tag"),
                .addRelationship(
                    "Stop.tags",
                    to: "Tag",
                    inverse: "stop",
                    isToMany: true,
                    deleteRule: .cascade
                ),
                .addIndex("Stop.byRating", of: ["rating"]),
                .addConstraint(to: "Stop", of: ["caption"]),
                .addAttribute("Tag.name", .string),
                .move("Tag.name", toEntity: "ColoredTag"),
                .setType("Stop.rating", .float),
                .setOptional("attribute Stop.caption", false),
                .setDefault("Stop.caption", "-"),
                .setDeleteRule("Tag.stop", .deny),
                .addAttribute("Stop.gone", .binary),
                .remove("Stop.gone"),
            ])
            try editor.write()
            let read = try ModelPlace(model.path).read().value
            let entities = try #require(read.currentVersion?.model.entities)
            #expect(entities.map(\.name) == ["ColoredTag", "Stop", "Tag"])
            let stop = try #require(entities.first { $0.name == "Stop" })
            #expect(stop.attributes.map(\.name) == ["caption", "opened", "rating"])
            #expect(stop.attributes.map(\.renamingIdentifier) == ["label", nil, nil])
            #expect(stop.attributes.map(\.type) == [.string, .date, .float])
            #expect(stop.attributes.map(\.isOptional) == [false, true, false])
            #expect(stop.attributes.allSatisfy { $0.defaultValue != nil })
            #expect(stop.relationships.map(\.deleteRule) == [.cascade])
            #expect(stop.relationships.map(\.isToMany) == [true])
            #expect(stop.fetchIndexes.map(\.name) == ["byRating"])
            #expect(stop.uniquenessConstraints.map(\.properties) == [["caption"]])
            let tag = try #require(entities.first { $0.name == "Tag" })
            #expect(tag.relationships.map(\.deleteRule) == [.deny])
            #expect(tag.attributes.isEmpty)
            let colored = try #require(entities.first { $0.name == "ColoredTag" })
            #expect(colored.parentEntity == "Tag")
            #expect(colored.attributes.map(\.name) == ["name"])
        }
    }

    @Test func `a change that cannot be leaves nothing of the changes before it`() throws {
        try withModel { model in
            var editor = try ModelEditor(model.path)
            try editor.startVersion()
            let text = editor.text
            #expect(throws: MomtoolError.self) {
                try editor.apply([.addEntity("Tag"), .remove("Stop.none")])
            }
            #expect(editor.text == text)
        }
    }

    @Test func `what was written is edited on`() throws {
        try withModel { model in
            var editor = try ModelEditor(model.path)
            for name in ["One", "Two"] {
                try editor.apply([.addEntity(name)])
                try editor.write()
                let read = try Model(model.path).version("Shop").model
                #expect(read.entities.contains { $0.name == name })
            }
            for name in ["Shop 2", "Shop 3"] {
                try editor.startVersion()
                try editor.apply([.addEntity(name.replacing(" ", with: ""))])
                try editor.write()
                #expect(editor.version.name == name)
                #expect(try Model(model.path).currentVersion?.name == name)
            }
            try editor.apply([.addAttribute("Stop.rating", .double)])
            try editor.write()
            let versions = try Model(model.path).versions
            #expect(versions.map(\.model.entities.count) == [3, 4, 5])
            #expect(versions.map { $0.model.entities[1].name } == ["Stop", "Shop2", "Shop2"])
            let stops = versions.compactMap { version in
                version.model.entities.first { $0.name == "Stop" }
            }
            #expect(stops.map(\.attributes.count) == [1, 1, 2])
        }
    }

    @Test(arguments: [AttributeType.binary, .transformable])
    func `a default that would mean nothing is refused`(type: AttributeType) throws {
        try withModel { model in
            var editor = try ModelEditor(model.path)
            try editor.apply([.addAttribute("Stop.picture", type)])
            let text = editor.text
            let wrong: [ModelEditor.Change] = [
                .setDefault("Stop.picture", "1"),
                .addAttribute("Stop.other", type, defaultValue: "1"),
            ]
            for change in wrong {
                let error = #expect(throws: MomtoolError.self) { try editor.apply([change]) }
                #expect(error?.diagnostics.map(\.severity) == [.error])
            }
            #expect(editor.text == text)
            try editor.apply([.setDefault("Stop.picture", nil)])
        }
    }

    @Test func `defaults are written as Xcode does, and wrong ones are errors`() throws {
        try withModel { model in
            var editor = try ModelEditor(model.path)
            try editor.apply([
                .addAttribute("Stop.isOpen", .boolean, defaultValue: "false"),
                .addAttribute("Stop.isNew", .boolean), .setDefault("Stop.isNew", "true"),
            ])
            #expect(editor.text.contains(#"defaultValueString="NO""#))
            #expect(editor.text.contains(#"defaultValueString="YES""#))
            let error = #expect(throws: MomtoolError.self) {
                try editor.apply([.addAttribute("Stop.when", .date, defaultValue: "yesterday")])
            }
            #expect(error?.kind == .refused)
            #expect(error?.diagnostics.isEmpty == false)
            #expect(error?.diagnostics.allSatisfy { $0.severity == .error } == true)
        }
    }

    @Test func `an edit that cannot be leaves nothing of the edits before it`() throws {
        try withModel { model in
            let file = model.appending(path: "Shop.xcdatamodel/contents")
            var editor = try ModelEditor(model.path + "#Shop")
            let wrong: [ModelEdit] = [
                .remove(.attribute("none", of: "Stop")), .add(.entity("Stop"), []),
                .set(
                    .attribute("label", of: "Stop"),
                    [.type(.double), ElementSetting("a b", "c")]
                ),
            ]
            for edit in wrong {
                #expect(throws: MomtoolError.self) {
                    try editor.apply([.add(.entity("Tag"), []), edit])
                }
            }
            #expect(editor.text == source)
            try editor.apply([.set(.entity("Stop"), [.hashModifier("2")])])
            try Data("changed".utf8).write(to: file)
            #expect(throws: MomtoolError.self) { try editor.write() }
        }
    }
}
