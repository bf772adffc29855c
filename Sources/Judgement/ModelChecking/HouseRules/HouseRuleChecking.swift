package import Diagnostics
package import ObjectModel

/// Checks the versions of a bundle against the rules of a team, with their configured severities.
func houseFindings(
    _ bundle: CheckedBundle,
    _ scope: Set<String>,
    incomplete: Set<String>,
    _ options: CheckOptions
) -> [Finding] {
    houseFindings(
        bundle.versions,
        scope,
        shipped: Set(bundle.versions.filter(bundle.isFrozen).map(\.name)),
        incomplete: incomplete,
        options.houseRules.filter { options.settings[$0.id] != .off }
    ).map { finding in
        // What shipped is no longer edited.
        let version = bundle.versions.first { $0.name == finding.version }
        return version.map(bundle.isFrozen) == true ? finding.taken(as: .note) : finding
    }
}

extension [Finding] {
    /// Leaves out findings on ignored rules that are rules of the team.
    func allowing(_ rules: [HouseRule]) -> [Finding] {
        guard !rules.isEmpty else { return self }
        let unknown = rules.map { Rule.noSuchRule($0.id.rawValue) }
        return filter { finding in
            finding.diagnostic.rule != Rule.unknownIgnoredRule.id
                || !unknown.contains(where: finding.diagnostic.message.hasPrefix)
        }
    }
}

/// Checks versions, oldest first, against the rules of a team; returns breaches, and rules that took too long.
///
/// `incomplete` are versions that could not be read in full.
package func houseFindings(
    _ versions: [ModelVersion],
    _ scope: Set<String>,
    shipped: Set<String> = [],
    incomplete: Set<String> = [],
    _ rules: [HouseRule]
) -> [Finding] {
    guard !rules.isEmpty else { return [] }
    var findings: [Finding] = []
    var stopped: Set<RuleID> = []
    var before: HouseRuleScope?
    for version in versions {
        let names = [before?.version.name, version.name].compactMap(\.self)
        let view = HouseRuleScope(
            version,
            isShipped: shipped.contains(version.name),
            isIncomplete: !incomplete.isDisjoint(with: names),
            after: before
        )
        before = view
        guard scope.contains(version.name) else { continue }
        for rule in rules where !stopped.contains(rule.id) {
            let found = breaches(of: rule, in: view)
            findings += found.findings
            // Other versions would take as long.
            if found.isStopped { stopped.insert(rule.id) }
        }
    }
    return findings
}

private func breaches(
    of rule: HouseRule,
    in view: HouseRuleScope
) -> (findings: [Finding], isStopped: Bool) {
    var evaluation = HouseRuleEvaluation()
    var findings: [Finding] = []
    do throws(HouseRuleEvaluation.TooCostly) {
        for element in view.elements(for: rule.subject)
        where !rule.appliesToNew || view.isNew(element) {
            guard try evaluation.holds(rule.condition, for: element) else { continue }
            let diagnostic = Diagnostic(
                rule.id,
                try message(of: rule, for: element, &evaluation),
                severity: rule.severity,
                at: view.location(of: element),
                element: element.path
            )
            findings.append(Finding(diagnostic, version: view.version.name))
        }
    } catch {
        let diagnostic = Diagnostic(
            rule.id,
            "the rule was stopped in '\(view.version.name)' after \(HouseRuleEvaluation.stepLimit) steps: make its "
                + "condition simpler",
            at: rule.location
        )
        return (findings + [Finding(diagnostic)], true)
    }
    return (findings, false)
}

private func message(
    of rule: HouseRule,
    for element: HouseRuleElement,
    _ evaluation: inout HouseRuleEvaluation
) throws(HouseRuleEvaluation.TooCostly) -> String {
    var text = ""
    var rest = rule.message[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
        text += rest[..<open]
        let key = String(rest[rest.index(after: open)..<close])
        text += try evaluation.words(at: key, of: element)
        rest = rest[rest.index(after: close)...]
    }
    return text + rest
}

extension HouseRule {
    /// Returns the breaches of the rule in the last version of a model.
    package func breaches(in versions: [ModelVersion]) -> [Diagnostic] {
        guard let last = versions.last else { return [] }
        return houseFindings(versions, [last.name], [self]).map(\.diagnostic)
    }
}
