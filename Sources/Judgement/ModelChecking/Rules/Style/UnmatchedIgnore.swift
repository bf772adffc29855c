package import Diagnostics
package import ObjectModel

extension Rule {
    static let unmatchedIgnore = Rule(
        .named(.unmatchedIgnore, .style, .note, by: .stages),
        summary: "Every version under 'lint: ignore:' exists",
        rationale: """
            An item under `lint: ignore:` in `.momtool.yml` names a version that no model below its folder has, so it \
            ignores nothing. It is misspelled or outdated. The finding shows the name that may have been intended.
            """
    )
}

extension RuleID { package static let unmatchedIgnore: RuleID = "unmatched-ignore" }

/// Notes items of `ignore` whose version is in no model.
///
/// `others` returns the versions of other models that the items may be about, and is called only when needed.
package func unmatchedVersions(
    of suppressions: [Suppression],
    among versions: [ModelVersion],
    others: () -> [ModelVersion]
) -> [Diagnostic] {
    let names = versions.map(\.name)
    let unknown = suppressions.filter { $0.version.map { !names.contains($0) } ?? false }
    let siblings = unknown.isEmpty ? [] : Set(others().map(\.name))
    return unknown.compactMap { suppression in
        guard let name = suppression.version, !siblings.contains(name) else { return nil }
        return Diagnostic(
            .unmatchedIgnore,
            "this entry ignores nothing: there is no version '\(name)'\(suggestion(for: name, among: names))",
            severity: .note,
            at: suppression.location
        )
    }
}
