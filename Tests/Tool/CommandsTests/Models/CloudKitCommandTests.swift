import Foundation
import TestSupport
import Testing

private func write(_ text: String, _ name: String, in folder: URL) throws {
    let file = folder.appending(path: name)
    try makeFolder(file.deletingLastPathComponent())
    try Data(text.utf8).write(to: file)
}

private func inFolder(_ body: (URL) throws -> Void) throws {
    let name = "<attribute name='name' optional='YES' attributeType='String'/>"
    let age = "<attribute name='age' attributeType='Integer 16'/>"
    try withFolder { folder in
        for (file, properties) in [("Old", name), ("New", name + "\n" + age)] {
            try write(
                "<model>\n<entity name='A'>\n\(properties)\n</entity>\n</model>",
                "\(file).xcdatamodel/contents",
                in: folder
            )
        }
        try body(folder)
    }
}

struct CloudKitCommandTests {
    @Test func `a schema that was printed is checked clean, and lacks what is new`() throws {
        try inFolder { folder in
            let printed = try momtool("cloudkit schema Old.xcdatamodel -o old.ckdb", in: folder)
            #expect(printed.status == 0 && printed.output.isEmpty)
            let check = ["cloudkit", "check"]
            let clean = try expectRun(check + ["Old.xcdatamodel", "old.ckdb"], in: folder, 0)
            #expect(clean.output == "old.ckdb: 1 mirrored entity: nothing found\n")
            let result = try momtool(check + ["New.xcdatamodel", "old.ckdb"], in: folder)
            #expect(result.status == 1)
            #expect(result.output.contains("New.xcdatamodel/contents:4:12: error: 'CD_A' has no"))
            #expect(result.output.contains("[cloudkit-missing-field]"))
            // The rules for mirrored models hold, whether the model is marked or not.
            #expect(result.output.contains("[cloudkit-mandatory-attribute]"))
        }
    }

    @Test func `what is printed is an export's text`() throws {
        try inFolder { folder in
            let result = try momtool("cloudkit schema Old.xcdatamodel --minimal", in: folder)
            #expect(result.output.hasPrefix("DEFINE SCHEMA\n\n    RECORD TYPE CD_A (\n"))
            #expect(result.output.hasSuffix("    );\n\n"))
            #expect(!result.output.contains("_ckAsset"))
        }
    }

    @Test func `warnings end with 1 where they are asked for`() throws {
        try inFolder { (folder) throws in
            let minimal = ["cloudkit", "schema", "Old.xcdatamodel", "--minimal", "-o", "s.ckdb"]
            #expect(try momtool(minimal, in: folder).status == 0)
            let check = ["cloudkit", "check", "Old.xcdatamodel", "s.ckdb"]
            #expect(try momtool(check, in: folder).status == 0)
            #expect(try momtool(check + ["--fail-on", "warning"], in: folder).status == 1)
            #expect(try momtool(check + ["--sharing"], in: folder).status == 1)
        }
    }

    @Test func `Production takes what is added, and nothing else`() throws {
        try inFolder { folder in
            let diff = ["cloudkit", "diff"]
            let added = try momtool(diff + ["Old.xcdatamodel", "New.xcdatamodel"], in: folder)
            #expect(added.status == 0)
            #expect(added.output.contains("note: 'CD_A' has a new field 'CD_age', INT64"))
            let models = ["New.xcdatamodel", "Old.xcdatamodel"]
            let removed = try momtool(diff + models + ["--format", "json"], in: folder)
            #expect(removed.status == 1)
            #expect(removed.output.contains("\"cloudkit-refused-change\""))
            let same = ["Old.xcdatamodel", "Old.xcdatamodel", "--exit-code"]
            #expect(try momtool(diff + same, in: folder).status == 0)
            let other = ["Old.xcdatamodel", "New.xcdatamodel", "--exit-code"]
            #expect(try momtool(diff + other, in: folder).status == 2)
        }
    }

