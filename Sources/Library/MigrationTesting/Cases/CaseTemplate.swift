import Diagnostics
import Essentials
import MappingInference
package import ObjectModel
import RowExchange
import YAMLReading

package enum CaseTemplateForm: Sendable, Hashable {
    /// Every required value, and every value that the step changes.
    case full
    /// Only the required values.
    case plain
    /// The required values without expectations, for steps that a mapping model or a stage decides.
    case open
}

/// Writes the case of a step, to be completed: a row of each entity that the step changes.
///
/// `policies` are those of the mapping model, which somebody must describe; `losses` by default what the inferred step
/// drops.
package func caseTemplate(
    model: String,
    from source: ModelVersion,
    to destination: ModelVersion,
    policies: [String] = [],
    skipping reason: String? = nil,
    losing losses: [String]? = nil,
    form: CaseTemplateForm = .full
) -> String { CaseTemplate(source, destination, form).text(model, policies, reason, losses) }

private struct CaseTemplate {
    private let source: ModelVersion
    private let destination: ModelVersion
    private let graph: ModelGraph
    private let destinationGraph: ModelGraph
    private let mapping: InferredMapping
    private let form: CaseTemplateForm
    private let entities: [Entity]
    private let changesNone: Bool
    /// The changes of properties, by the entities and names of the old version.
    private let changes: TemplateChanges

    init(_ source: ModelVersion, _ destination: ModelVersion, _ form: CaseTemplateForm) {
        (self.source, self.destination, self.form) = (source, destination, form)
        graph = ModelGraph(source.model)
        destinationGraph = ModelGraph(destination.model)
        mapping = inferMapping(from: source, to: destination)
        let kept = Set(
            mapping.entityMappings.filter { $0.kind == .copy }.compactMap(\.sourceEntity)
        )
        let all = source.model.entities.filter { !$0.isAbstract }
        let changed = all.filter { !kept.contains($0.name) }
        changesNone = changed.isEmpty
        changes = TemplateChanges(mapping, graph, isEmpty: form != .full)
        entities = Self.closure(changed.isEmpty ? all : changed, graph, changes)
    }

    /// Adds the destinations of relationships with links.
    private static func closure(
        _ entities: [Entity],
        _ graph: ModelGraph,
        _ changes: TemplateChanges
    ) -> [Entity] {
        var names: Set<String> = []
        var waiting = entities
        var found: [Entity] = []
        while let entity = waiting.popLast() {
            guard names.insert(entity.name).inserted else { continue }
            found.append(entity)
            waiting += links(of: entity, graph, changes).compactMap { link in
                concrete(link.destinationEntity, graph)
            }
        }
        return found.sorted { $0.name < $1.name }
    }

    private static func links(
        of entity: Entity,
        _ graph: ModelGraph,
        _ changes: TemplateChanges
    ) -> [Relationship] {
        graph.relationships(of: entity).filter { link in
            guard !link.isTransient else { return false }
            let isRequired = !link.isOptional && (!link.isToMany || link.minCount ?? 0 > 0)
            return isRequired || changes.names[entity.name]?.contains(link.name) == true
        }.sorted { $0.name < $1.name }
    }

    /// An entity that can have objects: the named one, or the first below it.
    private static func concrete(_ name: String?, _ graph: ModelGraph) -> Entity? {
        guard let entity = name.flatMap(graph.entity) else { return nil }
        return graph.hierarchy(of: entity).first { !$0.isAbstract }
    }

