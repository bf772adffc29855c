import Foundation
import ModelEditing
import ModelLoading
import Momtool
import Testing
import TestSupport

struct TypedEditTests {
    private let source = """
        <model><entity name="Stop" representedClassName="Stop">
        <attribute name="label" optional="YES" attributeType="String"/></entity></model>
        """

    private func withModel(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            let model = folder.appending(path: "Shop.xcdatamodeld")
            try writeBundle(["Shop": source], current: "Shop", at: model)
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
            #expect(try String(contentsOf: file, encoding: .utf8) == source)
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
            #expect(editor.contents == Array(source.utf8))
            try editor.apply([.set(.entity("Stop"), [.hashModifier("2")])])
            try Data("changed".utf8).write(to: file)
            #expect(throws: MomtoolError.self) { try editor.write() }
        }
    }
}
