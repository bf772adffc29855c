import Foundation
import TestSupport

/// A bundle whose versions differ in the attributes of one entity.
enum ShopVersions {
    static let bundle = "Shop.xcdatamodeld"

    static func source(_ attributes: String...) -> String {
        let lines = attributes.map {
            "<attribute name='\($0)' optional='YES' attributeType='String'/>"
        }
        return """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="Item" syncable="YES">
            \(lines.joined(separator: "\n"))
            </entity>
            </model>

            """
    }

    static func write(_ versions: [String], current: Int? = nil, in folder: URL) throws {
        let named = versions.enumerated().map { ("V\($0 + 1)", $1) }
        try writeBundle(
            Dictionary(uniqueKeysWithValues: named),
            bundle,
            in: folder,
            current: "V\(current ?? versions.count)"
        )
    }

    static func say(_ settings: String, in folder: URL) throws {
        try Data(settings.utf8).write(to: folder.appending(path: ".momtool.yml"))
    }

    static func commit(in folder: URL) throws {
        try TestSupport.commit("base", in: folder)
        try tag("base", in: folder)
    }
}
