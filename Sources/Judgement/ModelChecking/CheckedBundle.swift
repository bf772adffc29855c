import Diagnostics
import MappingInference
import MigrationPlanning
import ModelDiffing
package import ObjectModel

extension ModelVersion {
    /// The location of a finding about the whole version: its first element, or its file.
    var elementLocation: FileLocation { model.source.element ?? FileLocation(path: path) }
}

struct CheckedModel {
    let version: ModelVersion
    let graph: ModelGraph
    let properties: [[CheckedProperty]]

    init(_ version: ModelVersion) {
        self.version = version
        graph = ModelGraph(version.model)
        properties = version.model.entities.map(CheckedProperty.all(of:))
    }

    var model: ManagedObjectModel { version.model }
    var entities: [Entity] { version.model.entities }

    func each<Checked: Property>(
        _ properties: KeyPath<Entity, [Checked]>,
        of entities: [Entity]? = nil,
        _ check: (Checked, Entity) -> Violation?
    ) -> [Violation] {
        (entities ?? self.entities).flatMap { entity in
            entity[keyPath: properties].compactMap { property in
                check(property, entity)?
                    .placed(at: property.source, "\(entity.name).\(property.name)")
            }
        }
    }

    func eachProperty(_ check: (CheckedProperty) -> Violation?) -> [Violation] {
        zip(entities, properties).flatMap { entity, properties in
            properties.compactMap { property in
                check(property)?.placed(at: property.source, "\(entity.name).\(property.name)")
            }
        }
    }

    var cloudKitEntities: [Entity] { model.cloudKitEntities }
}

/// What rules need of a property of any kind.
///
/// Properties in boxes take far longer to make than most rules to check them.
struct CheckedProperty {
    let name: String
    let isTransient: Bool
    let renamingIdentifier: String?
    let userInfo: [UserInfoEntry]
    let source: SourceMark

    private init(_ property: borrowing some Property) {
        name = property.name
        isTransient = property.isTransient
        renamingIdentifier = property.renamingIdentifier
        userInfo = property.userInfo
        source = property.source
    }

    /// The key for matching versions: the renaming identifier, or the name.
    var matchingIdentifier: String { renamingIdentifier ?? name }

    static func all(of entity: Entity) -> [CheckedProperty] {
        var properties: [CheckedProperty] = []
        properties.reserveCapacity(entity.propertyCount)
        for index in entity.attributes.indices {
            properties.append(.init(entity.attributes[index]))
        }
        for index in entity.relationships.indices {
            properties.append(.init(entity.relationships[index]))
        }
        properties += entity.fetchedProperties.map { CheckedProperty($0) }
        return properties
    }
}

struct CheckedStep {
    let from: ModelVersion
    let to: ModelVersion
    let diff: ModelDiff
    let mapping: InferredMapping
    /// The unnamed losses and requirements for rows of the step.
    let losses: [StepLoss]
    /// The severity of an unnamed loss: nothing can be done about one that shipped.
    let lossSeverity: Severity
    let matching: ModelMatching
    let ledger: LossLedger
    /// Whether a rule reports renaming identifiers in a spelling without effect.
    var judgesSpelling = true
    /// The properties that are not understood on one side: whether they are lost is unknown.
    private let unknown: Set<String>

    func loss(of finding: Finding) -> StepLoss? {
        losses.first { $0.name == finding.diagnostic.loss }
    }

    init(from: ModelVersion, to: ModelVersion, ledger: LossLedger, lossSeverity: Severity) {
        (self.from, self.to, self.lossSeverity, self.ledger) = (from, to, lossSeverity, ledger)
        let step = InferredStep.between(from, to)
        (matching, diff, mapping) = (step.matching, step.diff, step.mapping)
        let unknown = from.propertiesWithGaps.union(to.propertiesWithGaps)
        self.unknown = unknown
        losses = ledger.unnamed(step.losses, into: to.name)
            .filter { !$0.names.contains(where: unknown.contains) }
    }

    var earlier: ArraySlice<ModelVersion> { ledger.versions.prefix { $0.name != from.name } }

