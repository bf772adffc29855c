import FileSystem
import SwiftDataReading

extension SwiftSource {
    /// A file of a revision, below a place of some name.
    init(_ file: GitFile, below name: String) {
        self.init(path: file.path.isEmpty ? name : "\(name)/\(file.path)", bytes: file.bytes)
    }
}

extension GitFile {
    /// Whether it is, or may be, a model of its own, which a list of versions is not.
    var isModel: Bool {
        path.isEmpty || path.hasSuffix("contents") || path.hasSuffix("/elements")
            || path == "elements" || path.hasSuffix(".mom") || path.hasSuffix(".omo")
    }
}

/// Whether a file or folder of a repository is needed to read the model that lies there.
func isPartOfModel(_ path: String, _ isFolder: Bool) -> Bool {
    if isFolder {
        return [".xcdatamodeld", ".xcdatamodel", ".momd", ".momd_precompiled"]
            .contains(where: path.hasSuffix)
    }
    let name = path.split(separator: "/").last ?? ""
    return ["contents", "elements", ".xccurrentversion", "VersionInfo.plist"].contains(name)
        || name.hasSuffix(".mom") || name.hasSuffix(".omo")
}

/// Whether a file or folder of a repository is needed to read the Swift sources that lie there.
func isSwiftSource(_ path: String, _ isFolder: Bool) -> Bool {
    let name = path.split(separator: "/").last ?? ""
    return !name.hasPrefix(".") && (isFolder || name.hasSuffix(".swift"))
}
