import Foundation
import TestSupport
import Testing

/// What code, flags and entitlements together say about mirroring.
struct CodeMirroringTests {
    private static let container = "NSPersistentCloudKitContainer"
    private static let entity =
        "<entity name='Tag'><attribute name='key' attributeType='String'/></entity>"
    private static let item =
        "<entity name='Item'><attribute name='n' optional='YES' attributeType='String'/></entity>"
    private static let rule = "[cloudkit-mandatory-attribute]"

    private static func entitlements(_ service: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>
        <key>com.apple.developer.icloud-services</key><array><string>\(service)</string></array>
        </dict></plist>
        """
    }

    private func inApp(
        _ versions: [String: String],
        current: String = "V1",
        code: [String: String],
        _ body: (URL) throws -> Void
    ) throws {
        try withFolder { folder in
            try makeRepository(folder)
            let bundle = folder.appending(path: "Kit/Shop.xcdatamodeld")
            try writeBundle(versions, current: current, at: bundle)
            try write(Self.entitlements("CloudKit"), "App.entitlements", in: folder)
            for (path, text) in code { try write(text, path, in: folder) }
            try body(folder)
        }
    }

    private static let load =
        "let model = load(Bundle.main.url(forResource: \"Shop\", withExtension: \"momd\")!)\n"
    private static let call = "let c = \(container)(name: \"Store\", managedObjectModel: model)\n"

    @Test(arguments: [
        (["App/S.swift": Self.load + Self.call], true),
        (["Kit/M.swift": Self.load, "App/S.swift": Self.call], true),
        (["App/S.swift": Self.call], true),
        (["App/S.swift": Self.load + "let c = \(Self.container)(name: \"Store\")\n"], false),
        (["App/S.swift": Self.load.replacing("Shop", with: "Log") + Self.call], false),
        (
            [
                "Kit/M.swift": Self.load, "Kit/L.swift": Self.load.replacing("Shop", with: "Log"),
                "A.swift": Self.call,
            ], false
        ),
    ])
    func `a model that a container gets counts by the name by which code loads it`(
        _ code: [String: String],
        _ isMirrored: Bool
    ) throws {
        try inApp(["V1": "<model>\(Self.entity)</model>"], code: code) { folder in
            let check = try momtool(["check"], in: folder)
            #expect(check.output.contains(Self.rule) == isMirrored, "\(check.output)")
        }
    }

    @Test func `a flag of an old version does not hide what code mirrors`() throws {
        let code = ["S.swift": "let c = \(Self.container)(name: \"Shop\")\n"]
        let old = "<model usedWithCloudKit='YES'>\(Self.item)</model>"
        let new = "<model>\(Self.item)\(Self.entity)</model>"
        try inApp(["V1": old, "V2": new], current: "V2", code: code) { folder in
            let check = try momtool(["check"], in: folder)
            #expect(check.output.contains(Self.rule), "\(check.output)")
            #expect(!check.output.contains("[cloudkit-schema-removal]"), "\(check.output)")
        }
    }

    private static func description(_ name: String) -> String {
        let variable = name.lowercased()
        return """
            let \(variable) = NSPersistentStoreDescription(url: url)
            \(variable).configuration = "\(name)"
            \(variable).cloudKitContainerOptions = NSPersistentCloudKitContainerOptions(containerIdentifier: "i")

            """
    }

    @Test(arguments: [("A", false), ("AB", true)])
    func `the configurations of flags and of code add up in each command`(
        _ mirrored: String,
        _ isTagMirrored: Bool
    ) throws {
        let model = """
            <model>\(Self.item)\(Self.entity)
            <configuration name='A' usedWithCloudKit='YES'><memberEntity name='Item'/></configuration>
            <configuration name='B'><memberEntity name='Tag'/></configuration></model>
            """
        let made = "let c = \(Self.container)(name: \"Shop\")\n"
        for text in [model, model.replacing(" usedWithCloudKit='YES'", with: "")] {
            let code = ["S.swift": made + mirrored.map { Self.description("\($0)") }.joined()]
            try inApp(["V1": text], code: code) { folder in
                let check = try momtool(["check"], in: folder)
                #expect(check.output.contains(Self.rule) == isTagMirrored, "\(check.output)")
                let words = ["cloudkit", "schema", "Kit/Shop.xcdatamodeld"]
                let schema = try momtool(words, in: folder).output
                #expect(schema.contains("CD_Item"), "\(schema)")
                #expect(schema.contains("CD_Tag") == isTagMirrored, "\(schema)")
                try write(schema, "s.ckdb", in: folder)
                let whole = ["cloudkit", "check", "Kit/Shop.xcdatamodeld", "s.ckdb"]
                let judged = try momtool(whole, in: folder)
                #expect((judged.status == 1) == isTagMirrored, "\(judged.output)")
            }
        }
    }

    @Test(arguments: [
        ("One/App", "Two/App", false), ("One", "Two", false), ("One/Etc", "Two/Etc", false),
        ("One/App", "One/App", true), ("Etc", "Etc", true), ("", "", true), ("One/App", "", true),
    ])
    func `entitlements count for the app that has them`(
        _ own: String,
        _ other: String,
        _ isMirrored: Bool
    ) throws {
        let swift = "import SwiftData\n@Model class Note { @Attribute(.unique) var key = \"\" }\n"
        for model in [swift, ""] {
            let code = model.isEmpty ? "let c = \(Self.container)(name: \"Shop\")\n" : model
            try withFolder { folder in
                try makeRepository(folder)
                try write(code, "One/App/M.swift", in: folder)
                if model.isEmpty {
                    let bundle = folder.appending(path: "One/App/Shop.xcdatamodeld")
                    let versions = ["V1": "<model>\(Self.entity)</model>"]
                    try writeBundle(versions, current: "V1", at: bundle)
                }
                for name in ["One", "Two"] {
                    try write("{}", "\(name)/\(name).xcodeproj/project.pbxproj", in: folder)
                }
                let (none, all) = (
                    Self.entitlements("CloudDocuments"), Self.entitlements("CloudKit")
                )
                try write(
                    none,
                    own.isEmpty ? "a.entitlements" : own + "/a.entitlements",
                    in: folder
                )
                try write(
                    all,
                    other.isEmpty ? "b.entitlements" : other + "/b.entitlements",
                    in: folder
                )
                let check = try momtool(["check"], in: folder)
                #expect(check.output.contains("[cloudkit-") == isMirrored, "\(check.output)")
            }
        }
    }
}
