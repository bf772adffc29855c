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

    func run(_ command: String, _ words: String...) throws -> CommandResult {
        try momtool(["model", command, Self.model] + words, in: folder)
    }

    func apply(_ edits: String, _ options: [String] = []) throws -> CommandResult {
        try write(edits, "edits.yml", in: folder)
        return try momtool(["model", "apply", Self.model, "edits.yml"] + options, in: folder)
    }

    func text(_ version: String = "Shop 2") throws -> String {
        let file = "\(Self.model)/\(version).xcdatamodel/contents"
        return try fileText(folder.appending(path: file))
    }

    func changes() throws -> [String] {
        let (old, new) = (
            Self.source.components(separatedBy: "\n"), try text().components(separatedBy: "\n")
        )
        return new.difference(from: old).map { change in
            switch change {
            case .remove(_, let line, _): "-" + line.drop { $0 == " " }
            case .insert(_, let line, _): "+" + line.drop { $0 == " " }
            }
        }
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
