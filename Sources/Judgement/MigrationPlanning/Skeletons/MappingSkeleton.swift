package import MappingInference
import ModelLanguage
package import ObjectModel

/// A mapping model for a step, with what a person still has to answer.
///
/// ```swift
/// let skeleton = MappingSkeleton(from: version7, to: version8)
/// for question in skeleton.questions { print(question.text) }
/// ```
///
/// What inference maps is mapped the same way. Where it refuses, or where rows would make it fail, the mapping calls a
/// method of a migration policy, which `policySource(of:language:)` writes as a stub.
package struct MappingSkeleton: Sendable, Hashable {
    /// Something that inference leaves open.
    package struct Question: Sendable, Hashable {
        /// The entity of the new version.
        package var entity: String
        /// The property of the new version that a policy's method gives a value; `nil` if none is meant.
        package var property: String?
        /// What is open, and what could be done.
        package var text: String
        /// The method of the policy that answers it; `nil` if no method can.
        package var method: PolicyMethod?
    }

    /// A method of a migration policy that a value expression calls.
    package struct PolicyMethod: Sendable, Hashable {
        /// The class of the policy, as Objective-C and the mapping model name it.
        package var className: String
        /// The selector, with the source object and the migration manager as arguments.
        package var selector: String
    }

    /// The mapping model, without the paths of its versions.
    package var mapping: MappingModelSource
    /// What is open, by entity and property.
    package var questions: [Question]

    /// Creates the skeleton for a step between two versions.
    package init(from old: ModelVersion, to new: ModelVersion, options: InferenceOptions = .init())
    {
        let inferred = inferMapping(from: old, to: new, options: options)
        var builder = SkeletonBuilder(old: old, new: new, inferred: inferred)
        builder.addEntities()
        mapping = MappingModelSource(entityMappings: builder.mappings)
        questions = builder.questions
    }
}

/// Builds the entity mappings of one step.
private struct SkeletonBuilder {
    typealias Property = MappingModelSource.PropertyMapping

    let old: ModelVersion
    let new: ModelVersion
    let inferred: InferredMapping
    let graph: ModelGraph
    let oldGraph: ModelGraph
    var mappings: [MappingModelSource.EntityMapping] = []
    var questions: [MappingSkeleton.Question] = []

    init(old: ModelVersion, new: ModelVersion, inferred: InferredMapping) {
        self.old = old
        self.new = new
        self.inferred = inferred
        graph = ModelGraph(new.model)
        oldGraph = ModelGraph(old.model)
    }

    /// Adds a mapping for each entity that can have objects; Xcode's editor makes none for an entity that goes.
    mutating func addEntities() {
        for mapping in inferred.entityMappings {
            guard let name = mapping.destinationEntity, let entity = graph.entity(name),
                !entity.isAbstract
            else { continue }
            add(mapping, to: entity)
        }
    }

    private mutating func add(_ mapping: EntityMapping, to entity: Entity) {
        var result = MappingModelSource.EntityMapping(
            sourceName: mapping.sourceEntity,
            destinationName: entity.name,
            number: mappings.count + 1
        )
        let asked = openQuestions(of: mapping, entity)
        let open = asked.filter { $0.method != nil }.compactMap(\.property)
        if let method = asked.compactMap(\.method).first {
            result.policyClassName = method.className
        }
        let properties = graph.properties(of: entity)
        let attributes = mapping.attributeMappings.filter(\.elementPath.isEmpty)
        for property in properties where !property.isTransient {
            if open.contains(property.name) {
                let value = call(asked.first { $0.property == property.name }?.method)
                let own = Property(name: property.name, valueExpression: value)
                append(own, property, to: &result)
            } else if property is Relationship {
                let known = mapping.relationshipMappings.first {
                    $0.destination.name == property.name
                }
                append(relationship(property.name, known, mapping), property, to: &result)
            } else if property is Attribute {
                let known = attributes.first { $0.destination.name == property.name }
                append(attribute(property.name, known, mapping), property, to: &result)
            }
        }
        result.attributes.sort { $0.name.utf16.lexicographicallyPrecedes($1.name.utf16) }
        result.relationships.sort { $0.name.utf16.lexicographicallyPrecedes($1.name.utf16) }
        result.userInfo = asked.enumerated().map { index, question in
            UserInfoEntry(key: "question \(index + 1)", value: question.text)
        }
        mappings.append(result)
        questions += asked
    }

    private func append(
        _ own: Property,
        _ property: any ObjectModel.Property,
        to mapping: inout MappingModelSource.EntityMapping
    ) {
        if property is Relationship {
            mapping.relationships.append(own)
        } else if property is Attribute {
            mapping.attributes.append(own)
        }
    }

    /// Without an expression the compiler takes the value of the same name.
    private func attribute(
        _ name: String,
        _ known: AttributeMapping?,
        _ mapping: EntityMapping
    ) -> Property {
        var property = Property(name: name)
        guard let known else { return property }
        let source = known.source.map { PredicateExpression.keyPath(.variable("source"), $0.name) }
        if let source, let replacement = known.nullReplacement.flatMap(constant) {
            let isNull = PredicateComparison(source, .equal, .constant(.null))
            property.valueExpression = .ternary(
                .comparison(isNull),
                .constant(replacement),
                source
            )
        } else if let origin = known.source, origin.name != name {
            property.valueExpression = source
        } else if known.source == nil, hasProperty(name, mapping) {
            // A value of the same name that is another one: without an expression the compiler would take it.
            property.valueExpression = .constant(known.fill.flatMap(constant) ?? .null)
        }
        return property
    }

