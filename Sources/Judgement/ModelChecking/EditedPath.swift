package import ObjectModel

extension ModelVersion {
    /// The path of the bundle of sources that the version lies in; `nil` for any other version.
    package var bundlePath: String? {
        guard let folder, let slash = folder.lastIndex(of: "/") else { return nil }
        let bundle = folder[..<slash]
        return bundle.hasSuffix(".xcdatamodeld") ? String(bundle) : nil
    }

    /// The path by which the editor of models takes the version: that of its bundle, with the name behind it where the
    /// version is not the current one; `nil` where there is no source that it edits.
    var editedPath: String? {
        guard let bundlePath else { return folder }
        return isCurrent ? bundlePath : "\(bundlePath)#\(name)"
    }

    /// The folder of the version's source.
    private var folder: String? {
        let folder = path.hasSuffix("/contents") ? path.dropLast("/contents".count) : path[...]
        guard folder.hasSuffix(".xcdatamodel") else { return nil }
        return String(folder.trimmingPrefix("./"))
    }
}
