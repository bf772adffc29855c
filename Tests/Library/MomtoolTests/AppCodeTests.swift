import Foundation
import Momtool
import TestSupport
import Testing

/// What code of an app decides about its stores: whether they are mirrored, and what old rows lack.
struct AppCodeTests {
    private static let own = "let d = NSPersistentStoreDescription(url: u)"
    private static let replaced = "c.persistentStoreDescriptions = [d]"
    private static let removed =
        "c.persistentStoreDescriptions.first!.cloudKitContainerOptions = nil"
    private static let options =
        "d.cloudKitContainerOptions = NSPersistentCloudKitContainerOptions(i)"

    /// What an app does with its mirroring container, and whether the store is mirrored.
    static let containers: [(lines: [String], isMirrored: Bool)] = [
        ([], true), ([own, replaced], false), ([own, options, replaced], true),
        ([own, replaced, options], true), ([removed], false),
        (["if !isOn { \(removed) }"], true), (["if !isOn {", removed, "}"], true),
        (["if isTest {", own, replaced, "}"], true),
        (["if isOn { return }", removed], true), (["#if os(tvOS)", removed, "#endif"], true),
        (["let d = c.persistentStoreDescriptions[0]", own, replaced], true),
        (["func setUp() {", own, replaced, "c.loadPersistentStores { _, _ in }", "}"], false),
        (["func stop() {", removed, "}"], true),
        ([removed, "let o = NSPersistentCloudKitContainer(name: \"M\")"], true),
    ]

    @Test(arguments: containers)
    func `a container without options of CloudKit mirrors nothing`(
        _ lines: [String],
        _ isMirrored: Bool
    ) throws {
        try withFolder { folder in
            try makeRepository(folder)
            let entity = "<entity name='A'><attribute name='a' attributeType='String'/></entity>"
            try writeBundle(["<model>\(entity)</model>"], "M.xcdatamodeld", in: folder)
            let made = "let c = NSPersistentCloudKitContainer(name: \"M\")"
            let code = ([made] + lines).joined(separator: "\n")
            try write(code + "\n", "App/Stack.swift", in: folder)
            let said = try momtool(["lint", "M.xcdatamodeld"], in: folder)
            let isFound = said.output.contains("[cloudkit-mandatory-attribute]")
            #expect(isFound == isMirrored, "\(said.output)")
        }
    }
}
