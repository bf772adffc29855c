package import Diagnostics
import Essentials
import FileSystem
package import ObjectModel
package import SwiftDataReading

/// The versions of a model: an `.xcdatamodeld`, a `.momd`, or a lone version as a bundle of one.
package struct ModelBundle: Sendable, Hashable {
    package var path: String
    /// The versions, in natural order of their names (`App 2` before `App 10`).
    package var versions: [ModelVersion]
    /// The name of the version that was requested with the bundle, as in `App.xcdatamodeld#V2`.
    package var selectedVersionName: String?
    /// The version that `.xccurrentversion` or `VersionInfo.plist` names as current; `nil` when none is named.
    ///
    /// The only version of a bundle is current without being named.
    package var namedCurrentVersion: String?

    /// The versions that could not be read, which are not among `versions`.
    package var unreadableVersions: [UnreadableVersion] = []

    /// The stated order of versions from the oldest to the newest.
    package var statedOrder: [String] = []

    /// The configuration to which the versions are narrowed; `nil` where they have all entities.
    package var configuration: String?

    /// What Swift sources say in addition to the models; `nil` for any other bundle.
    package var swift: SwiftDetails?

    package struct UnreadableVersion: Sendable, Hashable {
        package var name: String
        package var isCurrent: Bool
        package var diagnostics: [Diagnostic]
        /// The name of the next readable version; `nil` where none comes after it.
        package var next: String?
    }

    /// What Swift sources say and models do not contain.
    package struct SwiftDetails: Sendable, Hashable {
        /// The migration plans, with the bundle's names of versions.
        package var plans: [SwiftMigrationPlan]
        /// Whether the sources have several, also where those of one store were chosen.
        package var hasSeveralPlans = false
        package var shapes: [String: SwiftShapes]
        /// The names of the versions that are a `VersionedSchema`.
        package var schemas: Set<String>
        /// Remarks for a check of models, which are not faults.
        package var remarks: [Diagnostic]
        /// What the sources leave open, by the names of the versions.
        package var questions: [String: [SwiftQuestion]] = [:]
        /// The stores of containers whose classes are known.
        package var stores: [SwiftStore] = []
        /// The classes of containers that are only in memory, if there are no others.
        package var memoryStores: [SwiftStore] = []
        /// The sources, to be read again under other options.
        package var readings: SwiftReadings?
    }

    package init(path: String, versions: [ModelVersion], namedCurrentVersion: String? = nil) {
        (self.path, self.versions, self.namedCurrentVersion) = (path, versions, namedCurrentVersion)
    }

    /// The version of new stores; `nil` when the bundle names none.
    package var currentVersion: ModelVersion? { versions.first(where: \.isCurrent) }

    /// Returns the bundle with its versions in an order; unnamed ones come last, as they were.
    package func ordered(by names: [String]) -> ModelBundle {
        let ranks = Dictionary(firstOf: names.enumerated().map { ($1, $0) })
        var copy = self
        copy.statedOrder = names
        copy.versions = versions.enumerated().sorted { left, right in
            (ranks[left.element.name] ?? .max, left.offset)
                < (ranks[right.element.name] ?? .max, right.offset)
        }.map(\.element)
        for place in copy.versions.indices { copy.versions[place].place = place }
        let known = Set(versions.map(\.name))
        for index in copy.unreadableVersions.indices {
            guard let rank = ranks[copy.unreadableVersions[index].name] else { continue }
            copy.unreadableVersions[index].next = names[rank...].first(where: known.contains)
        }
        return copy
    }

    /// Returns the bundle with its versions in the order in which they were made, if known.
    ///
    /// The versions of a lock come in its order, and the others after them, as they are newer than what shipped. One whose
    /// name is older than that of a locked one comes before it: its block is lost, or its name is badly chosen. If names have
    /// no order, the current version is the newest, with those that are numbered like it: it may be called `Notes`, and the
    /// frozen one before it `NotesV1`. Versions of Swift sources are already in order.
    package func arranged(locked: [String]) -> ModelBundle {
        guard swift == nil, versions.count > 1 else { return self }
        let found = versions.map(\.name)
        let stated = locked.filter(found.contains)
        let others = found.filter { !stated.contains($0) }
        let current = others.first { $0 == currentVersion?.name }
        func isNewest(_ name: String) -> Bool {
            current.map { VersionOrder.isNumbered(name, $0) } ?? false
        }
        var names = stated
        for name in others.filter({ !isNewest($0) }) + others.filter(isNewest) {
            // The current version may have the name of the bundle, which does not make it the first.
            let order = VersionOrder(bundleName: name == current ? nil : bundleName)
            let newer = names.firstIndex { known in
                stated.contains(known) && order.isKnown(between: name, and: known)
                    && order.isVersion(name, before: known)
            }
            names.insert(name, at: newer ?? names.endIndex)
        }
        guard names != found || stated.count > 1 else { return self }
        var copy = ordered(by: names)
        copy.statedOrder = stated
        return copy
    }

    /// Whether it is known which of two versions is older: by statement, Swift sources, or the numbers in names.
    ///
    /// Nothing is newer than the current version unless stated: new stores are made from it, and apps migrate to it.
    package func tellsOrder(of one: String, and two: String) -> Bool {
        if statedOrder.contains(one) && statedOrder.contains(two) || swift != nil { return true }
        if two == currentVersion?.name { return false }
        return VersionOrder(bundleName: bundleName).isKnown(between: one, and: two)
    }

    /// Whether one version, which the bundle may lack, is known to be newer than another.
    package func isKnown(_ name: String, asNewerThan other: String) -> Bool {
        let places = [name, other].map { statedOrder.firstIndex(of: $0) }
        if let place = places[0], let before = places[1] { return place > before }
        let order = VersionOrder(bundleName: nil)
        return order.isKnown(between: name, and: other) && order.isVersion(other, before: name)
    }

    private var bundleName: String {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        return file.split(separator: ".").dropLast().joined(separator: ".")
    }

    /// Returns the bundle with the choice of the self-referential relationships that name their tables.
    package func namingJoinTables(by names: [String]) -> ModelBundle {
        var copy = self
        for place in versions.indices { copy.versions[place].namingRelationships.formUnion(names) }
        return copy
    }

    /// Returns the bundle with the choice of what continues an older item where several share a renaming identifier.
    package func choosing(claimants names: [String]) -> ModelBundle {
        var copy = self
        for place in versions.indices { copy.versions[place].claimants.formUnion(names) }
        return copy
    }

    /// Returns the version of a name, given with or without its extension.
    package func version(named name: String) -> ModelVersion? {
        versions.first { $0.name == name }
            ?? versions.first { [$0.name + ".xcdatamodel", $0.name + ".mom"].contains(name) }
    }
}