    func isUnknown(_ finding: Finding) -> Bool {
        [finding.diagnostic.loss, finding.diagnostic.element].contains { name in
            name.map(unknown.contains) ?? false
        }
    }

    /// The old names in identifiers with a spelling that Apple's compiler does not read, which has a rule of its own.
    var misspelledNames: Set<String> {
        let setting = "renamingIdentifier"
        var names: Set<String> = []
        for entity in to.model.entities {
            let own = entity.sourceSettings[setting]
            let old = matching.sourceName(ofDestination: entity.name) ?? own ?? entity.name
            if let own { names.insert(own) }
            let settings =
                entity.attributes.map(\.sourceSettings) + entity.relationships.map(\.sourceSettings)
            names.formUnion(settings.compactMap { $0[setting].map { "\(old).\($0)" } })
        }
        return names
    }

    /// Whether the old name of a suspected rename is in no version before the old one.
    func bringsAlone(_ suspicion: RenameSuspicion) -> Bool {
        guard let before = earlier.last?.model.entities else { return false }
        guard let entity = suspicion.entity else {
            return !before.contains { $0.name == suspicion.from }
        }
        let name = matching.sourceName(ofDestination: entity) ?? entity
        return !before.contains { owner in
            owner.name == name && owner.properties.contains { $0.name == suspicion.from }
        }
    }

    /// The other losses that end where a suspected rename is declared: missing defaults, links to a renamed entity.
    func losses(explainedBy suspicion: RenameSuspicion) -> [String] {
        guard let entity = suspicion.entity else {
            let links = to.model.entities.flatMap { owner in
                owner.relationships.filter { $0.destinationEntity == suspicion.to }
                    .map { "\(owner.name).\($0.name)" }
            }
            return losses.filter { loss in
                guard case .destinationsOutOfReach = loss.risk.kind else { return false }
                return loss.names.contains(where: links.contains)
            }.map(\.name)
        }
        let name = "\(entity).\(suspicion.to)"
        return suspicion.isFromMandatory
            ? losses.filter { $0.kind == .required && $0.name == name }.map(\.name) : []
    }

    /// The loss that a suspicion would explain; `nil` when it was named, or nothing is lost.
    func loss(behind suspicion: RenameSuspicion) -> StepLoss? {
        let entity = suspicion.entity.map { matching.sourceName(ofDestination: $0) ?? $0 }
        let name = entity.map { "\($0).\(suspicion.from)" } ?? suspicion.from
        return losses.first { $0.kind == .dropped && $0.names.contains(name) }
    }
}

struct CheckedBundle {
    let path: String
    let versions: [ModelVersion]
    let locked: Set<String>
    /// Whether the code of the app mirrors its container, whatever the model says.
    var isMirroredByApp = false
    var statedOrder: [String] = []

    var current: ModelVersion? { versions.first(where: \.isCurrent) ?? versions.last }

    /// Whether a version has shipped and is no longer edited: by the lock; without one, all but the current version and
    /// those with newer names.
    func isFrozen(_ version: ModelVersion) -> Bool {
        guard locked.isEmpty else { return locked.contains(version.name) }
        guard let current, version.name != current.name else { return false }
        let isBefore = versions.prefix { $0.name != current.name }
            .contains { $0.name == version.name }
        return isBefore || !tellsOrder(of: version, and: current)
    }

    /// Whether it is known which of two versions is older: by statement, Swift sources, or the numbers in names.
    func tellsOrder(of one: ModelVersion, and two: ModelVersion) -> Bool {
        if statedOrder.contains(one.name), statedOrder.contains(two.name) { return true }
        let file = path.split(separator: "/").last ?? ""
        let name = file.split(separator: ".").dropLast().joined(separator: ".")
        return one.path.hasSuffix(".swift")
            || VersionOrder(bundleName: name).isKnown(between: one.name, and: two.name)
    }
}

