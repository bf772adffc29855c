package import Diagnostics
import FileSystem
import Essentials
import ModelLoading
package import SettingsFiles
import SwiftDataReading

/// Settings of Swift sources that override a configuration.
package struct SwiftSettings: Sendable, Hashable {
    /// The classes of the schema where its list is made at run time; empty for no setting.
    package var modelTypes: [String]
    /// True conditions of `#if`, in addition to those of the configuration.
    package var definitions: Set<String>
    /// The system that `os(…)` asks for; `nil` for no setting.
    package var platform: String?

    package init(
        modelTypes: [String] = [],
        definitions: Set<String> = [],
        platform: String? = nil
    ) {
        self.modelTypes = modelTypes
        self.definitions = definitions
        self.platform = platform
    }

    func applied(to options: SwiftReadingOptions) -> SwiftReadingOptions {
        var options = options
        if !modelTypes.isEmpty { options.modelTypes = modelTypes }
        options.definitions.formUnion(definitions)
        options.platform = platform ?? options.platform
        return options
    }
}

/// Reads the configuration for a path: the named file, or the nearest one upwards.
package func configuration(
    _ chosen: String?,
    for path: String
) throws(MomtoolError) -> Diagnosed<ToolConfiguration> {
    guard let file = chosen ?? nearestConfiguration(above: path) else {
        return Diagnosed(ToolConfiguration())
    }
    if chosen == nil { try requireInside(file) }
    do throws(FileFault) {
        let bytes = try readFile(file, limit: 1 << 20)
        return readConfiguration(String(decoding: bytes, as: UTF8.self), path: file)
    } catch {
        let kind: MomtoolError.Kind = error == .tooLarge ? .badData : .noInput
        throw MomtoolError(kind, file, error.reason, .unreadableFile)
    }
}

/// Reads the configuration for a path, which is empty without a file; throws for a file with faults.
package func settings(
    _ chosen: String? = nil,
    for path: String
) throws(MomtoolError) -> ToolConfiguration {
    let read = try configuration(chosen, for: path)
    guard !read.hasErrors else { throw MomtoolError(.badData, saying: read.diagnostics) }
    return read.value
}

/// Finds the nearest configuration upwards of a path; relative if that is and it is below the current folder.
package func nearestConfiguration(above path: String) -> String? {
    let place = fileURL(path).standardizedFileURL
    // A folder that is not a model has its own.
    let isFolder = FileIdentity(of: path)?.isFolder == true && ModelFileKind(at: path) == nil
    var folder = isFolder ? place : place.deletingLastPathComponent()
    while true {
        let file = folder.appending(path: ToolConfiguration.fileName).path
        // A dangling link is reported when it is read: its settings are meant to apply.
        if exists(file) {
            return path.hasPrefix("/") ? file : pathFromHere(file)
        }
        let parent = folder.deletingLastPathComponent().standardizedFileURL
        guard parent.path != folder.path, !folder.path.isEmpty, folder.path != "/" else {
            return nil
        }
        folder = parent
    }
}

func readSwiftFile(
    _ path: String,
    _ swift: SwiftSettings
) throws(MomtoolError) -> Diagnosed<ModelBundle> {
    let settings = try configuration(nil, for: path)
    return readSwiftBundle(at: path, options: swift.applied(to: settings.value.swift))
        .noting(settings.diagnostics)
}

/// Reads the versions of the Swift files below a folder; none if it does not exist.
func readSwiftFolder(
    _ folder: String,
    _ swift: SwiftSettings
) throws(MomtoolError) -> Diagnosed<ModelBundle> {
    let bundle = trimmedPath(folder)
    let settings = try configuration(nil, for: bundle + "/Package.swift")
    let options = folderOptions(settings.value, swift)
    let read = readSwiftBundle(at: bundle, options: options)
    // Settings of Swift sources do not matter where there are none.
    return read.value.versions.isEmpty && read.diagnostics.isEmpty
        ? read : read.noting(settings.diagnostics)
}

