import MappingInference
package import Momtool
package import ObjectModel

/// The changes of a step to the properties of its old version that a row can show.
struct TemplateChanges {
    /// The names of the properties for which a row needs a value, by entity.
    private(set) var names: [String: Set<String>] = [:]
    /// What happens to attributes, by paths such as `Book.title`.
    private(set) var notes: [String: String] = [:]
    /// The paths of attributes that the step drops and a new one of that name continues: a stage moves their values.
    private(set) var held: Set<String> = []

    init(_ mapping: InferredMapping, _ graph: ModelGraph, isEmpty: Bool) {
        guard !isEmpty, mapping.isInferable else { return }
        for item in mapping.entityMappings {
            guard let name = item.sourceEntity, let entity = graph.entity(name),
                item.destinationEntity != nil
            else { continue }
            let attributes = graph.attributes(of: entity)
            for change in item.attributeMappings {
                guard let note = Self.note(change), let source = change.source,
                    let attribute = attributes.first(where: { $0.name == source.name }),
                    !attribute.isTransient, attribute.derivation == nil,
                    attribute.type != .composite
                else { continue }
                names[name, default: []].insert(source.name)
                notes["\(name).\(source.name)"] = note
            }
            let kept = Set(item.attributeMappings.compactMap { $0.source?.name })
            for change in item.attributeMappings
            where change.source == nil && change.elementPath.isEmpty
                && !kept.contains(change.destination.name)
            {
                let old = change.destination.name
                guard let attribute = attributes.first(where: { $0.name == old }),
                    !attribute.isTransient, attribute.derivation == nil,
                    attribute.type != .composite
                else { continue }
                names[name, default: []].insert(old)
                notes["\(name).\(old)"] = "a stage moves it"
                held.insert("\(name).\(old)")
            }
            for change in item.relationshipMappings {
                guard case .relationship(let old) = change.origin,
                    old.name != change.destination.name,
                    Self.leadsElsewhere(old.name, entity, graph)
                else { continue }
                names[name, default: []].insert(old.name)
            }
        }
    }

    private static func note(_ change: AttributeMapping) -> String? {
        guard change.elementPath.isEmpty, change.sourceElementPath.isEmpty,
            change.expression == nil, let source = change.source
        else { return nil }
        if source.name != change.destination.name { return "becomes \(change.destination.name)" }
        if case .externalStorage = change.conversion { return nil }
        return change.conversion == .none ? nil : "its type changes"
    }

    /// Whether a relationship leads to rows of other entities: each has one row, which is not linked to itself.
    private static func leadsElsewhere(
        _ name: String,
        _ entity: Entity,
        _ graph: ModelGraph
    ) -> Bool {
        guard let link = graph.relationships(of: entity).first(where: { $0.name == name }),
            let target = graph.destination(of: link)
        else { return false }
        return graph.root(of: target).name != graph.root(of: entity).name
    }
}

/// The case of a step that has none, as `init` and `test --new` write it.
package struct NewCaseTexts: Sendable {
    /// How much of the step the case may show: the first form that passes unchanged is used, or the first.
    package let forms: [CaseTemplateForm]
    /// The undeclared policies of the step's mapping model: the case is skipped until they are declared.
    package let undeclared: [String]
    private let model: String
    private let source: ModelVersion
    private let destination: ModelVersion
    private let isMapped: Bool

    package init(
        model: String,
        from source: ModelVersion,
        to destination: ModelVersion,
        _ mappingModels: MappingModels
    ) {
        (self.model, self.source, self.destination) = (model, source, destination)
        undeclared = mappingModels.undeclaredPolicies(from: source, to: destination)
        isMapped = mappingModels.path(from: source, to: destination) != nil
        let mapping = inferMapping(from: source, to: destination)
        let changes = TemplateChanges(mapping, ModelGraph(source.model), isEmpty: false)
        // The work of a stage is shown, though nothing does it yet: a case without it would pass.
        let isMoved = !changes.held.isEmpty
        forms = isMapped ? [.open] : isMoved ? [.full] : [.full, .plain, .open]
    }

    /// What to do before the case can run; `nil` where it runs as it is.
    package var remark: String? {
        guard !undeclared.isEmpty else { return nil }
        let names = undeclared.joined(separator: ", ")
        return
            "it is skipped until policies: describes \(names); then fill in after:, and remove skip:"
    }

    /// Writes the text of `case.yml`.
    package func text(_ form: CaseTemplateForm, losing losses: [String]? = nil) -> String {
        caseTemplate(
            model: model,
            from: source,
            to: destination,
            policies: undeclared,
            skipping: undeclared.isEmpty
                ? nil : "describe \(undeclared.joined(separator: ", ")) under policies:",
            losing: losses ?? (isMapped ? [] : nil),
            form: form
        )
    }
}