    @Test func `what is no schema, and a configuration that is not there, are refused`() throws {
        try inFolder { folder in
            try write("import Foundation\n", "app.ckdb", in: folder)
            let check = ["cloudkit", "check", "Old.xcdatamodel"]
            let result = try expectRun(check + ["app.ckdb"], in: folder, 65)
            #expect(result.errors.hasPrefix("app.ckdb:1:1: error: this is not a CloudKit schema"))
            #expect(try momtool(check + ["none.ckdb"], in: folder).status == 66)
            let other = ["cloudkit", "schema", "Old.xcdatamodel", "--configuration", "Cloud"]
            #expect(try momtool(other, in: folder).status == 3)
            let model = ["cloudkit", "schema", "Old.xcdatamodel", "-o", "Old.xcdatamodel/contents"]
            #expect(try momtool(model, in: folder).status != 0)
        }
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `a published schema passes with its model`() throws {
        let folder = Corpus.path("UW-LCI+Co-ML")
        let result = try momtool(
            "cloudkit check \(folder)/CoML.xcdatamodel \(folder)/ckschema.ckdb"
        )
        #expect(result.status == 0, "\(result.output)")
        #expect(!result.output.contains("error:"))
    }
}

struct AppMirroringTests {
    private static let model = xcodeSource(
        """
            <entity name="Note" representedClassName="Note" syncable="YES" codeGenerationType="class">
                <attribute name="count" attributeType="Integer 64" usesScalarValueType="YES"/>
                <attribute name="title" optional="YES" attributeType="String"/>
            </entity>
        """
    )
    private static let container =
        "let container = NSPersistentCloudKitContainer(name: \"Notes\")\n"
    private static let entitlements = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict><key>com.apple.developer.icloud-services</key>
        <array><string>CloudKit</string></array></dict></plist>
        """

    private func isMirrored(
        _ code: String,
        entitlements: String? = nil,
        model: String = model
    ) throws -> Bool {
        try withFolder { folder in
            let app = folder.appending(path: "App")
            try writeBundle(["Notes": model], "Data/Notes.xcdatamodeld", in: app)
            try makeFolder(folder.appending(path: ".git"))
            try write(code, "Stack.swift", in: app)
            if let entitlements {
                let path = folder.appending(path: "App.entitlements")
                try Data(entitlements.utf8).write(to: path)
            }
            let lint = try momtool("lint App/Data/Notes.xcdatamodeld", in: folder)
            return lint.output.contains("[cloudkit-mandatory-attribute]")
        }
    }

    @Test func `a container of CloudKit in the code counts like the flag`() throws {
        #expect(try isMirrored(Self.container))
        #expect(try isMirrored(Self.container, entitlements: Self.entitlements))
        #expect(
            try isMirrored(
                "let c = NSPersistentCloudKit" + "Container(name: name, managedObjectModel: m)"
            )
        )
        #expect(try isMirrored("[[NSPersistentCloudKitContainer alloc] initWithName:@\"Notes\"]"))
    }

    @Test func `other code does not`() throws {
        #expect(try !isMirrored("let container = NSPersistentContainer(name: \"Notes\")"))
        #expect(try !isMirrored("// " + Self.container))
        #expect(try !isMirrored("class Container: NSPersistentCloudKitContainer {}"))
        #expect(try !isMirrored(Self.container.replacing("\"Notes\"", with: "\"Other\"")))
        // Without the right to use CloudKit nothing is mirrored.
        let none = Self.entitlements.replacing("CloudKit", with: "CloudDocuments")
        #expect(try !isMirrored(Self.container, entitlements: none))
        // Of several configurations the code may mirror one.
        let parts = Self.model.replacing(
            "</model>",
            with:
                "<configuration name=\"Local\"><memberEntity name=\"Note\"/></configuration></model>"
        )
        #expect(try !isMirrored(Self.container, model: parts))
    }

    @Test func `changes are judged by what CloudKit takes, in every command that compares`() throws
    {
        try withFolder { folder in
            let bundle = folder.appending(path: "Notes.xcdatamodeld")
            let old = Self.model.replacing(
                "<attribute name=\"count\" attribute",
                with: "<attribute name=\"count\" optional=\"YES\" attribute"
            )
            let title = "<attribute name=\"title\" optional=\"YES\" attributeType=\"String\"/>"
            try writeBundle(
                ["Notes": old, "Notes 2": old.replacing(title, with: "")],
                current: "Notes 2",
                at: bundle
            )
            for command in [
                ["diff", "Notes.xcdatamodeld"], ["plan", "Notes.xcdatamodeld", "--from", "Notes"],
            ] {
                try expectRun(command, in: folder, nil, not: ["CloudKit"])
            }
            try write(Self.container, "Stack.swift", in: folder)
            for command in [
                ["diff", "Notes.xcdatamodeld"], ["plan", "Notes.xcdatamodeld", "--from", "Notes"],
            ] {
                try expectRun(command, in: folder, nil, "CloudKit")
            }
        }
    }
}
