import Foundation
import TestSupport
import Testing

struct VersionOrderCommandTests {
    private static func source(_ names: String...) -> String {
        let attributes = names.map {
            "        <attribute name=\"\($0)\" optional=\"YES\" attributeType=\"String\"/>\n"
        }
        return xcodeSource(
            "    <entity name=\"A\" representedClassName=\"A\" syncable=\"YES\">\n"
                + attributes.joined() + "    </entity>\n"
        )
    }

    private func withShipped(
        _ names: [String],
        _ body: (URL) throws -> Void
    ) throws {
        try withFolder { folder in
            let sources = [
                Self.source("a1"), Self.source("a1", "a2"), Self.source("a1", "a2", "a3"),
            ]
            try writeBundle(
                Dictionary(uniqueKeysWithValues: zip(names, sources)),
                current: names[2],
                at: folder.appending(path: "S.xcdatamodeld")
            )
            #expect(try momtool(["lock"], in: folder).status == 0)
            try body(folder)
        }
    }

    @Test func `a new version comes behind the current one that shipped`() throws {
        try withShipped(["P", "A 1", "A 2"]) { folder in
            let made = try momtool(["model", "new-version", "S.xcdatamodeld"], in: folder)
            #expect(made.output.contains("'A 3'"), "\(made.output)\(made.errors)")
            let edit = try momtool(["model", "remove", "S.xcdatamodeld", "A.a3"], in: folder)
            #expect(edit.output.contains("A 2 → A 3: loses A.a3"), "\(edit.output)\(edit.errors)")
            let diff = try momtool(["diff", "S.xcdatamodeld"], in: folder)
            #expect(diff.output.contains("A 2 → A 3: loses data"), "\(diff.output)")
            let lock = try momtool(["lock", "--check"], in: folder)
            #expect(!lock.output.contains("locked-versions-reordered"), "\(lock.output)")
        }
    }

    @Test func `a name with a lower number is told, and 'order' settles it for edits as well`()
        throws
    {
        try withShipped(["V1", "V2", "V10"]) { folder in
            _ = try momtool(
                ["model", "new-version", "S.xcdatamodeld", "V3"],
                in: folder
            )
            let lock = try momtool(["lock", "--check"], in: folder)
            #expect(lock.output.contains("or list the versions under order: in .momtool.yml"))
            try Data("order: [V1, V2, V10, V3]\n".utf8)
                .write(to: folder.appending(path: ".momtool.yml"))
            let settled = try momtool(["lock", "--check"], in: folder)
            #expect(!settled.output.contains("locked-versions-reordered"), "\(settled.output)")
            let edit = try momtool(["model", "remove", "S.xcdatamodeld", "A.a3"], in: folder)
            #expect(edit.output.contains("V10 → V3: loses A.a3"), "\(edit.output)\(edit.errors)")
        }
    }
}
