import FileSystem
import SwiftDataReading

extension SwiftSource {
    init(_ file: GitFile, below name: String) {
        self.init(path: file.path.isEmpty ? name : "\(name)/\(file.path)", bytes: file.bytes)
    }
}

extension GitFile {
    /// Whether it is, or may be, a model of its own, unlike a list of versions.
    var isModel: Bool {
        path.isEmpty || path.hasSuffix("contents") || path.hasSuffix("/elements")
            || path == "elements" || path.hasSuffix(".mom") || path.hasSuffix(".omo")
    }
}

func isPartOfModel(_ path: String, _ isFolder: Bool) -> Bool {
    if isFolder {
        return [".xcdatamodeld", ".xcdatamodel", ".momd", ".momd_precompiled"]
            .contains(where: path.hasSuffix)
    }
    let name = path.split(separator: "/").last ?? ""
    return ["contents", "elements", ".xccurrentversion", "VersionInfo.plist"].contains(name)
        || name.hasSuffix(".mom") || name.hasSuffix(".omo")
}

func isSwiftSource(_ path: String, _ isFolder: Bool) -> Bool {
    guard isFolder || path.hasSuffix(".swift") else { return false }
    let start = path.utf8.lastIndex(of: UInt8(ascii: "/")).map(path.utf8.index(after:))
    return path.utf8[(start ?? path.startIndex)...].first != UInt8(ascii: ".")
}
