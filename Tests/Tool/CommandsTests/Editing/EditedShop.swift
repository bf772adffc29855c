import Foundation
import TestSupport

/// A model of two equal versions, of which the second is edited, and runs of the commands on it.
struct EditedShop {
    static let source = xcodeSource(
        """
            <!-- kept -->
            <entity name="Book" representedClassName="Book" syncable="YES" codeGenerationType="class" futureSetting='1'>
                <attribute name="isbn" optional="YES" attributeType="String"/>
                <attribute name="title" optional="YES" attributeType="String"/>
                <relationship name="stop" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Stop" inverseName="books" inverseEntity="Stop"/>
            </entity>
            <entity name="Stop" representedClassName="Stop" syncable="YES" codeGenerationType="class">
                <attribute name="label" optional="YES" attributeType="String"/>
                <relationship name="books" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Book" inverseName="stop" inverseEntity="Book"/>
            </entity>
        """
    )

    let folder: URL
    static let model = "Shop.xcdatamodeld"

    static func with(_ body: (EditedShop) throws -> Void) throws {
        try withFolder { folder in
            try writeBundle(["Shop": source, "Shop 2": source], model, in: folder)
            try body(EditedShop(folder: folder))
        }
    }

    /// A command of `momtool model`, whose name comes first.
    func run(_ words: [String]) throws -> CommandResult {
        try momtool(["model", words[0], Self.model] + words.dropFirst(), in: folder)
    }

    func file(_ version: String) -> URL {
        folder.appending(path: "\(Self.model)/\(version).xcdatamodel/contents")
    }

    func files() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            let url = folder.appending(path: name)
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
            files[name] = isFolder.boolValue ? Data() : try Data(contentsOf: url)
        }
        return files
    }
}