    func text(
        _ model: String,
        _ policies: [String],
        _ reason: String?,
        _ known: [String]?
    ) -> String {
        var lines = head(model, policies, reason) + ["before:"]
        for (place, entity) in entities.enumerated() { lines += row(of: entity, place) }
        let losses = known ?? droppedRows
        if !losses.isEmpty {
            let names = losses.map(yamlText).joined(separator: ", ")
            lines.append("allowDataLoss: [\(names)] # removed in \(destination.name)")
        }
        guard mapping.isInferable, form != .open else {
            if form == .open {
                lines.append("# Write the rows that you expect after the step.")
                return (lines + ["expect: contains", "after: {}", ""]).joined(separator: "\n")
            }
            lines.append(
                "# Core Data refuses the step, unless there are stages or a mapping model:"
            )
            lines += mapping.refusals.map { "#   \($0.diagnostic.message)" }
            return (lines + ["expect: refused", ""]).joined(separator: "\n")
        }
        lines += [
            "# Only what 'after' lists is compared; with 'migrated', everything must be listed.",
            "expect: contains", "after:",
        ]
        var isEmpty = true
        let start = lines.count
        for (place, entity) in entities.enumerated() {
            let row = expectedRow(of: entity, place)
            isEmpty = isEmpty && row.isEmpty
            lines += row
        }
        if isEmpty { lines[lines.count - 1] = "after: {}" }
        // Only a name of an entity, and an identifier, have no value.
        let hasValues = lines[start...].contains { line in
            line.hasPrefix("      ") && !line.hasPrefix("      #")
        }
        if !hasValues {
            lines.append("# This asserts no value yet: list those that you expect after the step.")
        }
        return (lines + [""]).joined(separator: "\n")
    }

    private func head(_ model: String, _ policies: [String], _ reason: String?) -> [String] {
        var lines = [
            changesNone
                ? "# The step from \(source.name) to \(destination.name) changes no entity of \(source.name); a row of each."
                : "# A row of every entity that the step from \(source.name) to \(destination.name) changes.",
            "# Change the values to those that your test is about, and write the expected result below.",
            "model: \(yamlText(model))", "from: \(yamlText(source.name))",
            "to: \(yamlText(destination.name))",
        ]
        if !policies.isEmpty {
            lines += [
                "# What the migration policies of the mapping model do: delete, copy, or the path of a map.",
                "# policies:",
            ]
            lines += policies.map { "#   \(yamlText($0)): copy" }
        }
        if let reason {
            lines += ["# Remove this line when the rest is complete.", "skip: \(yamlText(reason))"]
        }
        return lines
    }

    /// What the rows have and the new version lacks: entities, and attributes with a value or a default.
    private var droppedRows: [String] {
        let written = Dictionary(firstOf: entities.map { ($0.name, $0) })
        let gone = mapping.entityMappings.filter { $0.kind == .remove }.compactMap(\.sourceEntity)
            .filter { written[$0] != nil }
        let attributes = mapping.risks.compactMap { risk -> String? in
            let owner = risk.sourceEntity
            guard case .removedAttribute = risk.kind, let source = risk.source,
                let entity = written[owner], !gone.contains(owner),
                let attribute = graph.attributes(of: entity).first(where: { $0.name == source.name }
                ), attribute.defaultValue != nil || required(entity).contains(attribute)
            else { return nil }
            return "\(owner).\(source.name)"
        }
        return (gone + Set(attributes)).sorted()
    }

    private func isChanged(_ attribute: Attribute, of entity: Entity) -> Bool {
        changes.names[entity.name]?.contains(attribute.name) == true
    }

    /// Whether an attribute needs a value of its own: without a default, where values must be unique, and where the
    /// step changes it.
    private func needsValue(_ attribute: Attribute, of entity: Entity) -> Bool {
        attribute.defaultValue == nil || isChanged(attribute, of: entity)
            || uniqueNames(of: entity).contains(attribute.name)
    }

    /// The attributes that a uniqueness constraint of either version names, by their old names.
    private func uniqueNames(of entity: Entity) -> Set<String> {
        let old = graph.lineage(of: entity).flatMap(\.uniquenessConstraints).flatMap(\.properties)
        guard let mapping = mapping.entityMappings.first(where: { $0.sourceEntity == entity.name }),
            let later = mapping.destinationEntity.flatMap(destinationGraph.entity)
        else { return Set(old) }
        let new = destinationGraph.lineage(of: later).flatMap(\.uniquenessConstraints)
            .flatMap(\.properties)
        let sources = mapping.attributeMappings.filter { new.contains($0.destination.name) }
            .compactMap { $0.source?.name }
        return Set(old + sources)
    }

