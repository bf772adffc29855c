package import Foundation

/// Writes a model of versions by name, as Xcode lays it out.
package func writeBundle(
    _ versions: [String: String],
    current: String,
    at bundle: URL
) throws {
    for (name, text) in versions {
        let version = bundle.appending(path: "\(name).xcdatamodel")
        try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: version.appending(path: "contents"))
    }
    let list =
        "<plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key>"
        + "<string>\(current).xcdatamodel</string></dict></plist>"
    try Data(list.utf8).write(to: bundle.appending(path: ".xccurrentversion"))
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
