package import Diagnostics
package import ObjectModel

extension RuleID {
    static let insecureTransformer: RuleID = "insecure-transformer"
    package static let missingInverse: RuleID = "missing-inverse"
    package static let transientInverse: RuleID = "transient-inverse"
    package static let noActionDeleteRule: RuleID = "no-action-delete-rule"
    package static let tooManyProperties: RuleID = "too-many-properties"
    static let mandatoryWithoutDefault: RuleID = "cloudkit-mandatory-attribute"

    /// The number that Apple's compiler prints after a message; 0 where no public log shows it.
    package var compilerNumber: Int {
        switch self {
        case .insecureTransformer: 2
        case .mandatoryWithoutDefault: 8
        default: 0
        }
    }
}

/// Finds what Apple's compiler reports, entity by entity in source order (CompiledModels, "Compiler messages").
///
/// The texts are Apple's, except those about delete rules, too many properties, transient inverses and SwiftData, which
/// no public log has.
package func compilerFindings(in model: ManagedObjectModel) -> [Diagnostic] {
    let graph = ModelGraph(model)
    let mirrored = mirroredEntities(of: model)
    return model.entities.flatMap { entity in
        propertyCount(of: entity) + swiftDataFindings(in: entity, of: model)
            + entity.attributes.flatMap { attribute in
                findings(in: attribute, of: entity, isMirrored: mirrored.contains(entity.name))
            } + entity.relationships.flatMap { findings(in: $0, of: entity, graph) }
    }
}

private func mirroredEntities(of model: ManagedObjectModel) -> Set<String> {
    if model.isSet("usedWithCloudKit") { return Set(model.entities.map(\.name)) }
    let configurations = model.configurations.filter(\.isUsedWithCloudKit)
    return Set(configurations.flatMap(\.memberEntities))
}

extension ManagedObjectModel {
    fileprivate func isSet(_ setting: String) -> Bool {
        documentSettings[setting].map(["YES", "true", "1"].contains) == true
    }
}

/// Finds what SwiftData lacks in an entity of a model that is marked as used with it.
package func swiftDataFindings(in entity: Entity, of model: ManagedObjectModel) -> [Diagnostic] {
    guard model.isSet("usedWithSwiftData") else { return [] }
    func finding(_ words: String, at source: SourceMark) -> Diagnostic {
        Diagnostic(
            "swiftdata-unsupported",
            "\(entity.name) \(words)",
            severity: .warning,
            at: source.element,
            element: entity.name
        )
    }
    let parent = entity.parentEntity.map {
        finding("inherits from \($0), which SwiftData supports since iOS 26", at: entity.source)
    }
    let abstract = finding("is abstract, which SwiftData does not support", at: entity.source)
    let compound = entity.uniquenessConstraints.filter { $0.properties.count > 1 }.map {
        let names = $0.properties.joined(separator: ", ")
        return finding(
            "is unique by \(names), which SwiftData supports since iOS 18",
            at: $0.source
        )
    }
    return (entity.isAbstract ? [abstract] : []) + (parent.map { [$0] } ?? []) + compound
}

private func propertyCount(of entity: Entity) -> [Diagnostic] {
    let count = entity.attributes.count + entity.relationships.count
    guard count > 100 else { return [] }
    let text = "\(entity.name) has more than 100 properties; consider a more normalized data model"
    return [Diagnostic(.tooManyProperties, text, severity: .warning, element: entity.name)]
}

private func findings(
    in attribute: Attribute,
    of entity: Entity,
    isMirrored: Bool
) -> [Diagnostic] {
    let element = "\(entity.name).\(attribute.name)"
    var findings: [Diagnostic] = []
    if attribute.type == .transformable, !attribute.hasSecureTransformer {
        let text =
            "\(element) is using a nil or insecure value transformer. Please switch to "
            + "NSSecureUnarchiveFromDataTransformerName or a custom NSValueTransformer subclass of "
            + "NSSecureUnarchiveFromDataTransformer"
        findings.append(
            Diagnostic(.insecureTransformer, text, severity: .warning, element: element)
        )
    }
    let needsDefault =
        !attribute.isOptional && !attribute.isTransient && attribute.derivation == nil
        && attribute.defaultValue == nil && attribute.type != .composite
    if isMirrored, needsDefault {
        findings.report(
            .mandatoryWithoutDefault,
            "\(element) must have a default value",
            element: element
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
) -> [Diagnostic] {
    let element = "\(entity.name).\(relationship.name)"
    func finding(_ rule: RuleID, _ text: String, _ severity: Severity = .warning) -> Diagnostic {
        Diagnostic(rule, text, severity: severity, element: element)
    }
    var findings: [Diagnostic] = []
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
        findings.append(finding(.noActionDeleteRule, text))
    }
    return findings
}