extension CheckedModel {
    func forEach(
        with setting: String,
        _ check: (_ name: String, _ source: SourceMark, _ element: String) -> Violation?
    ) -> [Violation] {
        var violations: [Violation?] = []
        for entity in entities {
            let (attributes, relationships) = (entity.attributes, entity.relationships)
            if entity.sourceSettings[setting] != nil {
                violations.append(check(entity.name, entity.source, entity.name))
            }
            for index in attributes.indices where attributes[index].sourceSettings[setting] != nil {
                let name = attributes[index].name
                violations.append(check(name, attributes[index].source, "\(entity.name).\(name)"))
            }
            for relationship in relationships where relationship.sourceSettings[setting] != nil {
                let element = "\(entity.name).\(relationship.name)"
                violations.append(check(relationship.name, relationship.source, element))
            }
        }
        return violations.compactMap(\.self)
    }

    func forEachIdentified(
        _ check: (
            _ name: String, _ identifier: String, _ source: SourceMark, _ element: String
        ) -> Violation?
    ) -> [Violation] {
        zip(entities, properties).flatMap { entity, list in
            let own = entity.renamingIdentifier.flatMap {
                check(entity.name, $0, entity.source, entity.name)
            }
            let properties = list.compactMap { property in
                property.renamingIdentifier.flatMap {
                    check(property.name, $0, property.source, "\(entity.name).\(property.name)")
                }
            }
            return [own].compactMap(\.self) + properties
        }
    }
}

extension SourceMark {
    /// Whether the element has an attribute; only a file with locations can tell.
    func has(_ attribute: String) -> Bool {
        guard let element, let place = Optional(location(of: attribute)) else { return false }
        return place != element
    }
}

extension CheckedStep {
    /// The changes in continued entities that affect no version hash, so that Core Data does not see them.
    var silentChanges: [ModelChange] {
        let moved = Set(diff.movedEntities)
        return diff.changes.filter { change in
            guard !change.movesVersionHash, let entity = change.subject.entity else { return false }
            return !moved.contains(entity)
        }
    }
}

extension ModelChange {
    var isIndexChange: Bool {
        switch self {
        case .entityChanged(_, .fetchIndexAdded), .entityChanged(_, .fetchIndexRemoved),
            .entityChanged(_, .fetchIndex), .entityChanged(_, .compoundIndexes),
            .attributeChanged(_, .flag(.indexed, _, _)),
            .relationshipChanged(_, .flag(.indexed, _, _)):
            true
        default: false
        }
    }
}

extension AttributeValue {
    var magnitude: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value): value
        case .float(let value): Double(value)
        case .date(let value): value
        case .decimal(let value):
            Double("\(value.isNegative ? "-" : "")\(value.mantissa)e\(value.exponent)")
        case .string, .boolean, .binary, .uuid, .uri: nil
        }
    }
}

package func settled(
    _ findings: [Finding],
    _ versions: [ModelVersion],
    _ options: CheckOptions
) -> [Finding] {
    let kept = heeded(findings, versions, options).withoutExplained
    let places = kept.map { sortingPlace(of: $0, versions) }
    return kept.indices.sorted { left, right in
        places[left] == places[right] ? left < right : places[left] < places[right]
    }.map { kept[$0] }
}

package func heeded(
    _ findings: [Finding],
    _ versions: [ModelVersion],
    _ options: CheckOptions
) -> [Finding] {
    let ignored = IgnoredRules(versions)
    return findings.compactMap { finding -> Finding? in
        var finding = finding
        switch options.settings[finding.diagnostic.rule] {
        case .off: return nil
        case .severity(let severity): finding.diagnostic.severity = severity
        case nil: break
        }
        guard !ignored.contains(finding),
            !options.suppressions.contains(where: { $0.covers(finding) })
        else { return nil }
        return finding
    }
}

/// The location for sorting: versions are in their order, 9.0 before 12.0, not by the letters of their folders.
private func sortingPlace(of finding: Finding, _ versions: [ModelVersion]) -> FileLocation {
    guard var place = finding.diagnostic.location else { return FileLocation(path: "") }
    let index = versions.firstIndex { place.path == $0.path || place.path.hasPrefix($0.path + "/") }
    guard let index, let slash = versions[index].path.lastIndex(of: "/") else { return place }
    let path = versions[index].path
    let digits = String(index)
    place.path =
        path[...slash] + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
        + place.path.dropFirst(path.count)
    return place
}
