import ObjectModel
import SwiftDataReading

extension ManagedObjectModel {
    /// The model with what is mirrored of it, where containers keep several stores and not all of them are.
    ///
    /// `isMirrored` says whether the stores without a database name are mirrored.
    func mirroring(_ stores: [SwiftStore], _ isMirrored: Bool) -> ManagedObjectModel {
        let names = entities.map(\.name)
        let mirrored = names.filter { name in
            let own = stores.filter { $0.entities.contains(name) }
            return own.isEmpty ? isMirrored : own.contains { $0.isMirrored ?? isMirrored }
        }
        guard isMirrored, mirrored.count < names.count else { return self }
        var copy = self
        copy.documentSettings["usedWithCloudKit"] = nil
        guard !mirrored.isEmpty else { return copy }
        copy.configurations.append(
            Configuration(name: "CloudKit", memberEntities: mirrored, isUsedWithCloudKit: true)
        )
        return copy
    }
}

extension ModelBundle {
    /// The bundles of the stores that several containers keep; none where one has all classes.
    package var parts: [ModelBundle] {
        var known: Set<Set<String>> = []
        return (swift?.stores ?? []).filter { known.insert($0).inserted }
            .compactMap { narrowed(to: $0) }
    }

    /// The bundle of the store that one of several containers keeps, by the names of its entities; `nil` if a container has
    /// all classes, or the store fits several.
    package func narrowed(to names: Set<String>) -> ModelBundle? {
        let stores = Set(swift?.stores ?? [])
        let own = stores.filter { !$0.isDisjoint(with: names) }
        guard stores.count > 1, own.count == 1, let entities = own.first else { return nil }
        var copy = self
        copy.versions = versions.map { version in
            guard version.name == SwiftModelVersion.unversionedName else { return version }
            var model = version.model
            model.entities.removeAll { !entities.contains($0.name) }
            return version.with(model)
        }
        if let last = copy.versions.last, last.isBeside,
            Set(last.model.entities.map(\.name)) == entities
        {
            copy.keepOnly(last)
        }
        return copy
    }

    /// Keeps the classes that no version lists, where a container of their own opens them.
    private mutating func keepOnly(_ version: ModelVersion) {
        versions = [version]
        (versions[0].place, versions[0].isCurrent, versions[0].isBeside) = (0, true, false)
        namedCurrentVersion = version.name
        swift?.plans = []
        swift?.schemas = []
    }
}
