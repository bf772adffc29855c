import MappingInference
import ModelLanguage
import ObjectModel
import RowExchange
import SQLiteAccess
import StoreFormat

extension RowQuestions {
    /// The risks of values that a map copies unchanged: the same as with inference.
    func mappedRisks() -> [RowQuestion] {
        correspondence.targets.flatMap { target in
            target.mapping.attributeMappings.flatMap { mapping -> [RowQuestion] in
                guard mapping.expression == nil else { return [] }
                guard let source = mapping.source else {
                    return [noValue(mapping, of: target)].compactMap(\.self)
                }
                return [
                    missingFiles(mapping, source, target), missingValues(mapping, source, target),
                ]
                .compactMap(\.self)
            } + target.mapping.relationshipMappings.compactMap { missingLinks($0, target) }
        }
    }

    /// The objects that a mandatory to-one relationship is given no object for.
    private func missingLinks(
        _ mapping: RelationshipMapping,
        _ target: MappingTarget
    ) -> RowQuestion? {
        let graph = correspondence.destinationGraph
        guard let relationship = graph.relationship(mapping.destination),
            !relationship.isOptional, !relationship.isToMany, !relationship.isTransient,
            target.mapping.policyName == nil
        else { return nil }
        let risk = target.risk(
            .nullInMandatoryRelationship,
            mapping.source,
            to: mapping.destination
        )
        if case .none = mapping.origin {
            let other = relationship.inverseName.flatMap { inverse in
                relationship.destinationEntity.map { PropertyReference(entity: $0, name: inverse) }
            }
            // Links may come by the other side.
            let sides = [mapping.destination] + [other].compactMap(\.self)
            guard links.origins(of: sides[0]).isEmpty, !sides.contains(where: links.isMapped) else {
                return nil
            }
            return rows(risk, of: target, where: RowQuestion.CountedRows.all)
        }
        guard let key = mapping.source.flatMap({ key(of: $0) }) else { return nil }
        return rows(risk, of: target, where: "s.\(key) IS NULL")
    }

    /// The objects whose mandatory attribute gets nothing.
    private func noValue(_ mapping: AttributeMapping, of target: MappingTarget) -> RowQuestion? {
        guard mapping.fill == nil, isMandatory(mapping, of: target) else { return nil }
        let risk = target.risk(.mandatoryWithoutDefault, to: mapping.destination)
        return rows(risk, of: target, where: RowQuestion.CountedRows.all)
    }

    private func missingFiles(
        _ mapping: AttributeMapping,
        _ source: PropertyReference,
        _ target: MappingTarget
    ) -> RowQuestion? {
        guard mapping.conversion == .externalStorage(isAllowed: false),
            let column = column(source, mapping.sourceElementPath)
        else { return nil }
        let risk = target.risk(.missingExternalFile, source, at: mapping.sourceElementPath)
        let data = "\(ExternalForm.removing)(\(column))"
        return rows(risk, of: target, where: "\(column) NOT NULL AND \(data) IS NULL")
    }

    private func missingValues(
        _ mapping: AttributeMapping,
        _ source: PropertyReference,
        _ target: MappingTarget
    ) -> RowQuestion? {
        guard mapping.nullReplacement == nil, isMandatory(mapping, of: target),
            isOptional(source), let column = column(source, mapping.sourceElementPath)
        else { return nil }
        let risk = target.risk(
            .nullInMandatoryAttribute,
            source,
            to: mapping.destination,
            at: mapping.sourceElementPath
        )
        return rows(risk, of: target, where: "\(column) IS NULL")
    }

    /// Whether the new version requires a value of an attribute, and no code sets one later.
    private func isMandatory(_ mapping: AttributeMapping, of target: MappingTarget) -> Bool {
        let graph = correspondence.destinationGraph
        guard mapping.elementPath.isEmpty, target.mapping.policyName == nil,
            let entity = graph.entity(mapping.destination.entity),
            let attribute = graph.property(mapping.destination.name, of: entity)?.0 as? Attribute
        else { return false }
        return !attribute.isOptional && attribute.derivation == nil
    }

    /// The objects whose mandatory attribute gets nothing from its expression.
    private func noValue(
        _ expression: PredicateExpression,
        _ form: CellForm?,
        _ mapping: AttributeMapping,
        of target: MappingTarget
    ) -> RowQuestion? {
        let risk = target.risk(.expressionLoss(.noMandatoryValue), to: mapping.destination)
        guard isMandatory(mapping, of: target),
            let value = try? expressions?.value(expression, of: target.source.name, as: form)
        else { return nil }
        guard target.mapping.findOrCreateKeys.isEmpty else {
            return valuesMissing(risk, mapping, of: target)
        }
        return rows(risk, of: target, where: "(\(value.sql)) IS NULL")
    }

    /// Whether the old version lets an attribute be nil; otherwise missing values are existing damage.
    private func isOptional(_ property: PropertyReference) -> Bool {
        let graph = correspondence.sourceGraph
        let attribute = graph.entity(property.entity)
            .flatMap { graph.property(property.name, of: $0)?.0 as? Attribute }
        return attribute?.isOptional ?? true
    }

