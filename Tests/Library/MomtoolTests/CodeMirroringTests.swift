import Foundation
import TestSupport
import Testing

/// What code, flags and entitlements together say about mirroring.
struct CodeMirroringTests {
    private static let container = "NSPersistentCloudKitContainer"
    private static let made = "let c = \(container)(name: \"Shop\")\n"
    private static let tag =
        "<entity name='Tag'><attribute name='k' attributeType='String'/></entity>"
    private static let item =
        "<entity name='Item'><attribute name='n' optional='YES' attributeType='String'/></entity>"
    private static let rule = "[cloudkit-mandatory-attribute]"

    private static func entitlements(_ service: String) -> String {
        "<plist version='1.0'><dict><key>com.apple.developer.icloud-services</key><array><string>\(service)</string></array></dict></plist>"
    }

    private func inApp(
        _ versions: [String],
        _ code: [String: String],
        _ body: (URL) throws -> Void
    ) throws {
        try withFolder { folder in
            try makeRepository(folder)
            try writeBundle(versions, "Kit/Shop.xcdatamodeld", in: folder)
            try write(Self.entitlements("CloudKit"), "App.entitlements", in: folder)
            for (path, text) in code { try write(text, path, in: folder) }
            try body(folder)
        }
    }

    private static let load =
        "let model = load(Bundle.main.url(forResource: \"Shop\", withExtension: \"momd\")!)\n"
    private static let call = "let c = \(container)(name: \"Store\", managedObjectModel: model)\n"
    private static let log = load.replacing("Shop", with: "Log")

    @Test(arguments: [
        (["S.swift": Self.load + Self.call], true), (["S.swift": Self.call], true),
        (["Kit/M.swift": Self.load, "S.swift": Self.call], true),
        (["S.swift": Self.load + "let c = \(Self.container)(name: \"Store\")\n"], false),
        (["S.swift": Self.log + Self.call], false),
        (["M.swift": Self.load, "L.swift": Self.log, "S.swift": Self.call], false),
    ])
    func `a container mirrors the model it gets`(_ code: [String: String], _ isOn: Bool) throws {
        try inApp(["<model>\(Self.tag)</model>"], code) { folder in
            let check = try momtool(["check"], in: folder)
            #expect(check.output.contains(Self.rule) == isOn, "\(check.output)")
        }
    }

    @Test func `a flag of an old version does not hide what code mirrors`() throws {
        let old = "<model usedWithCloudKit='YES'>\(Self.item)</model>"
        let new = "<model>\(Self.item)\(Self.tag)</model>"
        try inApp([old, new], ["S.swift": Self.made]) { folder in
            let check = try momtool(["check"], in: folder)
            let found = [Self.rule, "[cloudkit-schema-removal]"].map(check.output.contains)
            #expect(found == [true, false], "\(check.output)")
        }
    }

    private static func description(_ name: String) -> String {
        let lines = [
            "let x\(name) = NSPersistentStoreDescription(url: url)",
            "x\(name).configuration = \"\(name)\"",
            "x\(name).cloudKitContainerOptions = NSPersistentCloudKitContainerOptions(containerIdentifier: id)",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    @Test(arguments: [("A", false), ("AB", true)])
    func `flags and code add up in each command`(_ names: String, _ isTagMirrored: Bool) throws {
        let model = """
            <model>\(Self.item)\(Self.tag)
            <configuration name='A' usedWithCloudKit='YES'><memberEntity name='Item'/></configuration>
            <configuration name='B'><memberEntity name='Tag'/></configuration></model>
            """
        for text in [model, model.replacing(" usedWithCloudKit='YES'", with: "")] {
            let code = ["S.swift": Self.made + names.map { Self.description("\($0)") }.joined()]
            try inApp([text], code) { folder in
                let check = try momtool(["check"], in: folder)
                #expect(check.output.contains(Self.rule) == isTagMirrored, "\(check.output)")
                let schema = try momtool("cloudkit schema Kit/Shop.xcdatamodeld", in: folder).output
                #expect(schema.contains("CD_Item") && schema.contains("CD_Tag") == isTagMirrored)
                try write(schema, "s.ckdb", in: folder)
                let judged = try momtool("cloudkit check Kit/Shop.xcdatamodeld s.ckdb", in: folder)
                #expect((judged.status == 1) == isTagMirrored, "\(judged.output)")
            }
        }
    }

    @Test(arguments: [
        ("One/App", "Two/App", false), ("One", "Two", false), ("One/Etc", "Two/Etc", false),
        ("One/App", "One/App", true), ("Etc", "Etc", true), (".", ".", true), ("One", ".", true),
    ])
    func `entitlements count for their app`(_ own: String, _ other: String, _ isOn: Bool) throws {
        let swift = "import SwiftData\n@Model class Note { @Attribute(.unique) var key = \"\" }\n"
        for code in [swift, Self.made] {
            try withFolder { folder in
                try makeRepository(folder)
                try write(code, "One/App/M.swift", in: folder)
                if code == Self.made {
                    let model = "<model>\(Self.tag)</model>"
                    try writeBundle([model], "One/App/Shop.xcdatamodeld", in: folder)
                }
                for name in ["One", "Two"] {
                    try write("{}", "\(name)/\(name).xcodeproj/project.pbxproj", in: folder)
                }
                try write(Self.entitlements("CloudDocuments"), own + "/a.entitlements", in: folder)
                try write(Self.entitlements("CloudKit"), other + "/b.entitlements", in: folder)
                let check = try momtool(["check"], in: folder)
                #expect(check.output.contains("[cloudkit-") == isOn, "\(check.output)")
            }
        }
    }
}
