import ObjectModel

extension ModelVersion {
    /// The path by which the editor of models takes the version: that of its bundle, with the name behind it where the
    /// version is not the current one; `nil` where there is no source that it edits.
    var editedPath: String? {
        let folder = path.hasSuffix("/contents") ? String(path.dropLast("/contents".count)) : path
        guard folder.hasSuffix(".xcdatamodel") else { return nil }
        let bundle = folder.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            .joined(separator: "/")
        guard bundle.hasSuffix(".xcdatamodeld") else { return folder }
        return isCurrent ? bundle : "\(bundle)#\(name)"
    }
}
