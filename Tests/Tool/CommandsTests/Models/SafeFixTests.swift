import Foundation
import TestSupport
import Testing

struct SafeFixTests {
    private static func model(_ more: String = "") -> String {
        """
        <model>
        <entity name="A">
            <attribute name="a" optional="YES" attributeType="String" renamingIdentifier="b"/>
            \(more)
        </entity>
        </model>

        """
    }

    private func inFolder(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            let more = "<attribute name=\"c\" optional=\"YES\" attributeType=\"String\"/>"
            try writeBundle(
                ["V1": Self.model(), "V2": Self.model(more)],
                current: "V2",
                at: folder.appending(path: "M.xcdatamodeld")
            )
            try body(folder)
        }
    }

    private func text(_ version: String, _ folder: URL) throws -> String {
        let file = folder.appending(path: "M.xcdatamodeld/\(version).xcdatamodel/contents")
        return try String(contentsOf: file, encoding: .utf8)
    }

    @Test(arguments: [true, false])
    func `a literal identifier of a name that stays is taken away, and what shipped stays`(
        isLocked: Bool
    ) throws {
        try inFolder { folder in
            if isLocked {
                let lock = ["lock", "M.xcdatamodeld", "--unshipped", "V2"]
                #expect(try momtool(lock, in: folder).status == 0)
            }
            let lint = try momtool(["lint", "M.xcdatamodeld"], in: folder)
            #expect(lint.status == 0, "\(lint.output)\(lint.errors)")
            let all = try momtool(["lint", "M.xcdatamodeld", "--all-versions"], in: folder)
            #expect(all.output.contains("; --fix cures 1\n"), "\(all.output)")
            let fix = ["lint", "M.xcdatamodeld", "--all-versions", "--fix"]
            let fixed = try momtool(fix, in: folder)
            let reason = isLocked ? "not fixed: 'V1' is locked" : "not fixed: A.a: "
            #expect(fixed.errors.contains(reason), "\(fixed.output)\(fixed.errors)")
            #expect(try text("V1", folder) == Self.model())
            let second = try text("V2", folder)
            #expect(!second.contains("renamingIdentifier") && !second.contains("elementID"))
            let plan = try momtool(["plan", "M.xcdatamodeld", "--from", "V1"], in: folder)
            #expect(!plan.output.contains("loses data"), "\(plan.output)")
        }
    }

    @Test func `a literal identifier that declares a rename becomes one that counts`() throws {
        try inFolder { folder in
            let renamed = Self.model().replacing("name=\"a\"", with: "name=\"new\"")
                .replacing("renamingIdentifier=\"b\"", with: "renamingIdentifier=\"a\"")
            try writeBundle(
                [
                    "V1": Self.model().replacing(" renamingIdentifier=\"b\"", with: ""),
                    "V2": renamed,
                ],
                current: "V2",
                at: folder.appending(path: "M.xcdatamodeld")
            )
            #expect(try momtool(["lint", "M.xcdatamodeld"], in: folder).status == 1)
            let fixed = try momtool(["lint", "M.xcdatamodeld", "--fix"], in: folder)
            #expect(fixed.status == 0, "\(fixed.output)\(fixed.errors)")
            #expect(try text("V2", folder).contains("elementID=\"a\""))
        }
    }
}
