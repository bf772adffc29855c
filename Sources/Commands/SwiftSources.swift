import Diagnostics
import FileSystem
import Foundation
import ModelLoading
import ObjectModel
import SettingsFiles
import SwiftDataReading

/// No Swift file that is read is larger, in bytes.
private let sizeLimit = 2 << 20

/// Returns what the nearest configuration says of Swift sources.
func swiftOptions(for path: String) throws -> SwiftReadingOptions {
    try loadConfiguration(nil, for: path).swift
}

/// Reads the versions that a Swift file declares.
func readSwiftFile(_ path: String) throws -> Diagnosed<ModelBundle> {
    let options = try swiftOptions(for: path)
    do throws(FileFault) {
        let source = SwiftSource(path: path, bytes: try readFile(path, limit: sizeLimit))
        return readSwiftBundle([source], path: path, options)
    } catch {
        throw CommandFailure(.noInput, path, error.reason, .unreadableFile)
    }
}

/// Reads the versions that the Swift files below a folder declare; none when there is no such file.
func readSwiftFolder(_ folder: String) throws -> Diagnosed<ModelBundle> {
    let options = try swiftOptions(for: folder + "/Package.swift")
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
    var bundle = readSwiftBundle(sources, path: folder, options)
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

/// Reads the versions that Swift sources declare.
func readSwiftBundle(
    _ sources: [SwiftSource],
    path: String,
    _ options: SwiftReadingOptions
) -> Diagnosed<ModelBundle> {
    readSwiftModels(sources, options: options).map { models in
        let names = models.versions.map {
            $0.name.split(separator: ".").last.map(String.init) ?? ""
        }
        let isShort = Set(names).count == names.count
        let current =
            models.versions.lastIndex(where: \.isVersioned) ?? models.versions.indices.last
        let versions = models.versions.enumerated().map { place, version in
            ModelVersion(
                name: isShort ? names[place] : version.name,
                path: version.path,
                place: place,
                isCurrent: place == current,
                model: version.model
            )
        }
        return ModelBundle(
            path: path,
            versions: versions,
            namedCurrentVersion: versions.first(where: \.isCurrent)?.name
        )
    }
}

extension Diagnosed where Value == ModelBundle {
    /// Whether all errors are of Swift sources, which leave the other entities and versions whole.
    var isReadableInParts: Bool {
        let rules: Set<RuleID> = [
            .swiftNotUnderstood, .swiftNotReadable, .swiftSyntax, .swiftDuplicateClass,
        ]
        return !value.versions.isEmpty
            && diagnostics.allSatisfy { $0.severity != .error || rules.contains($0.rule) }
    }
}
