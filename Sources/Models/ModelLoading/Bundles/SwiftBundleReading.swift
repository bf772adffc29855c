package import Diagnostics
import FileSystem
import Essentials
import ObjectModel
package import SwiftDataReading

/// No Swift file that is read is larger, in bytes.
private let sizeLimit = 8 << 20

/// Reads the versions that a Swift file declares, or the Swift files below a folder.
///
/// Hidden folders are left out, `.build` among them, and test targets. Where a folder holds no Swift file there are no
/// versions.
///
/// - Parameters:
///   - path: the path of the file or folder.
///   - options: what the sources leave open; the folders and files that they name are read in place of a folder.
/// - Returns: the versions, in the order of the migration plan.
package func readSwiftBundle(
    at path: String,
    options: SwiftReadingOptions = SwiftReadingOptions()
) -> Diagnosed<ModelBundle> {
    let sources = swiftSources(at: path, options: options)
    guard !sources.value.isEmpty else {
        return Diagnosed(ModelBundle(path: path, versions: []), sources.diagnostics)
    }
    var bundle = readSwiftBundle(sources.value, path: path, options: options, entitledAround: path)
    bundle.diagnostics = sources.diagnostics + bundle.diagnostics
    return bundle
}

/// Reads the files that are read where a Swift file or a folder of some is named.
///
/// - Parameters:
///   - path: the path of the file or folder.
///   - options: the folders and files that they name are read in place of a folder.
/// - Returns: the files, with what could not be read.
package func swiftSources(
    at path: String,
    options: SwiftReadingOptions
) -> Diagnosed<[SwiftSource]> {
    let isFolder = FileIdentity(of: path)?.isFolder ?? false
    var diagnostics: [Diagnostic] = []
    var sources: [SwiftSource] = []
    for root in roots(at: path, options) {
        let files = swiftFiles(at: root, isNamed: !isFolder)
        let choice = SwiftSourceChoice(options)
        sources += isFolder ? choice.chosen(files.value, below: root) : files.value
        diagnostics += files.diagnostics
    }
    return Diagnosed(sources, diagnostics)
}

/// Returns the paths of the files that ``swiftSources(at:options:)`` looks at.
package func swiftFilePaths(at path: String, options: SwiftReadingOptions) -> [String] {
    roots(at: path, options).flatMap(swiftFilePaths)
}

/// What is read where a file or folder is named: the folders and files that the options name in place of a folder.
private func roots(at path: String, _ options: SwiftReadingOptions) -> [String] {
    FileIdentity(of: path)?.isFolder == true && !options.sources.isEmpty ? options.sources : [path]
}

private func swiftFilePaths(at path: String) -> [String] {
    FileIdentity(of: path)?.isFolder == true ? filePaths(below: path, endingIn: ".swift") : [path]
}

/// Reads a Swift file, or those below a folder; of a folder's files one that cannot be read is a warning.
private func swiftFiles(at path: String, isNamed: Bool) -> Diagnosed<[SwiftSource]> {
    let isFolder = FileIdentity(of: path)?.isFolder ?? false
    var diagnostics: [Diagnostic] = []
    var sources: [SwiftSource] = []
    for file in swiftFilePaths(at: path) {
        do throws(FileFault) {
            sources.append(SwiftSource(path: file, bytes: try readFile(file, limit: sizeLimit)))
        } catch {
            let place = FileLocation(path: file)
            let severity: Severity = isNamed || !isFolder ? .error : .warning
            diagnostics.append(
                Diagnostic(.unreadableFile, error.reason, severity: severity, at: place)
            )
        }
    }
    return Diagnosed(sources, diagnostics)
}

/// Whether a path leads to a Swift file, or to a folder with one below it.
package func holdsSwiftSources(_ path: String) -> Bool {
    guard let identity = FileIdentity(of: path) else { return false }
    return identity.isFolder
        ? !filePaths(below: path, endingIn: ".swift").isEmpty : path.hasSuffix(".swift")
}

