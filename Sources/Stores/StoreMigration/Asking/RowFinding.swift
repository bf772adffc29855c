package import Diagnostics
import Essentials
package import MappingInference
package import MigrationPlanning
import ObjectModel

/// What the rows of a store show about a risk: they prevent a migration, or would lose something.
package struct RowFinding: Sendable, Hashable {
    package var risk: RowRisk
    package var count: Int
    package var examples: [Int64]
    /// What is at stake by all its names, such as `Book.notes`; the first one is shown.
    package var names: [String]
    /// Whether Core Data has a value for the rows, of code that does not run here.
    private let isMetByCode: Bool
    /// The index of the step that meets it; `nil` before the first one, and on a route of one step.
    package var step: Int?
    /// Whether the configuration or the lock allows the loss.
    fileprivate var isAllowed = false

    init(_ question: RowQuestion, count: Int, examples: [Int64]) {
        risk = question.risk
        isMetByCode = question.isMetByCode
        (self.count, self.examples) = (count, examples)
        var known: Set<String> = []
        names = (risk.names + question.otherNames).filter { known.insert($0).inserted }
    }

    /// What is at stake, such as `Notice` or `Book.notes`, named as in the old version.
    package var name: String { names.first ?? "" }

    /// Whether data is lost when the migration continues; otherwise it prevents the migration.
    package var isLoss: Bool { !risk.isFatal }

    package var failsInCoreData: Bool { risk.isFatal && !isMetByCode }

    package var amount: String { count.counted(risk.unit.name) }

    /// Whether Core Data computes the values of a derived attribute when it saves: nothing that was there is lost.
    package var isComputedLater: Bool {
        if case .derivationNotComputed = risk.kind { true } else { false }
    }

    /// Whether somebody wrote that it shall go, or nothing goes: it is reported, and needs no agreement.
    package var isMeant: Bool { risk.kind == .objectsLeftOut(by: .stage) || isComputedLater }

    /// Whether nobody has to be asked about it.
    package var isNamed: Bool { isMeant || isAllowed }

    package func isAccepted(by agreement: LossAgreement) -> Bool {
        isMeant || isLoss && agreement.covers(names)
    }
}

extension [RowFinding] {
    package func allowed(by agreement: LossAgreement) -> [RowFinding] {
        map { finding in
            var finding = finding
            finding.isAllowed = finding.isLoss && agreement.covers(finding.names)
            return finding
        }
    }
}

extension RowFinding: CustomStringConvertible {
    package var description: String { wording.text(in: .code) }

    /// The finding as a sentence, with Core Data's error code where it fails, and with what would accept a loss.
    package var wording: Wording {
        let diagnostic = diagnostic
        return ([diagnostic.wording] + diagnostic.advice.map { Wording(.advice($0)) })
            .joined(separator: "; ")
    }

    /// Whether it loses, without permission, what the new version may have by another name.
    package var mayBeRename: Bool {
        let kinds: [RowRisk.Kind] = [
            .removedEntity, .removedAttribute(.removed), .removedAttribute(.removedWithFiles),
            .removedRelationship,
        ]
        return isLoss && !isNamed && kinds.contains(risk.kind)
    }

    /// The finding as a sentence without what would accept a loss.
    package var unnamedWording: Wording { diagnostic.wording }

    /// The finding as a diagnostic: an error where Core Data would fail, a warning with advice where something is lost.
    package var diagnostic: Diagnostic {
        let whose: Wording = isAllowed ? " (allowed in .momtool.yml or the lock)" : ""
        var diagnostic = diagnostic(.atStake, saying: reason + whose)
        diagnostic.advice = isLoss && !isNamed ? [.allowLoss(name)] : []
        return diagnostic
    }

    /// The finding as a diagnostic of an allowed loss, after the migration.
    package var lostDiagnostic: Diagnostic { diagnostic(.lost, saying: risk.reason(isDone: true)) }

