package import Diagnostics
import Essentials
import FileSystem
import ObjectModel
package import SwiftDataReading

/// The greatest size of a Swift file that is read, in bytes.
private let sizeLimit = 8 << 20

/// Reads the versions in a Swift file, or in the Swift files below a folder, in the order of the migration plan.
///
/// Hidden folders, those of builds and package managers, and test targets are left out. Without a Swift file there are no
/// versions. If the options name folders and files, these are read instead of a folder.
package func readSwiftBundle(
    at path: String,
    options: SwiftReadingOptions = SwiftReadingOptions()
) -> Diagnosed<ModelBundle> {
    var sources = swiftSources(at: path, options: options)
    guard !sources.value.isEmpty else {
        return Diagnosed(ModelBundle(path: path, versions: []), sources.diagnostics)
    }
    let importers = options.importers.flatMap { swiftFiles(at: $0, isNamed: false).value }
    sources.value += SwiftSourceChoice(options).chosen(importers, below: path)
    var bundle = readSwiftBundle(sources.value, path: path, options: options, entitledAround: path)
    bundle.diagnostics = sources.diagnostics + bundle.diagnostics
    return bundle
}

/// Reads a Swift file or those of a folder; if the options name folders and files, these are read instead.
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

package func swiftFilePaths(at path: String, options: SwiftReadingOptions) -> [String] {
    roots(at: path, options).flatMap(swiftFilePaths)
}

/// The paths that are read: the folders and files in the options in place of a folder.
private func roots(at path: String, _ options: SwiftReadingOptions) -> [String] {
    FileIdentity(of: path)?.isFolder == true && !options.sources.isEmpty ? options.sources : [path]
}

private func swiftFilePaths(at path: String) -> [String] {
    guard FileIdentity(of: path)?.isFolder == true else { return [path] }
    let files = swiftPaths(below: path)
    // Reports name files from the current folder, as git does.
    return path == "." ? files.map { String($0.dropFirst(2)) } : files
}

private func swiftPaths(below folder: String) -> [String] {
    filePaths(below: folder, leavingOut: isPassedOver) { $0.hasSuffix(".swift") }
}

/// Reads a Swift file, or those below a folder, with a warning for each unreadable one.
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
    return identity.isFolder ? !swiftPaths(below: path).isEmpty : path.hasSuffix(".swift")
}

/// Reads the versions of Swift sources in the order of the migration plan; the current one is last, or in containers.
package func readSwiftBundle(
    _ sources: [SwiftSource],
    path: String,
    options: SwiftReadingOptions = SwiftReadingOptions()
) -> Diagnosed<ModelBundle> {
    readSwiftBundle(sources, path: path, options: options, entitledAround: nil)
}

/// Reads the versions of Swift sources in the order of the migration plan; the current one is last, or in containers.
///
/// `place` is the path of the sources on disk; entitlements beside it say whether the app may use CloudKit.
package func readSwiftBundle(
    _ sources: [SwiftSource],
    path: String,
    options: SwiftReadingOptions,
    entitledAround place: String?
) -> Diagnosed<ModelBundle> {
    var placed = options
    placed.place = GitPlace(path) == nil ? path : nil
    placed.groups = place.map { appGroups(around: $0, below: path) } ?? [:]
    return readSwiftModels(sources, options: placed).map { models in
        let names = models.versions.map {
            $0.name.split(separator: ".").last.map(String.init) ?? ""
        }
        let isShort = Set(names).count == names.count
        func shown(_ name: String) -> String {
            isShort ? name.split(separator: ".").last.map(String.init) ?? name : name
        }
        let areEntitled = place.map { cloudKitEntitlements(around: $0, below: path) }
        func isMirrored(_ source: String?) -> Bool {
            options.isUsedWithCloudKit
                ?? (models.opensCloudKit
                    || !models.refusesCloudKit && areEntitled?(source) ?? false)
        }
        let planned =
            models.versions.firstIndex { $0.name == models.openedVersion }
            ?? models.versions.lastIndex(where: \.isVersioned)
        let current = (models.opensUnversioned ? nil : planned) ?? models.versions.indices.last
        let versions = models.versions.enumerated().map { place, version in
            var shownVersion = ModelVersion(
                name: shown(version.name),
                path: version.path,
                place: place,
                isCurrent: place == current,
                model: filled(version.model, isMirrored: isMirrored(nil))
                    .mirroring(options.isUsedWithCloudKit == nil ? models.stores : [], isMirrored)
            )
            shownVersion.isMigratedUnasked = models.migratesUnasked(version)
            shownVersion.isBeside = !version.isVersioned && place != current
            return shownVersion
        }
        var bundle = ModelBundle(
            path: path,
            versions: versions,
            namedCurrentVersion: versions.first(where: \.isCurrent)?.name
        )
        bundle.swift = ModelBundle.SwiftDetails(
            plans: models.plans.map { $0.renamed(shown) },
            shapes: Dictionary(firstOf: models.versions.map { (shown($0.name), $0.shapes) }),
            schemas: Set(models.versions.filter(\.isVersioned).map { shown($0.name) }),
            remarks: models.remarks,
            questions: Dictionary(firstOf: models.versions.map { (shown($0.name), $0.questions) }),
            readings: models.readings
        )
        bundle.swift?.stores = models.stores
        bundle.swift?.memoryStores = models.memoryStores
        bundle.swift?.hasSeveralPlans = models.plans.count > 1
        return bundle
    }
}

