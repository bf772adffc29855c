import Diagnostics

extension TypeIndex {
    /// Warns of useless entries in the user's table of types: declared types need none, and a property must exist.
    func pointlessEntries() -> [Diagnostic] {
        foreign.keys.sorted().compactMap { key in
            let parts = key.split(separator: ".").map(String.init)
            guard let first = parts.first else { return nil }
            let fault =
                switch parts.count {
                case 1: fault(ofType: first)
                case 2: fault(of: parts[1], in: first)
                default: nil as (message: String, place: Place)?
                }
            return fault.map { fault in
                Diagnostic(
                    .swiftNotReadable,
                    "types: the entry '\(key)' in .momtool.yml has no effect: \(fault.message)",
                    severity: .note,
                    at: location(fault.place)
                )
            }
        }
    }

    private func fault(ofType name: String) -> (message: String, place: Place)? {
        let places = children(name, in: Scope(file: -1)).compactMap { child -> Place? in
            switch child {
            case .type(let id): nodes[id].declaration?.place
            case .alias(let number): aliases[number].declaration.place
            }
        }
        let message =
            "the sources declare this type; describe a single property instead, such as Item.seats: \"[Int]\""
        return places.first.map { (message, $0) }
    }

    private func fault(of property: String, in type: String) -> (message: String, place: Place)? {
        let owners = nodes.filter { $0.name == type && $0.declaration != nil }
        let isThere = owners.contains { node in
            node.children[property] != nil
                || node.members.contains { member in
                    guard case .property(let declared) = member else { return false }
                    return declared.name == property
                }
        }
        guard !isThere else { return nil }
        return owners.first.map { ("\(type) has no property '\(property)'", $0.place) }
    }
}
