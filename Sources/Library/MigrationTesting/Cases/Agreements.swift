import MappingInference
import MigrationPlanning
import ObjectModel

/// What migrations to one version may lose, worked out once for all versions.
struct Agreements: Sendable {
    private let always: LossAgreement
    private let known: [String: LossAgreement]

    init(_ ledger: LossLedger, to target: ModelVersion) {
        always = ledger.always
        known = Dictionary(
            zip(ledger.versions.map(\.name), ledger.agreements(to: target)).map { ($0, $1) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// What a migration from a version may lose.
    func agreement(from version: ModelVersion) -> LossAgreement { known[version.name] ?? always }
}

/// The rows that no store has, as somebody said: those without a value that becomes mandatory.
package struct RowsLeftOut: Sendable, Hashable {
    /// Attributes of the old version that have a value in every row, such as `Stop.label`.
    var filled: Set<String> = []
    /// Entities of the old version without rows.
    var entities: Set<String> = []

    /// Leaves nothing out.
    package init() {}

    /// Leaves out what would make a step fail and was named.
    init(from: ModelVersion, to: ModelVersion, _ agreement: LossAgreement) {
        let risks = inferMapping(from: from, to: to).risks
        for risk in risks where risk.isFatal && agreement.covers(risk.names) {
            if case .nullInMandatoryAttribute(_, let source, _, _, _) = risk {
                filled.insert("\(source.declaredBy).\(source.name)")
            } else {
                entities.insert(risk.sourceEntity)
            }
        }
    }
}