    private func relationship(
        _ name: String,
        _ known: RelationshipMapping?,
        _ mapping: EntityMapping
    ) -> Property {
        var property = Property(name: name)
        guard let source = known?.source else {
            if hasProperty(name, mapping) { property.valueExpression = .constant(.null) }
            return property
        }
        guard source.name != name else { return property }
        let ends = mappingNames(ofDestination: source, mapping)
        if ends.count == 1 {
            property.sourceKeyPath = "$source.\(source.name)"
            property.sourceMappingName = ends[0]
        } else {
            property.valueExpression = .function(
                operand: .variable("manager"),
                selector: "destinationInstancesForSourceRelationshipNamed:sourceInstances:",
                arguments: [
                    .constant(.string(source.name)), .keyPath(.variable("source"), source.name),
                ]
            )
        }
        return property
    }

    /// The names of the mappings that the objects at the end of an old relationship may go through.
    private func mappingNames(
        ofDestination source: MappedProperty,
        _ mapping: EntityMapping
    ) -> [String] {
        guard let entity = mapping.sourceEntity.flatMap(oldGraph.entity),
            let end = oldGraph.relationship(source.name, of: entity)?.0.destinationEntity
        else { return [] }
        return inferred.entityMappings.compactMap { other in
            guard let name = other.sourceEntity, let entity = oldGraph.entity(name),
                let destination = other.destinationEntity,
                graph.entity(destination)?.isAbstract == false,
                oldGraph.lineage(of: entity).contains(where: { $0.name == end })
            else { return nil }
            return "\(name)To\(destination)"
        }
    }

    private func hasProperty(_ name: String, _ mapping: EntityMapping) -> Bool {
        mapping.sourceEntity.flatMap(oldGraph.entity)
            .map { oldGraph.property(name, of: $0) != nil } ?? false
    }

    private func constant(_ value: AttributeValue) -> PredicateExpression.Constant? {
        switch value {
        case .integer(let number): .integer(number)
        case .double(let number): .double(number)
        case .float(let number): .double(Double(number))
        case .string(let text): .string(text)
        case .boolean(let flag): .boolean(flag)
        case .date(let seconds): .date(seconds)
        case .decimal, .binary, .uuid, .uri: nil
        }
    }

    private func call(_ method: MappingSkeleton.PolicyMethod?) -> PredicateExpression? {
        method.map { method in
            .function(
                operand: .variable("entityPolicy"),
                selector: method.selector,
                arguments: [.variable("source"), .variable("manager")]
            )
        }
    }

    private func openQuestions(
        of mapping: EntityMapping,
        _ entity: Entity
    ) -> [MappingSkeleton.Question] {
        var found: [MappingSkeleton.Question] = []
        let lineage = Set(graph.lineage(of: entity).map(\.name))
        for refusal in inferred.refusals where refusal.entity.map(lineage.contains) == true {
            let text = "\(refusal.reason); \(refusal.cure)"
            found.append(question(entity, refusal.property, text, canAnswer: true))
        }
        for risk in inferred.risks
        where risk.isFatal && risk.destinationEntity == entity.name {
            let (text, canAnswer) = words(for: risk)
            found.append(question(entity, risk.destination?.name, text, canAnswer: canAnswer))
        }
        found += compositeQuestions(mapping, entity)
        var known: Set<String> = []
        return found.filter { known.insert($0.property ?? $0.text).inserted }
    }

    /// Elements of a composite attribute have no mappings of their own in a mapping model.
    private func compositeQuestions(
        _ mapping: EntityMapping,
        _ entity: Entity
    ) -> [MappingSkeleton.Question] {
        let changed = mapping.attributeMappings.filter {
            !$0.elementPath.isEmpty && mapping.kind == .transform
                && ($0.source?.name != $0.destination.name || $0.sourceElementPath != $0.elementPath
                    || $0.conversion != .none)
        }
        return Set(changed.map(\.destination.name)).sorted().map {
            question(entity, $0, "elements of the composite attribute changed", canAnswer: true)
        }
    }

    private func question(
        _ entity: Entity,
        _ property: String?,
        _ text: String,
        canAnswer: Bool
    ) -> MappingSkeleton.Question {
        let name = [entity.name, property].compactMap(\.self).joined(separator: ".")
        let method = property.map {
            MappingSkeleton.PolicyMethod(
                className: policyName(of: entity),
                selector: "\($0)From:manager:"
            )
        }
        return MappingSkeleton.Question(
            entity: entity.name,
            property: property,
            text: "\(name): \(text)",
            method: canAnswer ? method : nil
        )
    }

    private func policyName(of entity: Entity) -> String {
        let name = "\(entity.name)\(old.name)To\(new.name)Policy"
        let allowed = name.unicodeScalars.map { scalar in
            scalar.isASCII
                && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
                ? Character(scalar) : "_"
        }
        return String(allowed)
    }

    private func words(for risk: RowRisk) -> (text: String, canAnswer: Bool) {
        switch risk {
        case .mandatoryWithoutDefault:
            ("the new attribute is mandatory and has no default; give each object a value", true)
        case .nullInMandatoryAttribute, .nullInMandatoryRelationship:
            ("it became mandatory; give objects without a value one", true)
        case .newUniquenessConstraint:
            ("a uniqueness constraint is new; leave only one object of each key", false)
        case .becomesAbstract:
            ("the entity became abstract; its objects need another one", false)
        case .destinationsOutOfReach:
            ("the destination became another entity; some objects may lose their only one", true)
        default: ("rows decide whether the step succeeds", false)
        }
    }
}
