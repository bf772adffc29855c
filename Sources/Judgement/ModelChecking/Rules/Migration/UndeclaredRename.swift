import Diagnostics
import MappingInference
import ModelDiffing
import ModelEditing
import ObjectModel

extension Rule {
    static let undeclaredRename = Rule(
        .named("undeclared-rename", .migration, .error),
        summary: "Renamed items have a renaming identifier",
        rationale: """
            Something was removed and something similar was added. Without a renaming identifier Core Data drops the \
            old one with its data and adds the new one. Set the identifier if it is a rename, which `momtool lint \
            --fix` does; otherwise allow the loss for the version under `losses` in `.momtool.yml`. A SwiftData class \
            must keep its name, or a custom stage must move its objects: SwiftData cannot rename a class.
            """,
        passing: RuleExample(
            "<entity name='A'><attribute name='userName' optional='YES' attributeType='String'/></entity>",
            "<entity name='A'><attribute name='username' optional='YES' attributeType='String' elementID='userName'/></entity>"
        ),
        failing: RuleExample(
            "<entity name='A'><attribute name='userName' optional='YES' attributeType='String'/></entity>",
            "<entity name='A'>◀<attribute name='username' optional='YES' attributeType='String'/></entity>"
        ),
        isAnsweredByMapping: true,
        fix: .keepingHash("sets the identifier, if there is one candidate on each side"),
        check: .step { step in
            // The other spelling has a rule of its own.
            let suspicions = step.diff.suspicions.filter {
                $0.ground.asksForIdentifier && !$0.toSource.has("renamingIdentifier")
            }
            var seen: Set<String> = []
            return suspicions.compactMap { suspicion in
                guard let loss = step.loss(behind: suspicion),
                    seen.insert(
                        "\(loss.name) \(suspicion.toSource.element.map(String.init(describing:)) ?? "")"
                    ).inserted
                else { return nil }
                let diagnostic = suspicion.diagnostic
                let explained = step.losses(explainedBy: suspicion)
                var violation = Violation(
                    diagnostic.wording,
                    at: diagnostic.location,
                    element: diagnostic.element,
                    notes: diagnostic.notes + suspicion.cures(in: step.to, explained)
                        + [loss.advice(for: step.to, step.ledger)],
                    fix: identifierFix(suspicion, among: suspicions, in: step),
                    severity: step.lossSeverity,
                    loss: loss.name
                )
                violation.explained = explained
                return violation
            }
        }
    )
}

/// Writes the identifier, if one item was removed and only one new item can be it.
///
/// What is new in the old version may be unknown to a new one that was made from an earlier one, on another branch.
private func identifierFix(
    _ suspicion: RenameSuspicion,
    among all: [RenameSuspicion],
    in step: CheckedStep
) -> Fix? {
    let rivals = all.filter { other in
        other.kind == suspicion.kind && other.entity == suspicion.entity
            && (other.from == suspicion.from || other.to == suspicion.to)
    }
    guard rivals.count == 1, !step.to.path.hasSuffix(".swift"),
        suspicion.ground != .onlyCandidates || !step.bringsAlone(suspicion)
    else { return nil }
    var fix = Fix(
        "set the renaming identifier of '\(suspicion.to)' to '\(suspicion.elementID)'",
        at: suspicion.toSource.element,
        .tag(.add("elementID", suspicion.elementID))
    )
    fix?.isGuess = true
    return fix
}

extension RenameSuspicion {
    /// The command that declares the rename, and the other losses that it ends.
    fileprivate func cures(in version: ModelVersion, _ explained: [String]) -> [Diagnostic.Note] {
        let element = entity.map { "\($0).\(to)" } ?? to
        let command = version.editedPath.map { path in
            Diagnostic.Note(saying: "if renamed: \(.renaming(elementID, of: element, to: path))")
        }
        let names = explained.listed(most: 3)
        let rest = Diagnostic.Note("declared as a rename, nothing is lost or missing at \(names)")
        return [command].compactMap(\.self) + (explained.isEmpty || isOfClass ? [] : [rest])
    }
}

extension RenameSuspicion.Ground {
    /// Whether nothing declares the rename yet.
    var asksForIdentifier: Bool {
        switch self {
        case .similarName, .onlyCandidates, .sharedProperties: true
        case .staleIdentifier, .nameInsteadOfIdentifier: false
        }
    }
}
