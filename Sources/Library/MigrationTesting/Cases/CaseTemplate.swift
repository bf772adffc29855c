import Diagnostics
import Essentials
import MappingInference
import ModelHashing
package import ObjectModel
import RowExchange

/// Writes the case of a step, to be completed: a row of each entity that the step changes, with every required value.
///
/// - Parameters:
///   - model: the path of the model, from the folder of the case.
///   - source: the version of the rows.
///   - destination: the version that is migrated to.
///   - policies: the migration policies of the step's mapping model, which somebody must say the work of.
///   - mappingModel: the path of the mapping model, from the folder of the case; `nil` for those that lie near the model.
/// - Returns: the text of a `case.yml`, which passes as it is unless the step is refused or has a mapping model.
package func caseTemplate(
    model: String,
    from source: ModelVersion,
    to destination: ModelVersion,
    policies: [String] = [],
    mappingModel: String? = nil
) -> String {
    CaseTemplate(source, destination).text(model, policies, mappingModel)
}

private struct CaseTemplate {
    private let source: ModelVersion
    private let destination: ModelVersion
    private let graph: ModelGraph
    private let destinationGraph: ModelGraph
    private let mapping: InferredMapping
    /// The entities that get a row, by name.
    private let entities: [Entity]

    init(_ source: ModelVersion, _ destination: ModelVersion) {
        (self.source, self.destination) = (source, destination)
        graph = ModelGraph(source.model)
        destinationGraph = ModelGraph(destination.model)
        mapping = inferMapping(from: source, to: destination)
        let kept = Set(
            mapping.entityMappings.filter { $0.kind == .copy }.compactMap(\.sourceEntity)
        )
        let all = source.model.entities.filter { !$0.isAbstract }
        let changed = all.filter { !kept.contains($0.name) }
        entities = Self.closure(changed.isEmpty ? all : changed, graph)
    }

    /// Adds what required relationships lead to.
    private static func closure(_ entities: [Entity], _ graph: ModelGraph) -> [Entity] {
        var names: Set<String> = []
        var waiting = entities
        var found: [Entity] = []
        while let entity = waiting.popLast() {
            guard names.insert(entity.name).inserted else { continue }
            found.append(entity)
            waiting += requiredLinks(of: entity, graph).compactMap { link in
                concrete(link.destinationEntity, graph)
            }
        }
        return found.sorted { $0.name < $1.name }
    }

    private static func requiredLinks(of entity: Entity, _ graph: ModelGraph) -> [Relationship] {
        graph.relationships(of: entity).filter { link in
            !link.isOptional && !link.isTransient && (!link.isToMany || link.minCount ?? 0 > 0)
        }.sorted { $0.name < $1.name }
    }

    /// An entity of which there can be objects: the named one, or the first below it.
    private static func concrete(_ name: String?, _ graph: ModelGraph) -> Entity? {
        guard let entity = name.flatMap(graph.entity) else { return nil }
        return graph.hierarchy(of: entity).first { !$0.isAbstract }
    }

    func text(_ model: String, _ policies: [String], _ mappingModel: String?) -> String {
        var lines = [
            "# A row of every entity that the step from \(source.name) to \(destination.name) changes.",
            "# Change the values to those that your test is about, and say below what becomes of them.",
            "model: \(quoted(model))",
            "from: \(quoted(source.name))",
            "to: \(quoted(destination.name))",
        ]
        if let mappingModel { lines.append("mappingModels: [\(quoted(mappingModel))]") }
        if !policies.isEmpty {
            lines += [
                "# What the migration policies of the mapping model do: delete, copy, or the path of a map.",
                "# policies:",
            ]
            lines += policies.map { "#   \(quoted($0)): copy" }
        }
        lines.append("before:")
        for (place, entity) in entities.enumerated() { lines += row(of: entity, place) }
        if !losses.isEmpty {
            let names = losses.map(quoted).joined(separator: ", ")
            lines.append("allowDataLoss: [\(names)] # gone in \(destination.name)")
        }
        guard mapping.isInferable else {
            if mappingModel != nil {
                lines.append("# Say what the mapping model makes of the rows.")
                return (lines + ["expect: contains", "after: {}", ""]).joined(separator: "\n")
            }
            lines.append(
                "# Core Data refuses the step, unless there are stages or a mapping model:"
            )
            lines += mapping.refusals.map { "#   \($0.diagnostic.message)" }
            return (lines + ["expect: refused", ""]).joined(separator: "\n")
        }
        lines += [
            "# Only what is named behind 'after' counts; with 'migrated' there is nothing else.",
            "expect: contains", "after:",
        ]
        var isEmpty = true
        for (place, entity) in entities.enumerated() {
            let row = expectedRow(of: entity, place)
            isEmpty = isEmpty && row.isEmpty
            lines += row
        }
        if isEmpty { lines[lines.count - 1] = "after: {}" }
        lines += [
            "# What an app does then: insert, set, link, unlink, delete, save, expect, count.",
            "# then:", "#   - save", "",
        ]
        return lines.joined(separator: "\n")
    }

