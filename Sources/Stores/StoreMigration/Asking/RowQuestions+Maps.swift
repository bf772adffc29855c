import MappingInference
import MigrationPlanning
import ModelLanguage
import ObjectModel
import SQLiteAccess
import StoreFormat

extension RowQuestions {
    /// What a map leaves behind: objects that nothing takes, and values that nothing reads.
    ///
    /// What code takes cannot be known.
    func mapLosses() -> [RowQuestion] {
        let codeReadsAll = correspondence.policyMappings.contains { $0.mapping.sourceEntity == nil }
        let coded = Set(correspondence.policyMappings.compactMap(\.mapping.sourceEntity))
        guard !codeReadsAll else { return [] }
        let takers = Dictionary(
            grouping: correspondence.pairs + correspondence.insertions,
            by: \.source.name
        )
        let told = Told(correspondence.targets.map(\.mapping))
        return layout.entities.filter { !$0.isAbstract && !coded.contains($0.name) }
            .flatMap { entity in
                let targets = takers[entity.name] ?? []
                return [leftOut(entity, targets)].compactMap(\.self)
                    + (targets.isEmpty ? [] : unread(entity, targets, told))
            }
    }

    private func leftOut(
        _ entity: NumberedEntity,
        _ targets: [EntityCorrespondence.Target]
    ) -> RowQuestion? {
        guard !targets.isEmpty else {
            return rows(.removedEntity(sourceEntity: entity.name), of: entity.name, where: nil)
        }
        let isPartial = targets.allSatisfy { target in
            target.mapping.condition != nil || !target.mapping.findOrCreateKeys.isEmpty
        }
        guard isPartial, let expressions else { return nil }
        let conditions = targets.compactMap { target -> String? in
            let own = try? expressions.condition(of: target)
            // Objects without the keys that they are found by come to nothing.
            return own.map { own in hasKeys(target).map { "(\(own)) AND \($0)" } ?? own }
        }
        guard conditions.count == targets.count else { return nil }
        let any = conditions.map { "(\($0))" }.joined(separator: " OR ")
        return rows(
            .objectsLeftOut(sourceEntity: entity.name),
            of: entity.name,
            where: "(\(any)) IS NOT 1"
        )
    }

    /// The attributes that no mapping copies and no expression names.
    private func unread(
        _ entity: NumberedEntity,
        _ targets: [EntityCorrespondence.Target],
        _ told: Told
    ) -> [RowQuestion] {
        guard let definition = correspondence.sourceGraph.entity(entity.name) else { return [] }
        let copied = Set(
            targets.flatMap(\.mapping.attributeMappings).compactMap { mapping in
                mapping.source.map { ([$0.name] + mapping.sourceElementPath) }
            }
        )
        let graph = correspondence.sourceGraph
        return graph.lineage(of: definition).flatMap { owner in
            owner.attributes.filter { !$0.isTransient && $0.derivation == nil }
                .filter { !told.names.contains($0.name) }
                .flatMap { attribute -> [RowQuestion] in
                    let paths =
                        attribute.type == .composite
                        ? graph.leaves(of: attribute).map(\.path) : [[]]
                    return paths.filter { !copied.contains([attribute.name] + $0) }.compactMap {
                        question(
                            .removedAttribute(
                                sourceEntity: entity.name,
                                source: MappedProperty(
                                    name: attribute.name,
                                    declaredBy: owner.name
                                ),
                                sourceElementPath: $0,
                                reason: attribute.allowsExternalBinaryDataStorage
                                    ? .removedWithFiles : .removed
                            )
                        )
                    }
                }
        }
    }
}

/// The names that the expressions and conditions of a map speak of.
private struct Told {
    var names: Set<String> = []

    init(_ mappings: [EntityMapping]) {
        for mapping in mappings {
            for attribute in mapping.attributeMappings {
                if let expression = attribute.expression { add(expression) }
            }
            for relationship in mapping.relationshipMappings {
                if case .found(_, _, let expression) = relationship.origin { add(expression) }
            }
        }
    }

    /// Texts count too: functions take the names of keys as such.
    private mutating func add(_ expression: PredicateExpression) {
        switch expression {
        case .constant(.string(let text)): add(text)
        case .constant, .evaluatedObject, .variable: break
        case .keyPath(let base, let path):
            add(base)
            add(path)
        case .function(let operand, _, let arguments):
            if let operand { add(operand) }
            for argument in arguments { add(argument) }
        default: add(String(describing: expression))
        }
    }

    private mutating func add(_ text: String) {
        for word in text.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" }) {
            names.insert(String(word))
        }
    }
}
