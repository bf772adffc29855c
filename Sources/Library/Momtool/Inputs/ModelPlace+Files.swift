import Essentials
import FileSystem
import ModelLoading

extension ModelPlace {
    /// The files by which a model on disk is read: while none of them changes, it is the same.
    ///
    /// `nil` where the files are not known beforehand, as of a revision, a store, or a folder with a model in it.
    package var filesRead: [String]? {
        guard versionName == nil else { return nil }
        if ModelFileKind(at: path) != nil { return filePaths(below: path, endingIn: "") }
        guard holdsSwift else { return nil }
        let names = (try? Files.names(in: path)) ?? []
        guard readsSwift || !names.contains(where: { ModelFileKind(at: "\(path)/\($0)") != nil })
        else { return nil }
        return swiftFiles
    }

    /// The Swift sources, and the files with their settings.
    private var swiftFiles: [String]? {
        let target = XcodeTarget(path)
        let folder = target?.folder ?? packageTarget(path) ?? path
        guard var options = try? swiftOptions(at: folder, swift) else { return nil }
        if let target { options = target.applied(to: options) }
        let isFolder = FileIdentity(of: folder)?.isFolder ?? false
        let settings = nearestConfiguration(above: isFolder ? folder + "/Package.swift" : folder)
        return swiftFilePaths(at: folder, options: options)
            + entitlementFiles(around: folder) + [settings].compactMap(\.self)
            + (target == nil ? [] : [parent(of: trimmedPath(path)) + "/project.pbxproj"])
    }
}