extension Diagnosed<ModelBundle> {
    /// The bundle for use, not for judging: faults that Apple's tools tolerate in hashes and stores become warnings.
    package var forUse: Diagnosed<ModelBundle> {
        var copy = self
        for index in diagnostics.indices where diagnostics[index].rule == .brokenInverse {
            copy.diagnostics[index].severity = min(diagnostics[index].severity, .warning)
        }
        return copy
    }

    /// The bundle without the versions that have errors, if others have none and can still be used.
    ///
    /// The faults of these versions become warnings, and an error for a caller that asks for one.
    package var withoutUnreadableVersions: Diagnosed<ModelBundle> {
        func faults(of version: ModelVersion) -> [Diagnostic]? {
            let faults = diagnostics.filter { diagnostic in
                guard diagnostic.severity == .error, let path = diagnostic.location?.path else {
                    return false
                }
                return path == version.path || path.hasPrefix(version.path + "/")
            }
            return faults.isEmpty ? nil : faults
        }
        let faulty = unreadable(value.versions.map { ($0, faults(of: $0)) })
        guard !faulty.isEmpty, faulty.count < value.versions.count else { return self }
        var copy = self
        let names = Set(faulty.map(\.name))
        let softened = Set(faulty.flatMap(\.diagnostics))
        copy.value.versions.removeAll { names.contains($0.name) }
        copy.value.unreadableVersions = faulty
        for index in copy.diagnostics.indices where softened.contains(copy.diagnostics[index]) {
            copy.diagnostics[index].severity = .warning
        }
        return copy
    }

