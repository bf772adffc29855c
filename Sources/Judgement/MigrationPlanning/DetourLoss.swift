import MappingInference

/// What a route through other versions drops of the first one, although the direct step would keep it.
struct DetourLoss {
    /// Such as `Person` or `Person.name`, by the names of the first version.
    private(set) var dropped: Set<String> = []
    /// The names in the first version of renamed items; `nil` for a new name.
    private var origins: [String: String?] = [:]

    mutating func pass(_ mapping: InferredMapping, in search: DetourSearch) {
        let gone = mapping.losses.compactMap(\.element)
        dropped.formUnion(gone.compactMap(origin).filter(search.isMissed))
        var next = origins
        for name in gone { next[name] = .some(nil) }
        let renamed = mapping.renamedElements
        for (old, _) in renamed { next[old] = .some(nil) }
        for (old, new) in renamed { next[new] = .some(origin(of: old)) }
        origins = next
    }

    private func origin(of name: String) -> String? { origins[name] ?? name }
}

extension InferredMapping {
    /// Such as `Person` or `Person.name`.
    fileprivate var renamedElements: [(old: String, new: String)] {
        var renamed: [(String, String)] = []
        func add(_ old: String, _ new: String) { if old != new { renamed.append((old, new)) } }
        for entity in entityMappings {
            guard let old = entity.sourceEntity, let new = entity.destinationEntity else {
                continue
            }
            add(old, new)
            for attribute in entity.attributeMappings {
                guard let source = attribute.source else { continue }
                add("\(old).\(source.name)", "\(new).\(attribute.destination.name)")
            }
            for relationship in entity.relationshipMappings {
                guard let source = relationship.source else { continue }
                add("\(old).\(source.name)", "\(new).\(relationship.destination.name)")
            }
        }
        return renamed
    }
}

extension RowRisk {
    /// A completely dropped item, such as `Person.name`; `nil` for one that is only narrowed.
    var element: String? {
        switch kind {
        case .removedEntity: sourceEntity
        case .removedAttribute, .removedRelationship: source.map { "\(sourceEntity).\($0.name)" }
        default: nil
        }
    }
}
