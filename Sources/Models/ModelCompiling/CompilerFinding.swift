package import Diagnostics
package import ObjectModel

/// Something that Apple's compiler says about a model that compiles nevertheless, or that it refuses.
package struct CompilerFinding: Sendable, Hashable {
    /// What was found; some kinds can be switched off.
    package enum Kind: Sendable, Hashable, CaseIterable {
        /// A transformable attribute without a secure value transformer.
        case insecureTransformer
        /// A relationship without an inverse.
        case missingInverse
        /// A relationship whose inverse is transient while it is stored itself.
        case transientInverse
        /// A relationship that leaves references to deleted objects behind.
        case deleteRule
        /// An entity with very many properties.
        case propertyCount
        /// A required attribute without a default value in a model that is used with CloudKit.
        case missingDefault
    }

    /// What was found.
    package var kind: Kind
    /// The entity or property, as `Person` or `Person.name`.
    package var element: String
    /// Apple's text; that of `deleteRule`, `propertyCount` and `transientInverse` is in no public log that
    /// is known, and is ours.
    package var text: String
    /// Apple's number, 0 where no public log shows it.
    package var number: Int
    /// Whether the model is refused.
    package var severity: Severity
}

/// Finds what Apple's compiler finds in a model (CompiledModels, "Compiler messages").
///
/// - Parameter model: the model, read without errors.
/// - Returns: the findings, entity by entity in source order.
package func compilerFindings(in model: ManagedObjectModel) -> [CompilerFinding] {
    let graph = ModelGraph(model)
    let mirrored = mirroredEntities(of: model)
    return model.entities.flatMap { entity in
        propertyCount(of: entity)
            + entity.attributes.flatMap { attribute in
                findings(in: attribute, of: entity, isMirrored: mirrored.contains(entity.name))
            } + entity.relationships.flatMap { findings(in: $0, of: entity, graph) }
    }
}

/// Returns the names of the entities that CloudKit mirrors.
private func mirroredEntities(of model: ManagedObjectModel) -> Set<String> {
    if model.documentSettings["usedWithCloudKit"].map(["YES", "true", "1"].contains) == true {
        return Set(model.entities.map(\.name))
    }
    let configurations = model.configurations.filter(\.isUsedWithCloudKit)
    return Set(configurations.flatMap(\.memberEntities))
}

private func propertyCount(of entity: Entity) -> [CompilerFinding] {
    let count = entity.attributes.count + entity.relationships.count
    guard count > 100 else { return [] }
    let text = "\(entity.name) has more than 100 properties; consider a more normalized data model"
    return [
        CompilerFinding(
            kind: .propertyCount,
            element: entity.name,
            text: text,
            number: 0,
            severity: .warning
        )
    ]
}

private func findings(
    in attribute: Attribute,
    of entity: Entity,
    isMirrored: Bool
) -> [CompilerFinding] {
    let element = "\(entity.name).\(attribute.name)"
    var findings: [CompilerFinding] = []
    if attribute.type == .transformable, !attribute.hasSecureTransformer {
        let text =
            "\(element) is using a nil or insecure value transformer. Please switch to "
            + "NSSecureUnarchiveFromDataTransformerName or a custom NSValueTransformer subclass of "
            + "NSSecureUnarchiveFromDataTransformer"
        findings.append(
            CompilerFinding(
                kind: .insecureTransformer,
                element: element,
                text: text,
                number: 2,
                severity: .warning
            )
        )
    }
    let needsDefault =
        !attribute.isOptional && !attribute.isTransient && attribute.derivation == nil
        && attribute.defaultValue == nil && attribute.type != .composite
    if isMirrored, needsDefault {
        findings.append(
            CompilerFinding(
                kind: .missingDefault,
                element: element,
                text: "\(element) must have a default value",
                number: 8,
                severity: .error
            )
        )
    }
    return findings
}

extension Attribute {
    fileprivate var hasSecureTransformer: Bool {
        let insecure = ["", "NSKeyedUnarchiveFromData", "NSKeyedUnarchiveFromDataTransformerName"]
        return valueTransformerName.map { !insecure.contains($0) } ?? false
    }
}

private func findings(
    in relationship: Relationship,
    of entity: Entity,
    _ graph: ModelGraph
) -> [CompilerFinding] {
    let element = "\(entity.name).\(relationship.name)"
    func finding(
        _ kind: CompilerFinding.Kind,
        _ text: String,
        _ severity: Severity = .warning
    ) -> CompilerFinding {
        CompilerFinding(kind: kind, element: element, text: text, number: 0, severity: severity)
    }
    var findings: [CompilerFinding] = []
    if relationship.inverseName == nil {
        findings.append(
            finding(
                .missingInverse,
                "\(element) does not have an inverse; this is an advanced setting "
                    + "(no object can be in multiple destinations for a specific relationship)"
            )
        )
    } else if !relationship.isTransient, graph.inverse(of: relationship)?.0.isTransient == true {
        let text = "\(element) has a transient inverse, but is not transient itself"
        findings.append(finding(.transientInverse, text, .error))
    }
    if relationship.deleteRule == .noAction {
        let text =
            "\(element) has No Action delete rule and may result in relationships to deleted objects"
        findings.append(finding(.deleteRule, text))
    }
    return findings
}
