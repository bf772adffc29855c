import ObjectModel

/// Decides which of several properties with one renaming identifier continues the old one.
///
/// Real models have such properties: a transient attribute of a parent, and an attribute of a sub-entity that was
/// renamed from its name. Core Data never notices: transient attributes have no values to map, and entities whose
/// hashes are equal are copied as they are.
struct Claims {
    let pair: EntityPair
    let chosen: Set<String>
    let hasEqualHashes: () -> Bool

    func matching<Value: Property>(
        _ old: [DeclaredProperty<Value>],
        _ new: [DeclaredProperty<Value>]
    ) -> IdentifierMatching {
        // Key paths over generic parameters are rebuilt on each use; closures are cheaper.
        let from = old.map { $0.property.matchingIdentifier }
        let to = new.map { $0.property.matchingIdentifier }
        let matching = IdentifierMatching(from: from, to: to)
        let shared = Set(matching.conflicts.map(\.identifier))
        guard !shared.isEmpty else { return matching }
        guard !hasEqualHashes() else {
            return IdentifierMatching(
                from: old.map { $0.property.name },
                to: new.map { $0.property.name }
            )
        }
        return IdentifierMatching(
            from: settled(old, from, shared, pair.from),
            to: settled(new, to, shared, pair.to)
        )
    }

    /// Returns the identifiers, with unique ones for properties that give way to another.
    private func settled<Value: Property>(
        _ properties: [DeclaredProperty<Value>],
        _ identifiers: [String],
        _ shared: Set<String>,
        _ entity: Entity
    ) -> [String] {
        var settled = identifiers
        let groups = Dictionary(grouping: properties.indices) { identifiers[$0] }
        for identifier in shared {
            let group = groups[identifier] ?? []
            guard group.count > 1 else { continue }
            let stored = group.filter { !properties[$0].property.isTransient }
            let named = group.filter { index in
                let name = properties[index].property.name
                return chosen.contains("\(entity.name).\(name)")
                    || chosen.contains("\(properties[index].declaredBy).\(name)")
            }
            let winners = named.isEmpty ? stored : named
            for index in group where !winners.contains(index) {
                settled[index] = ownIdentifier(of: properties[index].property.name)
            }
        }
        return settled
    }
}

/// An identifier that matches only one of that name that gave way too.
func ownIdentifier(of name: String) -> String { "\u{0}" + name }