    private func value(of attribute: Attribute, of entity: Entity, _ place: Int) -> String? {
        if let type = attribute.compositeName.flatMap(graph.composite) {
            return fillingValue(of: attribute, elements: type.attributes)
        }
        let isUnique = uniqueNames(of: entity).contains(attribute.name)
        return fillingValue(of: attribute, number: Int64(place + 1), isUnique: isUnique)
    }

    private func row(of entity: Entity, _ place: Int) -> [String] {
        let head = ["  \(yamlText(entity.name)):", "    - \"@id\": \(identifier(of: entity))"]
        let attributes = shown(entity).map { attribute in
            guard needsValue(attribute, of: entity) else {
                let value =
                    attribute.defaultValue.flatMap { rowText(of: $0, as: attribute) } ?? "null"
                return
                    "      # \(yamlText(attribute.name)): \(value) # \(attribute.templateWords), its default"
            }
            let value = value(of: attribute, of: entity, place) ?? "null"
            let note = changes.notes["\(entity.name).\(attribute.name)"].map { "; \($0)" } ?? ""
            return "      \(yamlText(attribute.name)): \(value) # \(attribute.templateWords)\(note)"
        }
        let links = Self.links(of: entity, graph, changes).compactMap { link -> String? in
            guard let value = reference(link, of: { $0.name }) else { return nil }
            let kind = link.isToMany ? "to-many" : "to-one"
            let need = link.isOptional ? "optional" : "required"
            return "      \(yamlText(link.name)): \(value) # \(kind), \(need)"
        }
        return head + attributes + links
    }

    /// A link in the rows to the row of the old entity that it leads to.
    private func reference(
        _ link: Relationship,
        isToMany: Bool? = nil,
        of name: (Entity) -> String?
    ) -> String? {
        guard let target = Self.concrete(link.destinationEntity, graph), let owner = name(target)
        else { return nil }
        let reference = yamlText("\(owner)/\(identifier(of: target))")
        return isToMany ?? link.isToMany ? "[\(reference)]" : reference
    }

    private func newName(of entity: Entity) -> String? {
        mapping.entityMappings.first { $0.sourceEntity == entity.name }?.destinationEntity
    }

    private func expectedRow(of entity: Entity, _ place: Int) -> [String] {
        guard
            let mapping = mapping.entityMappings.first(where: {
                $0.sourceEntity == entity.name && $0.destinationEntity != nil
            }), let name = mapping.destinationEntity
        else { return [] }
        let known = Dictionary(
            firstOf: shown(entity).filter { needsValue($0, of: entity) }.map { ($0.name, $0) }
        )
        var lines = ["  \(yamlText(name)):", "    - \"@id\": \(identifier(of: entity))"]
        for attribute in mapping.attributeMappings
        where attribute.elementPath.isEmpty && attribute.expression == nil {
            if changes.held.contains("\(entity.name).\(attribute.destination.name)") {
                lines += movedValue(attribute.destination, known, entity, place)
                continue
            }
            guard let old = attribute.source.flatMap({ known[$0.name] }),
                let value = value(of: old, of: entity, place)
            else {
                lines += newValue(attribute, known).map { ["      \($0)"] } ?? []
                continue
            }
            guard let value = converted(value, attribute.conversion) else { continue }
            let isSame = old.name == attribute.destination.name
            let origin = isSame ? "" : " # was \(old.name)"
            lines.append("      \(yamlText(attribute.destination.name)): \(value)\(origin)")
        }
        return lines + expectedLinks(of: entity, mapping)
    }

    /// The result of a stage for a value that no step moves, where that is the same number or text.
    private func movedValue(
        _ name: PropertyReference,
        _ known: [String: Attribute],
        _ entity: Entity,
        _ place: Int
    ) -> [String] {
        let new = destinationGraph.entity(name.entity)?.attributes.first { $0.name == name.name }
        guard let new, let old = known[name.name], let value = value(of: old, of: entity, place),
            new.type == .string && old.type.isInteger || new.type.isInteger && old.type.isInteger
        else { return ["      # \(yamlText(name.name)): # write the result of the stage"] }
        let text = new.type == .string ? "\"\(value)\"" : value
        return ["      \(yamlText(name.name)): \(text) # the result of the stage"]
    }

