import MappingInference
import ObjectModel
import StoreFormat

struct CellSource: Hashable {
    /// The value, over a row of the old table.
    var value: RowExpression
    /// The unquoted name of the old column of the value, which may stay in place.
    var base: String?
    /// Whether the column had other content, which the value replaces in all rows.
    var takesColumnOver = false

    var isUnchanged: Bool { base.map { .column($0) == value } ?? false }

    static func column(_ name: String) -> CellSource {
        CellSource(value: .column(name), base: name)
    }

    static let null = CellSource(value: .null, base: nil)
}

extension EntityCorrespondence {
    /// Finds where a cell of the new table comes from, for rows of one entity; `nil` when the column does not concern
    /// it.
    func cell(_ column: StoreColumn, of pair: MappingTarget, links: LinkPlan) -> CellSource? {
        switch column.role {
        case .primaryKey, .optimisticLock: return .column(column.name)
        case .entityNumber:
            guard pair.source.number != pair.destination.number else { return .column("Z_ENT") }
            return CellSource(value: .number(pair.destination.number), base: "Z_ENT")
        case .attribute(let entity, let name, let path):
            let key = AttributeKey(
                property: MappedProperty(name: name, declaredBy: entity),
                path: path
            )
            guard isDestination(pair.destination.name, kindOf: entity) else { return nil }
            return pair.attributes[key].map { value(of: $0, pair) } ?? .null
        case .toOne(let entity, let name):
            return foreignKey(PropertyReference(entity: entity, name: name), of: pair, links).map {
                $0.key
            }
        case .toOneEntity(let entity, let name):
            return foreignKey(PropertyReference(entity: entity, name: name), of: pair, links).map {
                $0.entity
            }
        case .orderKey(let entity, let name):
            return foreignKey(PropertyReference(entity: entity, name: name), of: pair, links).map {
                $0.order
            }
        case .toManyOwner(let entity, let name):
            let reference = PropertyReference(entity: entity, name: name)
            return ownerKey(reference, of: pair, links, isOrder: false)
        case .toManyOwnerOrderKey(let entity, let name):
            let reference = PropertyReference(entity: entity, name: name)
            return ownerKey(reference, of: pair, links, isOrder: true)
        }
    }

    private func value(of mapping: AttributeMapping, _ pair: MappingTarget) -> CellSource {
        if let expression = mapping.expression {
            let form = form(of: mapping.destination, mapping.elementPath)
            return CellSource(
                value: .model(expression, entity: pair.source.name, as: form),
                base: nil
            )
        }
        guard let origin = mapping.source,
            let column = source.column(
                of: origin.name,
                path: mapping.sourceElementPath,
                declaredBy: origin.declaredBy
            )
        else {
            let fill = mapping.fill.map { stored($0, by: mapping) }
            return CellSource(value: fill.map { .constant($0) } ?? .null, base: nil)
        }
        let own = RowExpression.column(column.name)
        // Two values cannot own one file: a second one gets the data itself.
        let converted =
            isExternal(mapping) && !ownsFile(mapping, pair)
            ? .converted(
                .converted(own, .externalStorage(isAllowed: false)),
                .externalStorage(isAllowed: true)
            )
            : mapping.conversion.changesForm ? .converted(own, mapping.conversion) : own
        let value =
            mapping.nullReplacement.map { .coalesced(converted, stored($0, by: mapping)) }
            ?? converted
        return CellSource(value: value, base: column.name)
    }

    private func stored(_ value: AttributeValue, by mapping: AttributeMapping) -> AttributeValue {
        let form = form(of: mapping.destination, mapping.elementPath)
        return value.stored(inExternalForm: form?.isExternal == true)
    }

    /// Whether a mapping carries over values that may be in external files, and stay there.
    private func isExternal(_ mapping: AttributeMapping) -> Bool {
        mapping.expression == nil && mapping.conversion == .none
            && form(of: mapping.destination, mapping.elementPath)?.isExternal == true
    }

    /// Whether a mapping takes over the files of an attribute's values.
    ///
    /// One attribute of one object does, in the entity that continues the old one where there is one. Code may make
    /// several objects from one, and owns no file.
    private func ownsFile(_ mapping: AttributeMapping, _ pair: MappingTarget) -> Bool {
        guard pair.mapping.policyName == nil else { return false }
        let takers = (pairs.filter(\.isContinuing) + pairs + insertions).lazy
            .filter { $0.source.number == pair.source.number }
        for taker in takers {
            let first = taker.mapping.attributeMappings.first {
                $0.source == mapping.source && $0.sourceElementPath == mapping.sourceElementPath
                    && isExternal($0)
            }
            guard let first else { continue }
            return taker.place == pair.place && first.destination == mapping.destination
                && first.elementPath == mapping.elementPath
        }
        return true
    }

    /// The form in which the new version stores an attribute, or an element of one.
    ///
    /// Not inlined into its callers: the optimiser of Swift 6.3 crashes in one of them.
    @inline(never)
    func form(of property: MappedProperty, _ path: [String]) -> CellForm? {
        guard let entity = destinationGraph.entity(property.declaredBy),
            let leaf = destinationGraph.leaf(property.name, at: path, of: entity)
        else { return nil }
        return CellForm(type: leaf.type, isExternal: leaf.allowsExternalBinaryDataStorage)
    }

    /// The three cells of a to-one relationship: key, entity number and order key of the inverse.
    private func foreignKey(
        _ reference: PropertyReference,
        of pair: MappingTarget,
        _ links: LinkPlan
    ) -> (key: CellSource, entity: CellSource, order: CellSource)? {
        guard isDestination(pair.destination.name, kindOf: reference.entity) else { return nil }
        guard links.isDirect(reference, of: pair),
            let origin = pair.relationships[reference.mapped]?.source,
            let old = source.links(of: origin.reference, as: .key)
        else { return (.null, .null, .null) }
        let key = old.key
        let target = sourceGraph.relationship(origin.reference)?.destinationEntity
        let numbers = target.map(source.numbers(ofHierarchy:)) ?? []
        let orderCell = old.orderKey.map { CellSource.column($0) } ?? .null
        guard let entity = old.entityColumn else {
            // The destination had no sub-entities, so all its objects have one entity.
            guard let number = numbers.first.flatMap(newNumber) else {
                return (.null, .null, .null)
            }
            let constant = CellSource(value: .numberIfPresent(column: key, number), base: nil)
            return (.column(key), constant, orderCell)
        }
        let removed = numbers.filter { newNumber(for: $0) == nil }
        func unlessRemoved(_ cell: CellSource) -> CellSource {
            guard !removed.isEmpty, cell.base != nil else { return cell }
            let value = RowExpression.unless(column: entity, isOneOf: removed, cell.value)
            return CellSource(value: value, base: cell.base)
        }
        let entityCell = CellSource(
            value: renumbering(entity, of: numbers) ?? .column(entity),
            base: entity
        )
        return (unlessRemoved(.column(key)), entityCell, unlessRemoved(orderCell))
    }

    private func ownerKey(
        _ reference: PropertyReference,
        of pair: MappingTarget,
        _ links: LinkPlan,
        isOrder: Bool
    ) -> CellSource? {
        guard let origin = links.directOwner(of: reference, in: pair.source.rootName),
            let old = source.links(of: origin, as: .owner)
        else { return nil }
        guard isOrder else { return .column(old.key) }
        return old.orderKey.map { .column($0) } ?? .null
    }
}
