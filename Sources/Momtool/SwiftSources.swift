package import Diagnostics
import FileSystem
import Foundation
import ModelLoading
import ObjectModel
package import SettingsFiles
import SwiftDataReading

/// No Swift file that is read is larger, in bytes.
private let sizeLimit = 2 << 20

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
    let bytes: [UInt8]
    do throws(FileFault) {
        bytes = try readFile(path, limit: sizeLimit)
    } catch {
        throw MomtoolError(.noInput, path, error.reason, .unreadableFile)
    }
    let source = SwiftSource(path: path, bytes: bytes)
    return try readSwiftBundle([source], path: path, settingsFor: path)
}

/// Reads the versions that the Swift files below a folder declare; none when there is no such file.
func readSwiftFolder(_ folder: String) throws(MomtoolError) -> Diagnosed<ModelBundle> {
    var diagnostics: [Diagnostic] = []
    var sources: [SwiftSource] = []
    for path in filePaths(below: trimmedPath(folder), endingIn: ".swift") {
        do throws(FileFault) {
            sources.append(SwiftSource(path: path, bytes: try readFile(path, limit: sizeLimit)))
        } catch {
            let place = SourceLocation(path: path)
            diagnostics.append(
                Diagnostic(.unreadableFile, error.reason, severity: .warning, at: place)
            )
        }
    }
    guard !sources.isEmpty else { return Diagnosed(ModelBundle(path: folder, versions: [])) }
    var bundle = try readSwiftBundle(
        sources,
        path: folder,
        settingsFor: folder + "/Package.swift"
    )
    bundle.diagnostics = diagnostics + bundle.diagnostics
    return bundle
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
    let models = readSwiftModels(sources, options: settings.value.swift)
    let names = models.value.versions.map {
        $0.name.split(separator: ".").last.map(String.init) ?? ""
    }
    let isShort = Set(names).count == names.count
    let current =
        models.value.versions.lastIndex(where: \.isVersioned)
        ?? models.value.versions.indices.last
    let versions = models.value.versions.enumerated().map { place, version in
        ModelVersion(
            name: isShort ? names[place] : version.name,
            path: version.path,
            place: place,
            isCurrent: place == current,
            model: version.model
        )
    }
    let bundle = ModelBundle(
        path: path,
        versions: versions,
        namedCurrentVersion: versions.first(where: \.isCurrent)?.name
    )
    return Diagnosed(bundle, settings.diagnostics + models.diagnostics)
}

extension Diagnosed where Value == ModelBundle {
    /// Whether all errors are of Swift sources, which leave the other entities and versions whole.
    package var isReadableInParts: Bool {
        let rules: Set<RuleID> = [
            .swiftNotUnderstood, .swiftNotReadable, .swiftSyntax, .swiftDuplicateClass,
        ]
        return !value.versions.isEmpty
            && diagnostics.allSatisfy { $0.severity != .error || rules.contains($0.rule) }
    }
}
