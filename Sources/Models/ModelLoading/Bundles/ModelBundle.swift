package import Diagnostics
package import ObjectModel
package import SwiftDataReading

/// The versions of a model: an `.xcdatamodeld`, a `.momd`, or a lone version as a bundle of one.
package struct ModelBundle: Sendable, Hashable {
    /// The path as the user gave it.
    package var path: String
    /// The versions, by name in the order that people count (`App 2` before `App 10`).
    package var versions: [ModelVersion]
    /// The name of the version that was asked for together with the bundle, as `App.xcdatamodeld#V2` does.
    package var selectedVersionName: String?
    /// The version that `.xccurrentversion` or `VersionInfo.plist` names as current; `nil` when none is named.
    ///
    /// The only version of a bundle is current without being named.
    package var namedCurrentVersion: String?

    /// The versions that could not be read, each with what is wrong; they are not among the versions.
    package var unreadableVersions: [UnreadableVersion] = []

    /// The names of versions from the oldest to the newest, where somebody said so.
    package var statedOrder: [String] = []

    /// What Swift sources say beside the models; `nil` for any other bundle.
    package var swift: SwiftDetails?

    /// A version that could not be read.
    package struct UnreadableVersion: Sendable, Hashable {
        package var name: String
        /// Whether it is the current version.
        package var isCurrent: Bool
        /// What is wrong.
        package var diagnostics: [Diagnostic]
        /// The name of the next version that can be read; `nil` where none comes after it.
        package var next: String?
    }

    /// What Swift sources say that no model holds.
    package struct SwiftDetails: Sendable, Hashable {
        /// The migration plans; their versions are named as those of the bundle.
        package var plans: [SwiftMigrationPlan]
        /// The types of the attributes of each version, by its name.
        package var shapes: [String: SwiftShapes]
        /// The names of the versions that are a `VersionedSchema`.
        package var schemas: Set<String>
        /// What is worth a word when models are checked, and no fault.
        package var remarks: [Diagnostic]
        /// What the sources leave open, by the names of the versions.
        package var questions: [String: [SwiftQuestion]] = [:]
        /// The sources, to be read again under other options.
        package var readings: SwiftReadings?
    }

    package init(path: String, versions: [ModelVersion], namedCurrentVersion: String? = nil) {
        self.path = path
        self.versions = versions
        self.namedCurrentVersion = namedCurrentVersion
    }

    /// The version that new stores are made of; `nil` when the bundle names none.
    package var currentVersion: ModelVersion? {
        versions.first(where: \.isCurrent)
    }

    /// Returns the bundle with its versions in an order; those that it does not name come behind, as they were.
    package func ordered(by names: [String]) -> ModelBundle {
        let ranks = Dictionary(
            names.enumerated().map { ($1, $0) },
            uniquingKeysWith: { first, _ in first }
        )
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

    /// Returns the bundle in the order in which its versions were made, as far as that can be told.
    ///
    /// The versions of a lock come in the order of the lock, and the others behind them, as they are newer than what
    /// shipped. One whose name says that it is older than a locked one comes before that one: its block is lost, or its
    /// name is chosen badly. Where names tell no order, the current version is the newest, with those that are numbered
    /// as it is: it may be called `Notes`, and the frozen one before it `NotesV1`.
    ///
    /// - Parameter locked: the names of the versions that a lock freezes, in its order.
    /// - Returns: the bundle; versions of Swift sources come in their order already.
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
            // The current version may have the name of the bundle, and is not the first for that.
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

    /// Says whether it is known that one version is older or newer than another: by what somebody said, by Swift
    /// sources, or by names that differ in their numbers.
    ///
    /// Nothing is newer than the current version unless somebody said so: new stores are made of it, and apps migrate
    /// to it.
    package func tellsOrder(of one: String, and two: String) -> Bool {
        if statedOrder.contains(one) && statedOrder.contains(two) || swift != nil { return true }
        if two == currentVersion?.name { return false }
        return VersionOrder(bundleName: bundleName).isKnown(between: one, and: two)
    }

    /// The name of the bundle without its extension.
    private var bundleName: String {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        return file.split(separator: ".").dropLast().joined(separator: ".")
    }

    /// Returns the bundle with the choice of which relationships of an entity with itself name their tables.
    package func namingJoinTables(by names: [String]) -> ModelBundle {
        var copy = self
        for place in versions.indices {
            copy.versions[place].namingRelationships.formUnion(names)
        }
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
    /// The bundle for use rather than for judging: what Apple's tools make hashes, archives and stores of all the same
    /// is a warning.
    package var forUse: Diagnosed<ModelBundle> {
        var copy = self
        for index in diagnostics.indices where diagnostics[index].rule == .brokenInverse {
            copy.diagnostics[index].severity = min(diagnostics[index].severity, .warning)
        }
        return copy
    }

    /// The bundle without the versions that have errors, where others have none: these can be used all the same.
    ///
    /// What is wrong with the others becomes a warning; who asks for one of them is told.
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

    /// The bundle of Swift sources without the versions in which an entity is not understood, where there are others.
    ///
    /// What is said of them becomes a warning; who asks for one of them is told.
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
        let partial: Set<RuleID> = [.swiftNotUnderstood, .swiftNotReadable, .swiftDuplicateClass]
        for index in copy.diagnostics.indices where partial.contains(copy.diagnostics[index].rule) {
            copy.diagnostics[index].severity = min(copy.diagnostics[index].severity, .warning)
        }
        return copy
    }

    /// The versions that something is wrong with, each with that and the version that comes next of the others.
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
