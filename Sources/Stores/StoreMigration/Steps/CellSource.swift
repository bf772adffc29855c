import MappingInference
import MigrationPlanning
import ModelLanguage
package import ObjectModel
import RowExchange
import SQLiteAccess
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
    /// Finds where a cell of the new table comes from, for rows of one entity; `nil` for a column of others.
    func cell(_ column: StoreColumn, of pair: MappingTarget, links: LinkPlan) -> CellSource? {
        switch column.role {
        case .primaryKey, .optimisticLock: return .column(column.name)
        case .entityNumber:
            guard pair.source.number != pair.destination.number else { return .column("Z_ENT") }
            return CellSource(value: .number(pair.destination.number), base: "Z_ENT")
        case .attribute(let attribute, _):
            guard isDestination(pair.destination.name, kindOf: attribute.entity) else { return nil }
            return pair.attributes[column.role].map { value(of: $0, pair) } ?? .null
        case .toOne(let link): return foreignKey(link, of: pair, links).map(\.key)
        case .toOneEntity(let link): return foreignKey(link, of: pair, links).map(\.entity)
        case .orderKey(let link): return foreignKey(link, of: pair, links).map(\.order)
        case .toManyOwner(let link): return ownerKey(link, of: pair, links, isOrder: false)
        case .toManyOwnerOrderKey(let link): return ownerKey(link, of: pair, links, isOrder: true)
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
            let column = source.column(of: origin, mapping.sourceElementPath)
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
    func form(of property: PropertyReference, _ path: [String]) -> CellForm? {
        guard let entity = destinationGraph.entity(property.entity),
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
            let origin = pair.relationships[reference]?.source,
            let old = source.links(of: origin, as: .key)
        else { return (.null, .null, .null) }
        let key = old.key
        let target = sourceGraph.relationship(origin)?.destinationEntity
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

package struct CellForm: Sendable, Hashable {
    package var type: AttributeType
    /// Whether values may be in external files, so that a leading byte says where they are.
    package var isExternal: Bool
}

extension SQLOperand {
    /// The value in the form of a cell; what does not fit is noted.
    ///
    /// Throws when values of its type have no such form, with an expression that has.
    func fitted(
        to form: CellForm,
        of expression: PredicateExpression,
        _ translation: inout PredicateTranslation
    ) throws(UntranslatablePredicate) -> SQLOperand {
        let value = try fitted(to: form.type, of: expression, &translation)
        guard form.isExternal else { return value }
        return SQLOperand(
            sql: "\(ExternalForm.adding)(\(value.sql))",
            type: form.type,
            isStored: true
        )
    }

    private func fitted(
        to type: AttributeType,
        of expression: PredicateExpression,
        _ translation: inout PredicateTranslation
    ) throws(UntranslatablePredicate) -> SQLOperand {
        if let constant { return try Self.literal(constant, of: type) }
        guard let own = self.type, own != .undefined else {
            return fitted(ValueFitting(type: type), .misfit(type), &translation)
        }
        if own == type, isStored || !type.isNumber { return self }
        if own == .uri, type == .string { return self }
        // Only the app can read the output of its own transformer.
        if case .function(_, StageMap.Function.constant, _) = expression, own == .binary,
            type == .transformable
        {
            return self
        }
        guard [own, type].allSatisfy({ $0.isNumber || $0 == .decimal }) else {
            let cure = type.cast(of: "value", from: own).map { "; write \($0)" } ?? ""
            throw UntranslatablePredicate(
                "'\(expression)' is \(own.sourceName ?? "a value"), not "
                    + "\(type.sourceName ?? "a value")\(cure)"
            )
        }
        let fitting = ValueFitting(type: type, origin: own)
        return fitted(fitting, .misfit(type), &translation)
    }

    /// The value as another type, by an explicit cast; what does not fit is noted.
    func cast(
        to type: AttributeType,
        _ translation: inout PredicateTranslation
    ) throws(UntranslatablePredicate) -> SQLOperand {
        let own = Self.commonType(of: [self])
        if own == type, isStored { return self }
        guard own.map({ $0.isCastable(to: type) }) ?? true else {
            throw UntranslatablePredicate(
                "a value of \(own?.sourceName ?? "no type") cannot be cast to "
                    + (type.sourceName ?? "this")
            )
        }
        let fitting = ValueFitting(type: type, origin: own, isCast: true)
        return fitted(fitting, .cast(type), &translation)
    }

    private func fitted(
        _ fitting: ValueFitting,
        _ reason: ValueLoss.Reason,
        _ translation: inout PredicateTranslation
    ) -> SQLOperand {
        translation.note(reason, where: fitting.misfit(of: sql))
        return SQLOperand(sql: fitting.sql(of: sql), type: fitting.type, isStored: true)
    }

    /// Refuses what cannot be text, and notes what the rows hold besides.
    func requireText(
        for function: String,
        _ translation: inout PredicateTranslation
    ) throws(UntranslatablePredicate) {
        switch Self.commonType(of: [self]) {
        case .string?, .uri?: return
        case nil where constant == .null: return
        case nil, .undefined?:
            translation.note(.cast(.string), where: "typeof(\(sql)) NOT IN ('text', 'null')")
        case let type?:
            throw UntranslatablePredicate(
                "'\(function)' needs a string, not \(type.sourceName ?? "this"); write "
                    + "{cast: [value, string]}"
            )
        }
    }

    private static func literal(
        _ constant: PredicateExpression.Constant,
        of type: AttributeType
    ) throws(UntranslatablePredicate) -> SQLOperand {
        func operand(_ sql: String) -> SQLOperand {
            SQLOperand(sql: sql, type: type, constant: constant, isStored: true)
        }
        let value = constant.text
        func refused() -> UntranslatablePredicate {
            UntranslatablePredicate(
                "the constant \(value) is not a valid \(type.sourceName ?? "value")"
            )
        }
        switch (constant, type) {
        case (.null, _): return operand("NULL")
        case (.boolean(let truth), _) where type.isNumber: return operand(truth ? "1" : "0")
        case (.integer(let number), _) where type.isNumber || type == .decimal:
            let fitted = ValueFitting(type: type).fit(.integer(number))
            guard fitted.isWhole else { throw refused() }
            return operand("(\(number))")
        case (.double(let number), _) where type.isNumber || type == .decimal:
            let fitted = ValueFitting(type: type).fit(.real(number))
            switch fitted.value {
            case .integer(let whole) where fitted.isWhole: return operand("(\(whole))")
            // A person who writes 0.1 means the nearest Float.
            case .real(let real) where abs(real - number) <= abs(number) * 1e-7:
                return operand("(\(real))")
            default: throw refused()
            }
        case (.string(let text), .string), (.string(let text), .uri):
            return operand(quotedText(text))
        case (.date(let seconds), .date): return operand("(\(seconds))")
        default:
            let cure = type.constant.map { "; write \($0)" } ?? ""
            throw UntranslatablePredicate(refused().reason + cure)
        }
    }
}

extension PredicateExpression.Constant {
    fileprivate var text: String { PredicateExpression.constant(self).description }
}

extension AttributeType {
    /// A map's notation of a constant of the type; `nil` for numbers and text.
    fileprivate var constant: String? {
        switch self {
        case .string: "{constant: text}"
        case .date: "{'@date': 2001-01-31T12:30:00Z}"
        case .uuid: "{'@uuid': 01234567-89AB-CDEF-0123-456789ABCDEF}"
        case .uri: "{'@uri': 'x://y'}"
        case .binary: "{'@bytes': base64}"
        case .transformable: "{'@archive': []}"
        default: nil
        }
    }
}
