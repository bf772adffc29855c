import Foundation
import TestSupport
import Testing

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
            try writeBundle(
                ["Notes": model],
                current: "Notes",
                at: app.appending(path: "Data/Notes.xcdatamodeld")
            )
            try FileManager.default.createDirectory(
                at: folder.appending(path: ".git"),
                withIntermediateDirectories: true
            )
            try Data(code.utf8).write(to: app.appending(path: "Stack.swift"))
            if let entitlements {
                let path = folder.appending(path: "App.entitlements")
                try Data(entitlements.utf8).write(to: path)
            }
            let lint = try momtool(["lint", "App/Data/Notes.xcdatamodeld"], in: folder)
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
            let title =
                "<attribute name=\"title\" optional=\"YES\" attributeType=\"String\"/>"
            try writeBundle(
                ["Notes": old, "Notes 2": old.replacing(title, with: "")],
                current: "Notes 2",
                at: bundle
            )
            for command in [
                ["diff", "Notes.xcdatamodeld"], ["plan", "Notes.xcdatamodeld", "--from", "Notes"],
            ] {
                let plain = try momtool(command, in: folder)
                #expect(!plain.output.contains("CloudKit"), "\(plain.output)")
            }
            try Data(Self.container.utf8).write(to: folder.appending(path: "Stack.swift"))
            for command in [
                ["diff", "Notes.xcdatamodeld"], ["plan", "Notes.xcdatamodeld", "--from", "Notes"],
            ] {
                let judged = try momtool(command, in: folder)
                #expect(judged.output.contains("CloudKit"), "\(command): \(judged.output)")
            }
        }
    }
}
