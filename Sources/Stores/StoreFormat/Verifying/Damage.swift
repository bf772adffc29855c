package import Diagnostics
import Essentials

/// A kind of damage that verification finds in a store: what helps against it, and what it means.
///
/// Its row is beside its check. What a repair does and asks is in StoreMigration, where only the kind of help counts.
package enum Damage: Sendable {
    /// A repair, without a decision.
    case repair(String)
    /// A repair that does more than restore, or leaves something to do.
    case repairing(String, String)
    /// A repair that removes links, where they are not required.
    case lostLinks(String)
    /// A value, a list of the rows, or a date, that a person has to name or look at.
    case value(String), list(String), history(String)
    /// What depends on how much of the file is damaged, or which entity rows may have.
    case file(String), entity(String)
    /// A backup of the folder of external values.
    case folder(String)
    /// What no command does.
    case person(
        String,
        String = "correct these objects in the app, or restore the store from a backup"
    )

    package static let all: [RuleID: Damage] =
        [storeDamage, schemaDamage, rowDamage, ruleDamage, linkDamage, fileDamage]
        .reduce(into: [:]) { all, rows in all.merge(rows) { first, _ in first } }

    /// The kinds of link to a missing object, by the delete rule of the other side.
    package static let lostLinkRules: Set<RuleID> = Set(
        all.filter { if case .lostLinks = $0.value { true } else { false } }.keys
    )

    package static func of(_ rule: RuleID) -> Damage { all[rule] ?? .person("") }

    package var summary: String {
        switch self {
        case .repair(let text), .repairing(let text, _), .lostLinks(let text), .value(let text),
            .list(let text), .history(let text), .file(let text), .entity(let text),
            .folder(let text), .person(let text, _):
            text
        }
    }

    /// What a person can do about it without a command.
    package func correction(ofStore path: String) -> String {
        switch self {
        case .person(_, let words): return words
        case .folder:
            let folder = externalDataFolder(of: path).path
            return
                "restore the files from a backup of the folder \(folder), or set the values in the app again"
        default: return Damage.person("").correction(ofStore: path)
        }
    }
}

extension [Diagnostic] {
    /// What no repair cures, by what a person can do about it.
    package func corrections(ofStore path: String) -> [(words: String, findings: [Diagnostic])] {
        Dictionary(grouping: self) { Damage.of($0.rule).correction(ofStore: path) }
            .sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