/// The options for the sources below a folder, with paths from the current folder.
private func folderOptions(
    _ settings: ToolConfiguration,
    _ swift: SwiftSettings
) -> SwiftReadingOptions {
    var options = swift.applied(to: settings.swift)
    let root = settings.path.map { parent(of: $0) } ?? "."
    options.sources = options.sources.map { root == "." ? $0 : "\(root)/\($0)" }
    return options
}

func swiftOptions(
    at path: String,
    _ swift: SwiftSettings
) throws(MomtoolError) -> SwiftReadingOptions {
    guard FileIdentity(of: path)?.isFolder == true else {
        return swift.applied(to: try settings(for: path).swift)
    }
    return folderOptions(try settings(for: path + "/Package.swift"), swift)
}

/// Returns the folder of a package's target named as `Package/Target`; `nil` when there is none.
func packageTarget(_ path: String) -> String? {
    let url = fileURL(path)
    let package = url.deletingLastPathComponent()
    let manifest = package.appending(path: "Package.swift").path
    guard Files.exists(at: manifest) else { return nil }
    let folder = package.appending(path: "Sources/\(url.lastPathComponent)").relativePath
    return Files.exists(at: folder) ? folder : nil
}

func readSwiftTarget(
    _ target: XcodeTarget,
    _ swift: SwiftSettings
) throws(MomtoolError) -> Diagnosed<ModelBundle> {
    let settings = try configuration(nil, for: target.folder + "/Package.swift")
    let options = target.applied(to: swift.applied(to: settings.value.swift))
    return readSwiftBundle(at: target.folder, options: options).noting(settings.diagnostics)
}

struct XcodeTarget {
    let folder: String
    let sources: TargetSources

    init?(_ path: String) {
        let project = parent(of: trimmedPath(path))
        let file = project + "/project.pbxproj"
        guard project.hasSuffix(".xcodeproj"), let bytes = try? readFile(file, limit: 64 << 20),
            let name = trimmedPath(path).split(separator: "/").last,
            let sources = swiftSources(ofTarget: String(name), inProject: bytes, path: file),
            sources.sources.allSatisfy({ boundsFault($0, in: parent(of: project)) == nil })
        else { return nil }
        folder = parent(of: project)
        self.sources = sources
    }

    func applied(to options: SwiftReadingOptions) -> SwiftReadingOptions {
        var options = options
        options.sources = sources.sources.map { folder == "." ? $0 : "\(folder)/\($0)" }
        options.excluded += sources.excluded
        return options
    }
}

func readSwiftBundle(
    _ sources: [SwiftSource],
    path: String,
    _ swift: SwiftSettings,
    settingsFor place: String
) throws(MomtoolError) -> Diagnosed<ModelBundle> {
    let settings = try configuration(nil, for: place)
    let options = swift.applied(to: settings.value.swift)
    let chosen = SwiftSourceChoice(options).chosen(sources, below: path)
    return readSwiftBundle(chosen, path: path, options: options, entitledAround: place)
        .noting(settings.diagnostics)
}

extension Diagnosed {
    package func noting(_ earlier: [Diagnostic]) -> Self { Diagnosed(value, earlier + diagnostics) }
}

extension Diagnosed where Value == ModelBundle {
    /// Whether all errors leave other entities and versions complete: those of Swift sources, of a newer Xcode, and of
    /// parts of Xcode 3 models.
    package var isReadableInParts: Bool {
        let rules: Set<RuleID> = [
            .swiftClassStored, .swiftNotUnderstood, .swiftNotReadable, .swiftSyntax,
            .swiftDuplicateClass, .unknownAttributeType, .unknownKeyword, .unknownLegacyPart,
        ]
        return !value.versions.isEmpty
            && diagnostics.allSatisfy { $0.severity != .error || rules.contains($0.rule) }
    }
}