    private func diagnostic(
        _ stake: Diagnostic.AffectedRows.Stake,
        saying reason: Wording
    ) -> Diagnostic {
        var diagnostic = Diagnostic(
            "rows-at-stake",
            saying: reason,
            severity: isComputedLater ? .note : isLoss ? .warning : .error,
            entity: name,
            rows: Diagnostic.AffectedRows(
                count: count,
                unit: risk.unit.name,
                keys: examples,
                stake: isComputedLater ? nil : stake
            )
        )
        diagnostic.loss = isLoss && !isComputedLater ? name : nil
        return diagnostic
    }

    /// What is wrong with the rows, and what to do about it; lower case, no final period.
    package var reason: Wording {
        isMetByCode
            ? "the default in Swift is code that momtool cannot run, so these rows would get no value; write a literal, or migrate with the app"
            : risk.reason(isDone: false)
    }
}

extension RowRisk {
    /// What is wrong with the rows; lower case, no final period.
    ///
    /// `isDone` says that the loss has happened.
    fileprivate func reason(isDone: Bool) -> Wording {
        let (are, become) = isDone ? ("are", "become") : ("would be", "would become")
        return switch kind {
        case .toManyBecomesToOne:
            "\(place) becomes to-one: each object keeps its first link; the others \(are) lost"
        case .sharedDestination:
            "\(place): where several links lead to one object, or the two sides disagree, one is kept; "
                + "the others \(are) lost"
        case .destinationsOutOfReach(_, let isMandatory):
            "\(place): links to objects outside its new destination "
                + (isMandatory
                    ? "would leave a mandatory relationship empty, and \(Self.doubt); move them first"
                    : "\(are) lost")
        case .narrowingConversion:
            "values that do not fit the new type of \(place) \(become) the nearest that fits"
        case .expressionLoss(let loss): "\(place): \(loss.reason(are))"
        case .mergedObjects: "objects with the same keys become one \(place)"
        case .derivationNotComputed(let reason):
            "momtool does not compute \(place), because \(reason); Core Data does when it saves the object"
        case .orderLostInManyToMany, .orderLost:
            "the order of \(place) \(isDone ? "is" : "would be") lost; the links stay"
        case .tooManyLinks(let most):
            "\(place) may now lead to at most \(most.counted("object")); the links "
                + "stay, but Core Data refuses to save objects with more"
        default: removal
        }
    }

    /// The entity or property of the new version.
    private var place: String {
        [destinationEntity ?? sourceEntity, destination?.name].compactMap(\.self)
            .joined(separator: ".")
    }

    private var removal: Wording {
        switch kind {
        case .removedEntity: "the entity is dropped with its objects"
        case .objectsLeftOut(by: .condition):
            "no mapping includes these objects, so they are dropped"
        case .objectsLeftOut(by: .mapping):
            "the entity stays, but no mapping takes its objects, so they are dropped"
        case .objectsLeftOut(by: .stage): "the stage deletes these objects"
        case .objectsLeftOut(by: .code):
            "the policy's code creates nothing from these objects, so they are dropped"
        case .removedAttribute(.removed): "the attribute is dropped with its values"
        case .removedAttribute(.removedWithFiles):
            "the attribute is dropped with its values; their files beside the store stay but "
                + "are no longer used"
        case .removedAttribute(.transient):
            "the attribute becomes transient, and its values are dropped"
        case .removedAttribute(.derived):
            "the attribute becomes derived, and its values are computed again"
        case .removedRelationship: "the relationship is dropped with its links"
        case .linksToRemovedObjects: "the new version has no relationship for these links"
        case .rowsOfNoEntity:
            "the store is damaged: no entity of its model has the number (Z_ENT) of these rows, so they are dropped"
        case .recordsOfRemovedObjects(let table, let isWholeEntity):
            Self.reason(forRecordsIn: table, isWholeEntity)
        case .missingExternalFile: "the files that hold the values are missing beside the store"
        case .foreignObject(.column, let name, let table, let reason):
            "the column \(name) of \(table), which is not Core Data's, is dropped: \(reason)"
        case .foreignObject(.table, _, let table, let reason):
            "the table \(table) is dropped: \(reason)"
        case .foreignObject(let kind, let name, let table, let reason):
            "the \(kind.rawValue) \(name) on \(table) is dropped: \(reason)"
        default: fatalReason
        }
    }

