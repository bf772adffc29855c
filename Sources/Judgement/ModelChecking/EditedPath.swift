package import ObjectModel

extension ModelVersion {
    /// The path of the bundle of sources with the version; `nil` for any other version.
    package var bundlePath: String? {
        guard let folder, let slash = folder.lastIndex(of: "/") else { return nil }
        let bundle = folder[..<slash]
        return bundle.hasSuffix(".xcdatamodeld") ? String(bundle) : nil
    }

    /// The path for the model editor: the bundle's, and the name of a version not current; `nil` without a source.
    package var editedPath: String? {
        guard let bundlePath else { return folder }
        return isCurrent ? bundlePath : "\(bundlePath)#\(name)"
    }

    private var folder: String? {
        let folder = path.hasSuffix("/contents") ? path.dropLast("/contents".count) : path[...]
        guard folder.hasSuffix(".xcdatamodel") else { return nil }
        return String(folder.trimmingPrefix("./"))
    }
}
