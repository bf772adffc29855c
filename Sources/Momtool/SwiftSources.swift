package import Diagnostics
import FileSystem
import Foundation
import ModelLoading
import ObjectModel
package import SettingsFiles
import SwiftDataReading

/// Finds and reads the configuration for a path: the file named, else the nearest one upwards.
package func configuration(
    _ chosen: String?,
    for path: String
) throws(MomtoolError) -> Diagnosed<ToolConfiguration> {
    guard let file = chosen ?? nearestConfiguration(above: path) else {
        return Diagnosed(ToolConfiguration())
    }
    do throws(FileFault) {
        let bytes = try readFile(file, limit: 1 << 20)
        return readConfiguration(String(decoding: bytes, as: UTF8.self), path: file)
    } catch {
        let kind: MomtoolError.Kind = error == .tooLarge ? .badData : .noInput
        throw MomtoolError(kind, file, error.reason, .unreadableFile)
    }
}

/// Finds the nearest configuration upwards of a path.
package func nearestConfiguration(above path: String) -> String? {
    var folder = fileURL(path).standardizedFileURL.deletingLastPathComponent()
    while true {
        let file = folder.appending(path: ToolConfiguration.fileName).path
        if FileManager.default.fileExists(atPath: file) { return file }
        let parent = folder.deletingLastPathComponent().standardizedFileURL
        guard parent.path != folder.path, !folder.path.isEmpty, folder.path != "/" else {
            return nil
        }
        folder = parent
    }
}

/// Reads the versions that a Swift file declares.
func readSwiftFile(_ path: String) throws(MomtoolError) -> Diagnosed<ModelBundle> {
    let settings = try configuration(nil, for: path)
    return readSwiftBundle(at: path, options: settings.value.swift).noting(settings.diagnostics)
}

/// Reads the versions that the Swift files below a folder declare; none when there is no such file.
func readSwiftFolder(_ folder: String) throws(MomtoolError) -> Diagnosed<ModelBundle> {
    let bundle = trimmedPath(folder)
    let settings = try configuration(nil, for: bundle + "/Package.swift")
    let read = readSwiftBundle(at: bundle, options: settings.value.swift)
    // Settings of Swift sources are of no interest where there are none.
    return read.value.versions.isEmpty && read.diagnostics.isEmpty
        ? read : read.noting(settings.diagnostics)
}

/// Returns the folder of a package's target that is named as `Package/Target`; `nil` when there is none.
func packageTarget(_ path: String) -> String? {
    let url = fileURL(path)
    let package = url.deletingLastPathComponent()
    let manifest = package.appending(path: "Package.swift").path
    guard FileManager.default.fileExists(atPath: manifest) else { return nil }
    let folder = package.appending(path: "Sources/\(url.lastPathComponent)").relativePath
    return FileManager.default.fileExists(atPath: folder) ? folder : nil
}

/// Reads the versions that Swift sources declare, under what the nearest configuration says of them.
func readSwiftBundle(
    _ sources: [SwiftSource],
    path: String,
    settingsFor place: String
) throws(MomtoolError) -> Diagnosed<ModelBundle> {
    let settings = try configuration(nil, for: place)
    return readSwiftBundle(sources, path: path, options: settings.value.swift)
        .noting(settings.diagnostics)
}

extension Diagnosed where Value == ModelBundle {
    /// The same with what was noticed before.
    fileprivate func noting(_ earlier: [Diagnostic]) -> Self {
        Diagnosed(value, earlier + diagnostics)
    }

    /// Whether all errors are of Swift sources, which leave the other entities and versions whole.
    package var isReadableInParts: Bool {
        let rules: Set<RuleID> = [
            .swiftNotUnderstood, .swiftNotReadable, .swiftSyntax, .swiftDuplicateClass,
        ]
        return !value.versions.isEmpty
            && diagnostics.allSatisfy { $0.severity != .error || rules.contains($0.rule) }
    }
}