    private static func reason(forRecordsIn table: String, _ isWholeEntity: Bool) -> Wording {
        let isHistory = table == "ACHANGE"
        guard isWholeEntity else {
            return
                (isHistory
                ? "these records in persistent history"
                : "these records of CloudKit mirroring in \(table)")
                + " belong to objects that leave the entity, and are dropped"
        }
        return isHistory
            ? "the entity is dropped with its records in persistent history"
            : "the entity is dropped with the records of CloudKit mirroring in \(table)"
    }

    /// The words for a refusal that no record shows.
    private static let doubt = "momtool cannot tell what Core Data does"

    /// Why Core Data fails, or how the store is damaged.
    private var fatalReason: Wording {
        let entity = destinationEntity ?? sourceEntity
        let property = destination?.name ?? ""
        switch kind {
        case .mandatoryWithoutDefault:
            let name = ([property] + elementPath).joined(separator: ".")
            let advice =
                elementPath.isEmpty
                ? "give it a default value, in Swift sources a literal, or make it optional"
                : "make it optional; defaults in a Swift struct do not count"
            return
                "rows have no value for the mandatory attribute '\(name)': Core Data refuses (134110 "
                + "NSMigrationError, missing attribute values on mandatory destination attribute); \(advice)"
        case .nullInMandatoryAttribute:
            return
                "rows have NULL in the mandatory attribute '\(property)': Core Data refuses (134110 "
                + "NSMigrationError, missing attribute values on mandatory destination attribute); give it a default "
                + "value or fill the NULLs first"
        case .nullInMandatoryRelationship where source == nil:
            return
                "existing rows have no destination for the mandatory relationship '\(property)': Core Data refuses "
                + "(134110 NSMigrationError); make it optional, or fill it in a custom stage"
        case .nullInMandatoryRelationship:
            return "\(place) is mandatory and empty: after a mapping model Core Data's "
                + "validation refuses it (1570 NSValidationMissingMandatoryPropertyError), and without one "
                + "\(Self.doubt); fill the NULLs first"
        case .newUniquenessConstraint(let properties):
            let names = properties.map(\.destination.name).joined(separator: ", ")
            return
                "\(entity) must be unique by \(names), but rows have equal values: Core Data refuses "
                + "(134110 NSMigrationError, constraint violation during attempted migration); remove the duplicates first"
        case .becomesAbstract:
            return "\(entity) becomes abstract and must not keep rows of its own; \(Self.doubt); "
                + "move them to a sub-entity first"
        case .wrongEntityNumbers:
            return """
                the store is damaged: the entity numbers of these links differ from their destinations; \
                \(.repair) writes them again
                """
        case .noKeysLeft(let root):
            return
                "the store is damaged: Z_MAX of '\(root)' leaves no keys for new objects; \(.repair) lowers it"
        case .valuesOfOtherType(isExternal: true):
            return
                "the store is damaged: the values do not say whether they are in a file beside it; set others in the app"
        default:
            return
                "the store is damaged: the values are not numbers; \(.repair) gives them the old type"
        }
    }
}

extension RowRisk.ExpressionLoss {
    /// What happens to the values; lower case, no final period.
    ///
    /// `are` is the verb: `are` or `would be`.
    fileprivate func reason(_ are: String) -> String {
        switch self {
        case .misfit(let type):
            "the result of its expression does not fit into \(type.name): numbers become the nearest that does, "
                + "anything else becomes nil"
        case .cast(let type):
            "what its expression casts does not fit into \(type.name): numbers become the nearest that "
                + "does, anything else becomes nil"
        case .noMandatoryValue:
            "its expression gives nil, but the attribute is mandatory (1570 "
                + "NSValidationMissingMandatoryPropertyError); give another value with coalesce"
        case .divisionByZero: "its expression divides by zero, which gives nil"
        case .severalFound(let entity):
            "find matches several objects of \(entity), and the first is taken"
        case .noRoom: "their destination keeps only one link, and it is another one"
        case .missingFile:
            "the files that hold the values are missing beside the store, or damaged values name none"
        case .merged: "objects with the same keys become one, and their other values \(are) lost"
        }
    }
}

extension AttributeType { fileprivate var name: String { sourceName ?? "the type" } }
