package import Diagnostics
import Essentials
import FileSystem
import ModelHashing
package import ModelLoading
package import ObjectModel
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
        (self.modelTypes, self.definitions, self.platform) = (modelTypes, definitions, platform)
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
        if exists(file) { return path.hasPrefix("/") ? file : pathFromHere(file) }
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
    let options = folderOptions(settings.value, swift, of: bundle)
    let read = readSwiftBundle(at: bundle, options: options)
    // Settings of Swift sources do not matter where there are none.
    return read.value.versions.isEmpty && read.diagnostics.isEmpty
        ? read : read.noting(settings.diagnostics)
}

/// The options for the sources below a folder, with paths from the current folder.
private func folderOptions(
    _ settings: ToolConfiguration,
    _ swift: SwiftSettings,
    of folder: String
) -> SwiftReadingOptions {
    var options = swift.applied(to: settings.swift)
    let root = settings.path.map { parent(of: $0) } ?? "."
    options.sources = options.sources.map { root == "." ? $0 : "\(root)/\($0)" }
    if options.sources.isEmpty { options.importers = importers(ofTarget: folder) }
    return options
}

func swiftOptions(
    at path: String,
    _ swift: SwiftSettings
) throws(MomtoolError) -> SwiftReadingOptions {
    guard FileIdentity(of: path)?.isFolder == true else {
        return swift.applied(to: try settings(for: path).swift)
    }
    return folderOptions(try settings(for: path + "/Package.swift"), swift, of: path)
}

