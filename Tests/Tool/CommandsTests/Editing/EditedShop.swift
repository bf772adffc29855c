import Foundation
import TestSupport

/// A model of two equal versions, of which the second is edited, and a run of the commands on it.
struct EditedShop {
    /// The source of both versions.
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
    /// The name of the bundle in the folder.
    static let model = "Shop.xcdatamodeld"

    /// Runs a test in a folder with the model.
    static func with(_ body: (EditedShop) throws -> Void) throws {
        try withFolder { folder in
            try writeBundle(
                ["Shop": source, "Shop 2": source],
                current: "Shop 2",
                at: folder.appending(path: model)
            )
            try body(EditedShop(folder: folder))
        }
    }

    /// Runs `momtool model` with the command and what stands behind the model.
    func run(_ command: String, _ words: String...) throws -> CommandResult {
        try momtool(["model", command, Self.model] + words, in: folder)
    }

    /// Applies a list of edits.
    func apply(_ edits: String, _ options: [String] = []) throws -> CommandResult {
        try Data(edits.utf8).write(to: folder.appending(path: "edits.yml"))
        return try momtool(["model", "apply", Self.model, "edits.yml"] + options, in: folder)
    }

    /// The text of a version.
    func text(_ version: String = "Shop 2") throws -> String {
        let file = "\(Self.model)/\(version).xcdatamodel/contents"
        return try String(contentsOf: folder.appending(path: file), encoding: .utf8)
    }

    /// The lines that differ from the source, without the blanks before them.
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

    /// All files below the folder with their bytes.
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
