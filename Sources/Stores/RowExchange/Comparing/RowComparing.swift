import ObjectModel
package import Diagnostics
import Essentials
package import SQLiteAccess
import StoreFormat

/// Compares the rows of two stores, object by object and property by property.
///
/// Objects are matched by entity and key, or by a natural key if one is given: then links to such objects are compared
/// by it too. Values are compared as ``exportRows(of:model:options:to:)`` writes them, and each store is read with its
/// own model, so stores of two versions can be compared: properties of only one version differ, apart from the renames
/// in the options. A to-one link is compared where it is stored, not in its inverse. Persistent history, update
/// counters and order keys do not count as differences. Memory does not grow with the number of rows.
///
/// - Returns: the number of objects that differ, and where the stores contradict their models.
/// - Throws: ``StoreError`` when a store cannot be read; or what `report` throws.
@discardableResult
package func compareRows(
    of old: ComparedStore,
    with new: ComparedStore,
    options: RowComparisonOptions = RowComparisonOptions(),
    to report: (RowDifference) throws(StoreError) -> Void
) throws(StoreError) -> Diagnosed<RowComparison> {
    var names: [NaturalNames] = []
    try requireNames(of: options, in: old, new)
    if !options.naturalKeys.isEmpty {
        let connection = old.file.connection
        try NaturalNames.makeTables(on: connection)
        for (side, store) in [old, new].enumerated() {
            names.append(
                try NaturalNames(of: store, side: Int64(side), options.naturalKeys, on: connection)
            )
        }
    }
    var renames = options.renames
    if !names.isEmpty { renames.entities = [:] }
    let entities = Set(
        try chosenEntities(options.entities, old, new).map { renames.entities[$0] ?? $0 }
    ).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    var comparison = RowComparison()
    for entity in entities {
        let sides = try [old, new].enumerated().map {
            place,
            store throws(StoreError) -> any ComparedRows in
            guard names.isEmpty else { return try names[place].rows(of: entity) }
            let ownName = place == 0 ? renames.oldName(of: entity) : entity
            let writer = try store.rows(store.fields(of: ownName))
            return KeyedRows(entity: entity, writer: writer)
        }
        let isNamed =
            old.naturalKey(of: entity, options.naturalKeys) != nil
            || new.naturalKey(of: entity, options.naturalKeys) != nil
        let oldFields = old.fields(of: renames.oldName(of: entity))
        var merging = RowMerging(
            entity: entity,
            isNamed: isNamed,
            renames: renames,
            links: oldFields?.orders ?? [:]
        )
        try merging.merge(sides[0], sides[1], report)
        comparison.entities.append((entity, merging.counts))
    }
    var diagnostics: [Diagnostic] = []
    if options.entities.isEmpty {
        for store in [old, new] { diagnostics += try store.unknownRows() }
    }
    return Diagnosed(comparison, diagnostics)
}

/// Refuses names of entities and attributes that the stores do not have, before anything is compared.
package func requireNames(
    of options: RowComparisonOptions,
    in old: ComparedStore,
    _ new: ComparedStore
) throws(StoreError) {
    try requireEntities(options.naturalKeys.keys.sorted(), old, new)
    for store in [old, new] {
        for entity in try store.entities([]) {
            guard let key = store.naturalKey(of: entity.name, options.naturalKeys) else { continue }
            try store.requireAttributes(key, of: entity.name)
        }
    }
    try requireEntities(options.entities, old, new)
}

/// The entities of both stores that are compared, by name, including those of only one version.
private func chosenEntities(
    _ names: [String],
    _ old: ComparedStore,
    _ new: ComparedStore
) throws(StoreError) -> [String] {
    var found: Set<String> = []
    for store in [old, new] {
        let known = names.filter { store.layout.number(of: $0) != nil }
        guard names.isEmpty || !known.isEmpty else { continue }
        found.formUnion(try store.entities(known).map(\.name))
    }
    return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
}