/// Reads the versions that Swift sources declare.
///
/// - Parameters:
///   - sources: the sources.
///   - path: what the bundle is called.
///   - options: what the sources leave open.
/// - Returns: the versions, in the order of the migration plan; the last one is current, or what containers open.
package func readSwiftBundle(
    _ sources: [SwiftSource],
    path: String,
    options: SwiftReadingOptions = SwiftReadingOptions()
) -> Diagnosed<ModelBundle> {
    readSwiftBundle(sources, path: path, options: options, entitledAround: nil)
}

/// Reads the versions that Swift sources declare.
///
/// - Parameters:
///   - sources: the sources.
///   - path: what the bundle is called.
///   - options: what the sources leave open.
///   - place: where the sources lie on disk, beside which entitlements say whether the app may use CloudKit.
/// - Returns: the versions, in the order of the migration plan; the last one is current, or what containers open.
package func readSwiftBundle(
    _ sources: [SwiftSource],
    path: String,
    options: SwiftReadingOptions,
    entitledAround place: String?
) -> Diagnosed<ModelBundle> {
    var placed = options
    placed.place = GitPlace(path) == nil ? path : nil
    return readSwiftModels(sources, options: placed).map { models in
        let names = models.versions.map {
            $0.name.split(separator: ".").last.map(String.init) ?? ""
        }
        let isShort = Set(names).count == names.count
        func shown(_ name: String) -> String {
            isShort ? name.split(separator: ".").last.map(String.init) ?? name : name
        }
        let isMirrored =
            options.isUsedWithCloudKit
            ?? (models.opensCloudKit
                || !models.refusesCloudKit && place.map(entitlesCloudKit) ?? false)
        let planned = models.versions.lastIndex(where: \.isVersioned)
        let current =
            (models.opensUnversioned ? nil : planned) ?? models.versions.indices.last
        let versions = models.versions.enumerated().map { place, version in
            ModelVersion(
                name: shown(version.name),
                path: version.path,
                place: place,
                isCurrent: place == current,
                model: filled(version.model, isMirrored: isMirrored)
            )
        }
        var bundle = ModelBundle(
            path: path,
            versions: versions,
            namedCurrentVersion: versions.first(where: \.isCurrent)?.name
        )
        bundle.swift = ModelBundle.SwiftDetails(
            plans: models.plans.map { $0.renamed(shown) },
            shapes: Dictionary(
                models.versions.map { (shown($0.name), $0.shapes) },
                uniquingKeysWith: { first, _ in first }
            ),
            schemas: Set(models.versions.filter(\.isVersioned).map { shown($0.name) }),
            remarks: models.remarks,
            questions: Dictionary(
                models.versions.map { (shown($0.name), $0.questions) },
                uniquingKeysWith: { first, _ in first }
            ),
            readings: models.readings
        )
        return bundle
    }
}

extension SwiftMigrationPlan {
    /// The plan with other names for its versions.
    fileprivate func renamed(_ name: (String) -> String) -> SwiftMigrationPlan {
        var plan = self
        plan.schemas = schemas.map(name)
        for index in plan.stages.indices {
            plan.stages[index].from = name(stages[index].from)
            plan.stages[index].to = name(stages[index].to)
        }
        return plan
    }
}

/// What `UUID()` and `Date()` give: one value for all that the process reads, as one build of a schema has.
private let moment = (identifier: UUID(), date: Date().timeIntervalSinceReferenceDate)

/// Gives defaults that are worked out when a schema is built their values, and says what the container is used with.
private func filled(
    _ model: ManagedObjectModel,
    isMirrored: Bool
) -> ManagedObjectModel {
    var model = model
    if isMirrored { model.documentSettings["usedWithCloudKit"] = "YES" }
    for entity in model.entities.indices {
        for index in model.entities[entity].attributes.indices {
            let attribute = model.entities[entity].attributes[index]
            guard case .moment = attribute.unstatedDefault else { continue }
            model.entities[entity].attributes[index].defaultValue =
                attribute.type == .uuid ? .uuid(moment.identifier) : .date(moment.date)
        }
    }
    return model
}
