import Diagnostics
import ObjectModel
import SwiftDataReading

extension ManagedObjectModel {
    /// The model with what is mirrored of it, where not all of it is.
    ///
    /// `isMirrored` says whether the app that has a source mirrors stores without a database name, `nil` for any app.
    func mirroring(
        _ stores: [SwiftStore],
        _ isMirrored: (_ source: String?) -> Bool
    ) -> ManagedObjectModel {
        let mirrored = entities.filter { entity in
            let own = stores.filter { $0.entities.contains(entity.name) }
            return own.isEmpty
                ? isMirrored(entity.source.element?.path)
                : own.contains { $0.isMirrored ?? isMirrored($0.source.element?.path) }
        }.map(\.name)
        guard isMirrored(nil), mirrored.count < entities.count else { return self }
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
        return (swift?.stores ?? []).map(\.entities).filter { known.insert($0).inserted }
            .compactMap { narrowed(to: $0) }
    }

    /// The bundles of the stores that keep one configuration each; a version without it has all entities.
    package var configured: [ModelBundle] {
        guard swift == nil, configuration == nil else { return [] }
        return Set(versions.flatMap(\.model.configurations).map(\.name)).sorted().map { name in
            var copy = self
            copy.configuration = name
            copy.versions = versions.map { version in
                let own = version.model.configurations.first { $0.name == name }
                let others = own.map { version.entityNames.subtracting($0.memberEntities) }
                return version.without(others ?? [])
            }
            return copy
        }
    }

    /// The bundles of the stores that plans of their own migrate, that of the current version first.
    ///
    /// Plans whose versions share classes are for one store, as are those of containers with one file.
    package var stores: [ModelBundle] {
        var groups: [(plans: [SwiftMigrationPlan], entities: Set<String>)] = []
        for plan in swift?.plans ?? [] {
            let own = plan.schemas.compactMap { version(named: $0)?.entityNames }
                .reduce(into: Set<String>()) { $0.formUnion($1) }
            let joined = groups.filter { !$0.entities.isDisjoint(with: own) }
            groups.removeAll { !$0.entities.isDisjoint(with: own) }
            let plans = joined.flatMap(\.plans) + [plan]
            groups.append((plans, joined.reduce(own) { $0.union($1.entities) }))
        }
        let current = currentVersion?.entityNames ?? []
        guard groups.count > 1,
            let main = groups.firstIndex(where: { !$0.entities.isDisjoint(with: current) })
        else { return [self] }
        let own = groups.remove(at: main)
        func files(_ entities: Set<String>) -> Set<String> {
            Set((swift?.stores ?? []).filter { $0.entities.isSubset(of: entities) }.map(\.file))
        }
        let opened = files(own.entities)
        groups.removeAll {
            files($0.entities).isEmpty || !files($0.entities).isDisjoint(with: opened)
        }
        let others = groups.map { keeping($0.plans, $0.plans.flatMap(\.schemas)) }
        let apart = Set(others.flatMap(\.versions).map(\.name))
        let rest = versions.map(\.name).filter { !apart.contains($0) }
        return [keeping(own.plans, rest)] + others
    }

    /// The bundle of the store that has versions of some names, where one has all of them.
    package func store(with names: [String]) -> ModelBundle {
        stores.first { store in names.allSatisfy { store.version(named: $0) != nil } } ?? self
    }

    /// The bundle with some of its plans and versions, of which the last planned one is current unless another is.
    private func keeping(_ plans: [SwiftMigrationPlan], _ names: [String]) -> ModelBundle {
        var copy = self
        copy.versions.removeAll { !names.contains($0.name) }
        let last = copy.versions.lastIndex { version in
            plans.contains { $0.schemas.contains(version.name) }
        }
        if copy.currentVersion == nil, let last {
            copy.versions[last].isCurrent = true
            copy.namedCurrentVersion = copy.versions[last].name
        }
        for index in copy.versions.indices { copy.versions[index].place = index }
        copy.swift?.plans = plans
        copy.swift?.schemas.formIntersection(names)
        return copy
    }

    /// The bundle of the store that one of several containers keeps, by the names of its entities; `nil` if a container has
    /// all classes, or the store fits several; classes that containers share decide nothing.
    package func narrowed(to names: Set<String>) -> ModelBundle? {
        let planned = self.stores
        if planned.count > 1 {
            let own = planned.filter { store in
                store.versions.contains { !$0.entityNames.isDisjoint(with: names) }
            }
            return own.count == 1 ? own[0] : nil
        }
        let stores = Set((swift?.stores ?? []).map(\.entities))
        let fitting = stores.filter { !$0.isDisjoint(with: names) }
        let all = fitting.reduce(into: Set<String>()) { $0.formUnion($1) }
        let own = fitting.filter { store in
            let others = fitting.filter { $0 != store }.joined()
            return fitting.count == 1
                || store != all && !store.subtracting(others).isDisjoint(with: names)
        }
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

extension ModelVersion {
    fileprivate var entityNames: Set<String> { Set(model.entities.map(\.name)) }
}