    /// What the expressions of a map lose of the values that they work with.
    func expressionLosses() -> [RowQuestion] {
        correspondence.targets.flatMap { target in
            target.mapping.attributeMappings.flatMap { mapping -> [RowQuestion] in
                guard let expression = mapping.expression else { return [] }
                let form = correspondence.form(of: mapping.destination, mapping.elementPath)
                return questions(
                    expression,
                    form,
                    mapping.destination,
                    mapping.elementPath,
                    of: target
                ) + [noValue(expression, form, mapping, of: target)].compactMap(\.self)
            }
                + target.mapping.relationshipMappings.flatMap { mapping -> [RowQuestion] in
                    guard case .found(let entity, let key, let equals) = mapping.origin else {
                        return []
                    }
                    let form = correspondence.keyForm(entity, key)
                    return questions(equals, form, mapping.destination, [], of: target)
                        + [severalFound(mapping, equals, entity, key, of: target)]
                        .compactMap(\.self)
                }
        }
    }

    private func questions(
        _ expression: PredicateExpression,
        _ form: CellForm?,
        _ property: PropertyReference,
        _ path: [String],
        of target: MappingTarget
    ) -> [RowQuestion] {
        let value = try? expressions?.value(expression, of: target.source.name, as: form)
        var conditions: [RowRisk.ExpressionLoss: [String]] = [:]
        var order: [RowRisk.ExpressionLoss] = []
        for loss in value?.losses ?? [] {
            let reason = RowRisk.ExpressionLoss(loss.reason)
            if conditions[reason] == nil { order.append(reason) }
            conditions[reason, default: []].append(loss.condition)
        }
        return order.compactMap { reason in
            let all = (conditions[reason] ?? []).map { "(\($0))" }.joined(separator: " OR ")
            let risk = target.risk(.expressionLoss(reason), to: property, at: path)
            return rows(risk, of: target, where: all)
        }
    }

    /// The objects whose links could lead to several objects of the new version, of which the first is used.
    private func severalFound(
        _ mapping: RelationshipMapping,
        _ equals: PredicateExpression,
        _ entity: String,
        _ key: String,
        of target: MappingTarget
    ) -> RowQuestion? {
        guard let layout = layout.table(of: target.source.name), let expressions,
            let condition = try? expressions.condition(of: target)
        else { return nil }
        let sought = expressions.translated(correspondence.sought(equals, entity, key, of: target))
        guard let keys = keysOfObjects(of: entity, key) else { return nil }
        let several = "SELECT k FROM (\(keys)) WHERE k NOT NULL " + "GROUP BY k HAVING count(*) > 1"
        return RowQuestion(
            target.risk(.expressionLoss(.severalFound(entity: entity)), to: mapping.destination),
            from: "\(quotedIdentifier(layout.name)) AS s WHERE (\(condition)) "
                + "AND \(sought.sql) IN (\(several))",
            key: "s.Z_PK"
        )
    }

    /// The condition that what an object's links look for exists; `nil` where code may make it.
    func isFound(_ mapping: RelationshipMapping, _ target: MappingTarget) -> String? {
        guard case .found(let entity, let key, let equals) = mapping.origin, let expressions,
            correspondence.policyMappings.isEmpty, let keys = keysOfObjects(of: entity, key)
        else { return nil }
        let sought = correspondence.sought(equals, entity, key, of: target)
        return "\(expressions.translated(sought).sql) IN (\(keys))"
    }

    /// The keys of the objects that the new version will have of an entity, one per row.
    private func keysOfObjects(of entity: String, _ key: String) -> String? {
        var (made, found): ([String], [String]) = ([], [])
        for other in correspondence.targets {
            guard correspondence.isDestination(other.destination.name, kindOf: entity),
                let column = correspondence.destination.column(of: key, declaredBy: entity),
                let table = layout.table(of: other.source.name),
                let condition = try? expressions?.condition(of: other)
            else { continue }
            let rows = "FROM \(quotedIdentifier(table.name)) AS s WHERE \(condition)"
            let own = "SELECT \(value(of: column, other)) AS k \(rows)"
            if other.mapping.findOrCreateKeys.isEmpty {
                made.append(own)
            } else if other.mapping.findOrCreateKeys == [key] {
                found.append(own)
            } else {
                let keys = keyValues(of: other, keys: other.mapping.findOrCreateKeys)
                made.append("\(own) GROUP BY \((keys + ["1"]).joined(separator: ", "))")
            }
        }
        let all = made.joined(separator: " UNION ALL ")
        guard !found.isEmpty else { return made.isEmpty ? nil : all }
        // Found or created objects: one for each key that no other object has.
        let created = "SELECT DISTINCT k FROM (\(found.joined(separator: " UNION ALL ")))"
        return made.isEmpty
            ? created : "\(all) UNION ALL SELECT k FROM (\(created) EXCEPT SELECT k FROM (\(all)))"
    }
}

extension MappingTarget {
    /// A risk of a property of the old version, of one of the new version, or of an element of it.
    func risk(
        _ kind: RowRisk.Kind,
        _ old: PropertyReference? = nil,
        to new: PropertyReference? = nil,
        at path: [String] = []
    ) -> RowRisk {
        let entity = new == nil ? nil : destination.name
        return RowRisk(kind, of: source.name, old, to: entity, new, at: path)
    }
}

extension RowRisk {
    /// A risk of the links of a relationship, and of those that it becomes.
    init(_ kind: Kind, ofLinks old: PropertyReference, to new: PropertyReference) {
        self.init(kind, of: old.entity, old, to: new.entity, new)
    }
}

extension RowRisk.ExpressionLoss {
    fileprivate init(_ reason: ValueLoss.Reason) {
        self =
            switch reason {
            case .cast(let type): .cast(type)
            case .divisionByZero: .divisionByZero
            case .severalFound(let entity): .severalFound(entity: entity)
            case .missingFile: .missingFile
            case .misfit(let type): .misfit(type)
            }
    }
}
