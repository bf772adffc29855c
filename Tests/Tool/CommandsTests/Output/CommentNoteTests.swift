import Foundation
import TestSupport
import Testing

struct CommentNoteTests {
    private static let link = """
        <relationship name="next" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Item"/>
        </entity>
        """

    private func source(_ attributes: String) -> String {
        ShopVersions.source("a", "b").replacing("</entity>", with: attributes + Self.link)
    }

    private func comment(in folder: URL) throws -> String {
        _ = try momtool(["check", "--against", "base", "--comment", "C.md"], in: folder)
        return try String(contentsOf: folder.appending(path: "C.md"), encoding: .utf8)
    }

    @Test func `notes that the revision has are left out, and changes are told once`() throws {
        try withFolder { folder in
            try ShopVersions.write([source("")], in: folder)
            #expect(try momtool(["lock"], in: folder).status == 0)
            try ShopVersions.commit(in: folder)
            let more = "<attribute name='c' optional='YES' attributeType='String'/>"
            let other =
                "<relationship name='last' optional='YES' maxCount='1' deletionRule='Nullify' destinationEntity='Item'/>"
            try ShopVersions.write([source(""), source(more + other)], in: folder)
            let check = try momtool(["check", "--against", "base"], in: folder)
            #expect(check.output.contains("give 'next' an inverse"), "\(check.output)")
            let text = try comment(in: folder)
            #expect(text.contains("Left out: 1 note that was there at `base` already."), "\(text)")
            #expect(!text.contains("give 'next' an inverse"), "\(text)")
            #expect(text.contains("give 'last' an inverse"), "\(text)")
            #expect(!text.contains("changed-since"), "\(text)")
        }
    }

    @Test func `an edit of what shipped opens no store, and is no migration`() throws {
        try withFolder { folder in
            try ShopVersions.write([ShopVersions.source("a", "b")], in: folder)
            #expect(try momtool(["lock"], in: folder).status == 0)
            try ShopVersions.commit(in: folder)
            try ShopVersions.write([ShopVersions.source("a")], in: folder)
            let text = try comment(in: folder)
            #expect(text.contains("V1: **stores of it do not open**"), "\(text)")
            #expect(text.contains("V1 shipped and was edited in place"), "\(text)")
            let check = try momtool(["check"], in: folder)
            #expect(
                check.output.contains("stores of it do not open as long as it is so (134130)"),
                "\(check.output)"
            )
            let versions = [ShopVersions.source("a", "b"), ShopVersions.source("a")]
            try ShopVersions.write(versions, in: folder)
            let step = try comment(in: folder)
            #expect(step.contains("V2: **loses data**"), "\(step)")
        }
    }
}