private func requireEntities(
    _ names: [String],
    _ old: ComparedStore,
    _ new: ComparedStore
) throws(StoreError) {
    let all = Set([old, new].flatMap { $0.layout.entities.map(\.name) })
    for name in names where !all.contains(name) {
        let nearest = suggestion(for: name, among: all.sorted())
        throw .rows(
            Diagnostic(.unknownEntity, "there is no entity '\(name)' in either store\(nearest)")
        )
    }
}

private struct RowMerging {
    let entity: String
    /// Whether rows are sorted by name, not by key.
    let isNamed: Bool
    let renames: RowRenames
    /// Whether relationships of the old store, by their old names, are ordered.
    let links: [String: Bool]
    var counts = RowComparison.Counts()

    mutating func merge(
        _ old: any ComparedRows,
        _ new: any ComparedRows,
        _ report: (RowDifference) throws(StoreError) -> Void
    ) throws(StoreError) {
        var (old, new) = (old, new)
        var (left, right) = (try old.next(), try new.next())
        while left != nil || right != nil {
            switch order(left, right) {
            case .old:
                if let left { try report(one(left, .removed)) }
                counts.removed += 1
                left = try old.next()
            case .new:
                if let right { try report(one(right, .added)) }
                counts.added += 1
                right = try new.next()
            case .both:
                if let left, let right { try compare(left, right, report) }
                (left, right) = (try old.next(), try new.next())
            }
        }
    }

    private enum Turn { case old, new, both }

    private func order(_ left: ComparedRow?, _ right: ComparedRow?) -> Turn {
        guard let left else { return .new }
        guard let right else { return .old }
        if isNamed {
            if haveSameBytes(left.name, right.name) { return .both }
            return left.name.utf8.lexicographicallyPrecedes(right.name.utf8) ? .old : .new
        }
        return left.key == right.key ? .both : left.key < right.key ? .old : .new
    }

    private mutating func compare(
        _ left: ComparedRow,
        _ right: ComparedRow,
        _ report: (RowDifference) throws(StoreError) -> Void
    ) throws(StoreError) {
        // With renames, equal lines may mean different things.
        if left.line == right.line, renames == RowRenames() {
            counts.same += 1
            return
        }
        let old = try renewed(Dictionary(firstOf: members(of: left.line)))
        let new = Dictionary(firstOf: try members(of: right.line))
        let properties = Set(old.keys).union(new.keys).sorted().compactMap { name in
            haveSameBytes(old[name], new[name])
                ? nil : RowDifference.Property(name: name, old: old[name], new: new[name])
        }
        // With a natural key the lines differ in their own keys.
        guard !properties.isEmpty else {
            counts.same += 1
            return
        }
        counts.changed += 1
        try report(
            RowDifference(entity: entity, object: left.name, kind: .changed, properties: properties)
        )
    }

    private func one(
        _ row: ComparedRow,
        _ kind: RowDifference.Kind
    ) throws(StoreError) -> RowDifference {
        let properties = try members(of: row.line).map { name, value in
            RowDifference.Property(
                name: name,
                old: kind == .removed ? value : nil,
                new: kind == .added ? value : nil
            )
        }
        return RowDifference(entity: entity, object: row.name, kind: kind, properties: properties)
    }

    /// The values of an old row under the names of the new version.
    private func renewed(_ values: [String: String]) throws(StoreError) -> [String: String] {
        guard renames != RowRenames() else { return values }
        let names = renames.properties[entity] ?? [:]
        var renewed: [String: String] = [:]
        for (name, value) in values {
            var value = value
            if let isOrdered = links[name], !renames.entities.isEmpty {
                value = try renames.renewed(value, isOrdered: isOrdered)
            }
            // A removed name may now be that of another property.
            let isGone = names[name] == nil && names.values.contains(name)
            renewed[isGone ? "\(name) (old)" : names[name] ?? name] = value
        }
        return renewed
    }
}