extension SwiftMigrationPlan {
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

/// The values of `UUID()` and `Date()`: one for all that the process reads, as in one build of a schema.
private let moment = (identifier: UUID(), date: Date().timeIntervalSinceReferenceDate)

/// Fills in defaults that are computed when a schema is built, and reports what the container is used with.
private func filled(_ model: ManagedObjectModel, isMirrored: Bool) -> ManagedObjectModel {
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

extension SwiftModels {
    /// Whether SwiftData infers steps from a version automatically: no plan with stages lists it.
    fileprivate func migratesUnasked(_ version: SwiftModelVersion) -> Bool {
        let plans = plans.filter { $0.schemas.contains(version.name) }
        return version.isVersioned
            ? !plans.isEmpty && plans.allSatisfy(\.stages.isEmpty)
            : version.name == SwiftModelVersion.unversionedName
                && !(opensUnversioned && plans.contains { !$0.stages.isEmpty })
    }
}

package struct SwiftSourceChoice: Sendable {
    /// The exclusions, each by its components.
    private let excluded: [[String]]

    package init(_ options: SwiftReadingOptions) {
        excluded = options.excluded.map { path in
            path.split(separator: "/").filter { $0 != "." }.map(String.init)
        }
    }

    /// Returns the files that belong to the app, in order: no excluded ones, and none of a test target, unless only these
    /// declare models or `root` is one.
    package func chosen(_ sources: [SwiftSource], below root: String) -> [SwiftSource] {
        chosen(sources, below: root, \.path, isTest: \.importsTests, holdsModels: \.mentionsModels)
    }

    /// Returns the files that belong to the app, in order, by what is known of each.
    package func chosen<File>(
        _ files: [File],
        below root: String,
        _ path: (File) -> String,
        isTest: (File) -> Bool,
        holdsModels: (File) -> Bool
    ) -> [File] {
        let named = excluded.isEmpty ? files : files.filter { !isExcluded(path($0)) }
        let own = named.filter { !isTest($0) && !Self.isOfTests(path($0), below: root) }
        return own.contains(where: holdsModels) ? own : named
    }

    package func isExcluded(_ path: String) -> Bool {
        let components = path.split(separator: "/").map(String.init)
        return excluded.contains { pattern in
            guard !pattern.isEmpty, pattern.count <= components.count else { return false }
            return (0...components.count - pattern.count).contains { start in
                zip(pattern, components[start...]).allSatisfy { matches($1, $0) }
            }
        }
    }

    private static func isOfTests(_ path: String, below root: String) -> Bool {
        let inner = path.hasPrefix(root) ? path.dropFirst(root.count) : path[...]
        return inner.split(separator: "/").dropLast().contains { $0.hasSuffix("Tests") }
    }
}

/// Whether a name matches a pattern, in which `*` means any characters.
private func matches(_ name: String, _ pattern: String) -> Bool {
    let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
    guard parts.count > 1, let first = parts.first, let last = parts.last else {
        return name == pattern
    }
    guard name.hasPrefix(first), name.count >= first.count + last.count else { return false }
    var rest = name.dropFirst(first.count)
    guard rest.hasSuffix(last) else { return false }
    rest = rest.dropLast(last.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
        guard let found = rest.firstRange(of: part) else { return false }
        rest = rest[found.upperBound...]
    }
    return true
}