    /// The default that a new attribute, or a nil value, gets.
    private func newValue(_ attribute: AttributeMapping, _ known: [String: Attribute]) -> String? {
        let name = attribute.destination.name
        let declared = destinationGraph.entity(attribute.destination.entity)?.attributes
            .first { $0.name == name }
        guard form == .full, let declared, !declared.isTransient, declared.unstatedDefault == nil
        else { return nil }
        let fill = attribute.source == nil ? attribute.fill : attribute.nullReplacement
        return fill.flatMap { rowText(of: $0, as: declared) }.map {
            "\(yamlText(name)): \($0) # the default"
        }
    }

    /// A value after its type changed; `nil` where it may differ.
    private func converted(_ value: String, _ conversion: AttributeConversion) -> String? {
        switch conversion {
        case .none, .uriToString: value
        case .numeric(let from, let to) where from != .boolean && to != .boolean:
            to.isInteger ? Double(value).flatMap { Int64(exactly: $0) }?.description : value
        case .numeric(from: .boolean, _) where value == "false": "0"
        default: nil
        }
    }

    /// The destinations of renamed relationships; new ones have none.
    private func expectedLinks(of entity: Entity, _ mapping: EntityMapping) -> [String] {
        guard form == .full else { return [] }
        let links = Self.links(of: entity, graph, changes)
        return mapping.relationshipMappings.compactMap { relationship -> String? in
            let name = relationship.destination.name
            guard
                let new = destinationGraph.relationship(
                    name,
                    ofEntity: relationship.destination.entity
                ), !new.isTransient
            else { return nil }
            switch relationship.origin {
            case .none:
                let nothing = new.isToMany ? "[]" : "null"
                return "      \(yamlText(name)): \(nothing) # new"
            case .relationship(let old) where old.name != name:
                guard let link = links.first(where: { $0.name == old.name }),
                    let value = reference(link, isToMany: new.isToMany, of: newName)
                else { return nil }
                return "      \(yamlText(name)): \(value) # was \(old.name)"
            case .relationship, .path, .found: return nil
            }
        }
    }

    /// The attributes in the row: those that are required, and those that the step changes.
    private func shown(_ entity: Entity) -> [Attribute] {
        let changed = graph.attributes(of: entity).filter {
            $0.isOptional && isChanged($0, of: entity)
        }
        return (required(entity) + changed).sorted { $0.name < $1.name }
    }

    private func required(_ entity: Entity) -> [Attribute] {
        graph.attributes(of: entity).filter { attribute in
            !attribute.isOptional && !attribute.isTransient && attribute.derivation == nil
                && (attribute.type != .composite || !attribute.enumCases.required.isEmpty)
        }.sorted { $0.name < $1.name }
    }

    private func identifier(of entity: Entity) -> String {
        entity.name.prefix(1).lowercased() + entity.name.dropFirst()
    }
}

extension Attribute {
    var templateWords: String {
        var words = [type.sourceName ?? "value", isOptional ? "optional" : "required"]
        let isText = type == .string
        if let least = validation.minimum.map(limit) {
            words.append("at least \(least)\(isText ? " characters" : "")")
        }
        if let most = validation.maximum.map(limit) {
            words.append("at most \(most)\(isText ? " characters" : "")")
        }
        if let pattern = validation.regularExpression {
            words.append("matches \(pattern.replacingBytes(of: "\n", with: " "))")
        }
        return words.joined(separator: ", ")
    }

    private func limit(_ value: AttributeValue) -> String {
        switch value {
        case .integer(let value): "\(value)"
        case .double(let value): "\(value)"
        case .float(let value): "\(value)"
        case .decimal(let value): value.description
        case .date(let seconds): "\(seconds) seconds after 2001"
        case .string(let text), .uri(let text): text
        case .boolean, .binary, .uuid: "a value"
        }
    }
}
