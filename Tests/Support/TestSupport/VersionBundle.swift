package import Foundation

/// Writes a model of versions, as Xcode lays it out.
///
/// - Parameters:
///   - versions: the texts of their sources, by their names.
///   - current: the name of the version that is current; the last one where none is given.
///   - bundle: the place of the `.xcdatamodeld`.
/// - Throws: what the system says.
package func writeBundle(
    _ versions: [String: String],
    current: String? = nil,
    at bundle: URL
) throws {
    for (name, text) in versions { try write(text, "\(name).xcdatamodel/contents", in: bundle) }
    let last = versions.keys.max { $0.compare($1, options: .numeric) == .orderedAscending }
    let list =
        "<plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key>"
        + "<string>\(current ?? last ?? "").xcdatamodel</string></dict></plist>"
    try write(list, ".xccurrentversion", in: bundle)
}

/// Writes a model of versions below a folder.
package func writeBundle(
    _ versions: [String: String],
    _ path: String,
    in folder: URL,
    current: String? = nil
) throws {
    try writeBundle(versions, current: current, at: folder.appending(path: path))
}

/// Writes a model of the versions V1, V2 and so on, the last of which is current.
package func writeBundle(_ versions: [String], at bundle: URL) throws {
    let named = versions.enumerated().map { ("V\($0 + 1)", $1) }
    try writeBundle(Dictionary(uniqueKeysWithValues: named), at: bundle)
}

/// Writes such a model below a folder.
package func writeBundle(_ versions: [String], _ path: String, in folder: URL) throws {
    try writeBundle(versions, at: folder.appending(path: path))
}

package func textModel(_ entity: String, _ attributes: [String]) -> String {
    let lines = attributes.map { "<attribute name='\($0)' optional='YES' attributeType='String'/>" }
    return "<model><entity name='\(entity)'>\(lines.joined())</entity></model>"
}

/// The source of a model as Xcode writes it; the lines of its content are indented by four spaces.
package func xcodeSource(_ contents: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22522" systemVersion="23E224" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="">
    \(contents)
    </model>
    """
}
