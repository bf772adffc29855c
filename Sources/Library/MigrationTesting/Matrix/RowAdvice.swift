import MigrationPlanning
import Momtool
import ObjectModel
import StoreMigration
import YAMLReading

/// Advice on generated rows that forbid a migration: how to declare that no store has such rows, and how to fill them.
func adviceOnRows(
    behind error: any Error,
    from source: ModelVersion,
    to target: ModelVersion,
    isMapped: Bool,
    _ options: MatrixOptions
) -> [String] {
    guard case .rows(let findings)? = MomtoolError(error).migration else { return [] }
    let entries = findings.filter { !$0.isLoss }.map {
        options.ledger.entry(agreeingTo: $0.name, $0.names, from: source, to: target)
    }
    guard let first = entries.first else { return [] }
    let names = entries.filter { $0.version == first.version }.map { yamlText($0.name) }
    let cure = isMapped ? "; a map under policies: fills them with coalesce" : ""
    return [
        """
        the rows are generated; if no store has such rows, allow this in .momtool.yml: \
        losses: {\(yamlText(first.version)): [\(names.joined(separator: ", "))]}\(cure)
        """
    ]
}
