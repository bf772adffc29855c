import Diagnostics
import FileSystem
import Foundation
import ModelLoading
import SettingsFiles
import SwiftDataReading

/// Returns what the nearest configuration says of Swift sources.
func swiftOptions(for path: String) throws -> SwiftReadingOptions {
    try loadConfiguration(nil, for: path).swift
}

/// Reads the versions that a Swift file declares.
func readSwiftFile(_ path: String) throws -> Diagnosed<ModelBundle> {
    readSwiftBundle(at: path, options: try swiftOptions(for: path))
}

/// Reads the versions that the Swift files below a folder declare; none when there is no such file.
func readSwiftFolder(_ folder: String) throws -> Diagnosed<ModelBundle> {
    let options = try swiftOptions(for: folder + "/Package.swift")
    return readSwiftBundle(at: trimmedPath(folder), options: options)
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