/// Returns the folder of a package's target named as `Package/Target`; `nil` when there is none.
func packageTarget(_ path: String) -> String? {
    let url = fileURL(path)
    let package = url.deletingLastPathComponent()
    let manifest = package.appending(path: "Package.swift").path
    guard Files.exists(at: manifest) else { return nil }
    let name = url.lastPathComponent
    let known = AppTargets(folder: package.relativePath).ofPackage.first { $0.name == name }
    let folder = known?.folder ?? package.appending(path: "Sources/\(name)").relativePath
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
    importers: [SwiftSource] = [],
    path: String,
    _ swift: SwiftSettings,
    settingsFor place: String
) throws(MomtoolError) -> Diagnosed<ModelBundle> {
    let settings = try configuration(nil, for: place)
    var options = swift.applied(to: settings.value.swift)
    options.importers = importers.map(\.path)
    let chosen = SwiftSourceChoice(options).chosen(sources, below: path) + importers
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

/// Settles what Swift sources leave open by the hashes of a store that the app wrote.
package struct SourceFitting: Sendable {
    /// Answers about relationships and properties.
    package struct Reading: Sendable, Hashable {
        /// Inverses of relationships, by their names; `none` for none.
        package var inverses: [String: String] = [:]
        package var types: [String: String] = [:]
        /// Whether constraints that are written twice count once, by their properties.
        package var uniqueness: [String: Bool] = [:]

        package var configuration: [String] {
            var lines: [String] = []
            if !inverses.isEmpty {
                lines += ["swift:", "  inverses:"]
                lines += inverses.sorted { $0.key < $1.key }.map { "    \($0): \($1)" }
            }
            if !types.isEmpty {
                lines.append("types:")
                lines += types.sorted { $0.key < $1.key }.map { "  \($0): \($1)" }
            }
            return lines
                + uniqueness.sorted { $0.key < $1.key }.map { name, isOnce in
                    let advice = "once: write only one of .unique and #Unique"
                    return "# \(name) is unique \(isOnce ? advice : "twice, as it is written")"
                }
        }
    }

    package enum Outcome: Sendable, Hashable {
        /// The store has other entities, or other hashes of entities that are understood: these.
        case isAnother([String])
        case fitsAlready
        /// The readings with the store's hashes: none, the right one, or several.
        case readings([Reading])
        /// These entities are not understood for reasons that no answer settles.
        case cannotBeSet([String])
        /// There are too many readings to try.
        case tooMany
    }

    private static let trialLimit = 4_000
    /// The types to try for a property, in the words of a configuration.
    private static let types = [
        "Data", "String", "Int", "Int16", "Int32", "Double", "Float", "Bool", "Date", "UUID",
        "URL", "Decimal", "Transformable", "{ enum: String }", "{ enum: Int }",
    ]

    private let hashes: ModelHashes
    private let swift: ModelBundle.SwiftDetails

    /// Takes sources and the hashes of a store; `nil` for a model from other sources.
    package init?(_ bundle: ModelBundle, hashes: ModelHashes) {
        guard let swift = bundle.swift else { return nil }
        (self.swift, self.hashes) = (swift, hashes)
    }

    package func outcome(for version: ModelVersion) -> Outcome {
        let gaps = version.entitiesWithGaps
        let known = version.hashes.entities
        let names = Set(version.model.entities.map(\.name))
        let foreign = names.symmetricDifference(hashes.entities.keys)
        guard foreign.isEmpty else { return .isAnother(foreign.sorted()) }
        let questions = swift.questions[version.name] ?? []
        let open = gaps.union(questions.map(\.entity))
        let different = names.filter { !open.contains($0) && known[$0] != hashes.entities[$0] }
        guard different.isEmpty else { return .isAnother(different.sorted()) }
        guard !open.isEmpty else { return .fitsAlready }
        // Inherited properties are questions of the parent entity.
        let owners = version.model.entities.flatMap { entity in
            entity.gaps.map { $0.entity ?? entity.name }
        }
        let unsettable = Set(owners).subtracting(questions.map(\.entity))
        guard unsettable.isEmpty else { return .cannotBeSet(unsettable.sorted()) }
        var readings = [Reading()]
        for group in groups(of: questions) {
            guard let found = fitting(group, version.name) else { return .tooMany }
            readings = readings.flatMap { reading in found.map { reading.merging($0) } }
            if readings.isEmpty || readings.count > 100 { break }
        }
        return .readings(readings)
    }

    /// The questions that depend on each other: those of one entity, and of entities that may be each other's inverses.
    private func groups(of questions: [SwiftQuestion]) -> [[SwiftQuestion]] {
        var groups: [(entities: Set<String>, questions: [SwiftQuestion])] = []
        for question in questions {
            var entities: Set<String> = [question.entity]
            if case .inverse(let names) = question.kind {
                entities.formUnion(names.map { String($0.prefix { $0 != "." }) })
            }
            var merged = (entities: entities, questions: [question])
            for group in groups where !group.entities.isDisjoint(with: entities) {
                merged.entities.formUnion(group.entities)
                merged.questions = group.questions + merged.questions
            }
            groups.removeAll { !$0.entities.isDisjoint(with: merged.entities) }
            groups.append(merged)
        }
        return groups.map(\.questions)
    }

    /// Returns the readings of a group with the store's hashes; `nil` when there are too many to try.
    private func fitting(_ questions: [SwiftQuestion], _ version: String) -> [Reading]? {
        guard let readings = swift.readings else { return [] }
        var all = [Reading()]
        var seen: Set<String> = []
        for question in questions where seen.insert(question.name).inserted {
            all = all.flatMap { reading in answers(to: question).map(reading.merging) }
            if all.count > Self.trialLimit { return nil }
        }
        let entities = Set(questions.map(\.entity))
        return all.filter { reading in
            guard let options = reading.applied(to: readings.options),
                let found = readings.models(options).version(named: version)
            else { return false }
            let hashes = versionHashes(of: reading.applied(to: found.model)).entities
            return entities.allSatisfy { name in
                !found.spoiledEntities.contains(name) && hashes[name] == self.hashes.entities[name]
            }
        }
    }

    private func answers(to question: SwiftQuestion) -> [Reading] {
        switch question.kind {
        case .inverse(let names): (["none"] + names).map { Reading(inverses: [question.name: $0]) }
        case .uniqueness: [false, true].map { Reading(uniqueness: [question.name: $0]) }
        case .type(let types):
            (types.isEmpty ? Self.types : types).map { Reading(types: [question.name: $0]) }
        }
    }
}

extension SourceFitting.Reading {
    fileprivate func merging(_ other: Self) -> Self {
        Self(
            inverses: inverses.merging(other.inverses) { first, _ in first },
            types: types.merging(other.types) { first, _ in first },
            uniqueness: uniqueness.merging(other.uniqueness) { first, _ in first }
        )
    }

    /// The model with constraints that count once.
    fileprivate func applied(to model: ManagedObjectModel) -> ManagedObjectModel {
        var model = model
        for index in model.entities.indices {
            var known: Set<String> = []
            let entity = model.entities[index]
            model.entities[index].uniquenessConstraints.removeAll { constraint in
                let name = "\(entity.name).\(constraint.properties.joined(separator: "."))"
                return !known.insert(name).inserted && uniqueness[name] == true
            }
        }
        return model
    }

    /// The options with the reading; `nil` for one that contradicts itself.
    fileprivate func applied(to options: SwiftReadingOptions) -> SwiftReadingOptions? {
        for (name, inverse) in inverses where inverse != "none" {
            // Both sides name each other, or one was not asked about.
            guard inverses[inverse] ?? name == name else { return nil }
        }
        var options = options
        options.inverses.merge(inverses) { $1 }
        for (name, type) in types {
            guard type.hasPrefix("{") else {
                options.types[name] = .alias(type)
                continue
            }
            let fields = type.dropFirst(2).dropLast(2).split(separator: ",").map { text in
                let words = text.split(separator: ":").map { String($0.drop { $0 == " " }) }
                return ForeignType.Field(name: words[0], type: words[1])
            }
            options.types[name] =
                fields[0].name == "enum" ? .rawValues(of: fields[0].type) : .fields(fields)
        }
        return options
    }
}