    /// What the rows have and the new version has no place for: entities, and attributes with a value or a default.
    private var losses: [String] {
        let written = Dictionary(
            entities.map { ($0.name, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        let gone = mapping.entityMappings.filter { $0.kind == .remove }.compactMap(\.sourceEntity)
            .filter { written[$0] != nil }
        let attributes = mapping.risks.compactMap { risk -> String? in
            guard case .removedAttribute(let owner, let source, _, _) = risk,
                let entity = written[owner], !gone.contains(owner),
                let attribute = graph.attributes(of: entity).first(where: { $0.name == source.name }
                ),
                attribute.defaultValue != nil || required(entity).contains(attribute)
            else { return nil }
            return "\(owner).\(source.name)"
        }
        return (gone + Set(attributes)).sorted()
    }

    /// Whether a required attribute needs a value of its own: without a default, or where no two objects may share it.
    private func needsValue(_ attribute: Attribute, of entity: Entity) -> Bool {
        attribute.defaultValue == nil || uniqueNames(of: entity).contains(attribute.name)
    }

    /// The attributes that a uniqueness constraint of either version names, as the old one calls them.
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
        let isUnique = uniqueNames(of: entity).contains(attribute.name)
        return fillingValue(of: attribute, number: Int64(place + 1), isUnique: isUnique)
    }

    private func row(of entity: Entity, _ place: Int) -> [String] {
        let head = ["  \(quoted(entity.name)):", "    - \"@id\": \(identifier(of: entity))"]
        let attributes = required(entity).map { attribute in
            let value = value(of: attribute, of: entity, place) ?? "null"
            let line = "\(quoted(attribute.name)): \(value) # \(words(attribute))"
            return needsValue(attribute, of: entity)
                ? "      \(line)" : "      # \(line), has a default"
        }
        let links = Self.requiredLinks(of: entity, graph).compactMap { link -> String? in
            guard let target = Self.concrete(link.destinationEntity, graph) else { return nil }
            let reference = "\(target.name)/\(identifier(of: target))"
            let value = link.isToMany ? "[\(quoted(reference))]" : quoted(reference)
            let kind = link.isToMany ? "to-many" : "to-one"
            return "      \(quoted(link.name)): \(value) # \(kind), required"
        }
        return head + attributes + links
    }

    /// What the values of the row become where they stay as they are, and defaults of what is new.
    private func expectedRow(of entity: Entity, _ place: Int) -> [String] {
        guard
            let mapping = mapping.entityMappings.first(where: {
                $0.sourceEntity == entity.name && $0.destinationEntity != nil
            }), let name = mapping.destinationEntity
        else { return [] }
        let known = Dictionary(
            required(entity).filter { needsValue($0, of: entity) }.map { ($0.name, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        var lines = ["  \(quoted(name)):", "    - \"@id\": \(identifier(of: entity))"]
        for attribute in mapping.attributeMappings where attribute.elementPath.isEmpty {
            guard let old = attribute.source.flatMap({ known[$0.name] }),
                attribute.conversion == .none, attribute.expression == nil,
                let value = value(of: old, of: entity, place)
            else { continue }
            let isSame = old.name == attribute.destination.name
            let origin = isSame ? "" : " # was \(old.name)"
            lines.append("      \(quoted(attribute.destination.name)): \(value)\(origin)")
        }
        return lines
    }

    private func required(_ entity: Entity) -> [Attribute] {
        graph.attributes(of: entity).filter { attribute in
            !attribute.isOptional && !attribute.isTransient && attribute.derivation == nil
                && attribute.type != .composite
        }.sorted { $0.name < $1.name }
    }

    private func identifier(of entity: Entity) -> String {
        entity.name.prefix(1).lowercased() + entity.name.dropFirst()
    }

    private func words(_ attribute: Attribute) -> String {
        var words = [attribute.type.sourceName ?? "value", "required"]
        let isText = attribute.type == .string
        if let least = attribute.validation.minimum.map(limit) {
            words.append("at least \(least)\(isText ? " signs" : "")")
        }
        if let most = attribute.validation.maximum.map(limit) {
            words.append("at most \(most)\(isText ? " signs" : "")")
        }
        if let pattern = attribute.validation.regularExpression {
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

    /// A name as YAML has it: plain where nothing else could be meant.
    private func quoted(_ name: String) -> String {
        let words = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"]
        let isPlain =
            name.wholeMatch(of: /[A-Za-z_.\/][A-Za-z0-9_.\/ -]*[A-Za-z0-9_]|[A-Za-z_]/) != nil
        if isPlain, !words.contains(name.lowercased()) { return name }
        return "'\(name.replacingBytes(of: "'", with: "''").replacingBytes(of: "\n", with: " "))'"
    }
}