    /// The bundle of Swift sources without the versions in which an entity is not understood, if there are others.
    ///
    /// The faults of these versions become warnings, and an error for a caller that asks for one.
    package var withoutVersionsWithGaps: Diagnosed<ModelBundle> {
        let gaps = value.versions.map { Set($0.model.entities.flatMap(\.gaps).map(\.description)) }
        guard gaps.contains(where: \.isEmpty) else { return self }
        var copy = self
        copy.value.versions = zip(value.versions, gaps).filter(\.1.isEmpty).map(\.0)
        copy.value.unreadableVersions += unreadable(
            zip(value.versions, gaps).map { version, gaps in
                (version, gaps.isEmpty ? nil : diagnostics.filter { gaps.contains($0.message) })
            }
        )
        let partial: Set<RuleID> = [
            .swiftClassStored, .swiftNotUnderstood, .swiftNotReadable, .swiftDuplicateClass,
        ]
        for index in copy.diagnostics.indices where partial.contains(copy.diagnostics[index].rule) {
            copy.diagnostics[index].severity = min(copy.diagnostics[index].severity, .warning)
        }
        return copy
    }

    /// The faulty versions, each with its faults and the next version without any.
    private func unreadable(
        _ versions: [(version: ModelVersion, faults: [Diagnostic]?)]
    ) -> [ModelBundle.UnreadableVersion] {
        versions.enumerated().compactMap { place, entry in
            entry.faults.map { faults in
                ModelBundle.UnreadableVersion(
                    name: entry.version.name,
                    isCurrent: entry.version.isCurrent,
                    diagnostics: faults,
                    next: versions[place...].first { $0.faults == nil }?.version.name
                )
            }
        }
    }
}

/// The forms of a model on disk.
package enum ModelFileKind: Sendable, Hashable {
    /// An `.xcdatamodeld`: a folder of versions, each an `.xcdatamodel`.
    case versionedSource
    /// An `.xcdatamodel`: a folder with the `contents` of one version, or the `elements` of Xcode 3.
    case source
    /// The `contents` of one version, or its `elements`.
    case contents
    /// A `.momd`, `.momd_precompiled` or any other folder of compiled versions.
    case compiledBundle
    /// A `.mom`: one compiled version, with any name.
    case compiledVersion

    /// Detects the form by content, and by the name where that leaves it open; `nil` for others, such as a store.
    package init?(at path: String) {
        let url = fileURL(path)
        let kind: Self? =
            switch FileIdentity(of: path)?.isFolder {
            case nil: nil
            case true?: Self(folder: path, extension: url.pathExtension)
            case false? where url.lastPathComponent == "elements": .contents
            case false?: Self(file: path)
            }
        guard let kind = kind ?? Self(extension: url.pathExtension, name: url.lastPathComponent)
        else { return nil }
        self = kind
    }

    private init?(folder: String, extension: String) {
        let names = (try? Files.names(in: folder)) ?? []
        func holds(_ suffix: String) -> Bool { names.contains { $0.hasSuffix(suffix) } }
        if `extension` == "xcdatamodeld" || names.contains(".xccurrentversion") {
            self = .versionedSource
        } else if `extension` == "xcdatamodel" {
            self = .source
        } else if holds(".mom") || holds(".omo"),
            names.contains("VersionInfo.plist") || `extension` == "momd"
        {
            self = .compiledBundle
        } else if holds(".mom"), !holds(".momd"), !holds(".xcdatamodeld"), !holds(".xcdatamodel") {
            self = .compiledBundle
        } else {
            return nil
        }
    }

    private init?(file: String) {
        // Reading a pipe would consume it.
        let descriptor = open(file, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var beginning = [UInt8](repeating: 0, count: 8)
        guard pread(descriptor, &beginning, 8, 0) == 8, beginning == Array("bplist00".utf8) else {
            return nil
        }
        self = .compiledVersion
    }

    private init?(extension: String, name: String) {
        switch `extension` {
        case "xcdatamodeld": self = .versionedSource
        case "xcdatamodel": self = .source
        case "momd": self = .compiledBundle
        case "mom": self = .compiledVersion
        default:
            guard name == "contents" else { return nil }
            self = .contents
        }
    }
}
