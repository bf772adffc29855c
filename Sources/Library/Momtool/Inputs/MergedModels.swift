package import ModelLoading
package import ObjectModel

extension ModelBundle {
    /// The names of the entities of all its versions.
    var entityNames: Set<String> { Set(versions.flatMap { $0.model.entities.map(\.name) }) }

    /// Whether no two of several models have an entity of one name, so that an app may merge them.
    package static func shareNoEntity(_ bundles: [ModelBundle]) -> Bool {
        var known: Set<String> = []
        for bundle in bundles {
            let own = bundle.entityNames
            guard known.isDisjoint(with: own) else { return false }
            known.formUnion(own)
        }
        return bundles.count > 1
    }
}

extension ModelVersion {
    /// The versions of several models, each with each, as an app merges them; `nil` where they are too many.
    package static func combinations(of lists: [[ModelVersion]]) -> [[ModelVersion]]? {
        let count = lists.reduce(1) { $0.multipliedReportingOverflow(by: $1.count).0 }
        guard (1...2000).contains(count) else { return nil }
        var combinations: [[ModelVersion]] = [[]]
        for list in lists {
            combinations = combinations.flatMap { start in list.map { start + [$0] } }
        }
        return combinations
    }

    /// Versions of several models as one.
    package init(merging versions: [ModelVersion]) {
        self.init(
            name: versions.map(\.name).joined(separator: " + "),
            path: versions.first?.path ?? "",
            model: ManagedObjectModel(
                entities: versions.flatMap(\.model.entities),
                composites: versions.flatMap(\.model.composites),
                versionIdentifiers: versions.flatMap(\.model.versionIdentifiers)
            )
        )
    }
}
