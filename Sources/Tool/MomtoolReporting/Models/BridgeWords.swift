package import MigrationPlanning
import ModelDiffing

extension BridgingVersion {
    /// How to turn a refused step into two legal ones, a line for each part; continued lines begin with spaces.
    package func words(from source: String, to destination: String) -> [String] {
        var lines: [String] = []
        if !diff.changes.isEmpty {
            lines.append(
                "between '\(source)' and '\(destination)', add a version that is '\(destination)' with "
                    + "these differences:"
            )
            lines += diff.changes.map { "  \($0.subject.path ?? "model"): \($0.words.line)" }
        }
        for renaming in renamings {
            let what = renaming.identifier.map { "the renaming identifier '\($0)'" }
            lines.append(
                "in '\(destination)', give \(renaming.element) \(what ?? "no renaming identifier"), "
                    + "which does not change the checksum"
            )
        }
        if renamings.contains(where: { $0.identifier != nil }) {
            lines.append(
                "move the values to their new form in a custom stage from the version between to "
                    + "'\(destination)'"
            )
        }
        return lines
    }
}
