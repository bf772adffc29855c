package import Diagnostics
import ObjectModel

/// Turns findings about a shipped version into notes: a cure would edit the version.
///
/// Unreadable files stay errors, and so does a step to the current version that a mapping model would solve. An unread part
/// that is not a fault of the model, such as the format of Xcode 3, is an error only for commands that need it.
func graded(_ finding: Finding, in bundle: CheckedBundle) -> Finding {
    let graded = finding.diagnostic.gradedByRule
    guard graded == finding.diagnostic else { return finding.taken(as: graded.severity) }
    guard finding.diagnostic.severity > .note,
        let rule = Rule.named(finding.diagnostic.rule.rawValue)
    else { return finding }
    guard let version = bundle.versions.first(where: { $0.name == finding.version }),
        bundle.isFrozen(version)
    else { return finding }
    // What code does today no lock has seen.
    if rule.family == .cloudKit, finding.diagnostic.severity == .error,
        version.name == bundle.current?.name,
        bundle.isMirroredByApp || version.path.hasSuffix(".swift")
    {
        let advice: Wording = """
            '\(version.name)' is locked, but CloudKit refuses it, and a mirrored container does not load: make the next \
            version without this (\(.newVersion(of: bundle.path))), or leave the container unmirrored
            """
        var finding = finding
        finding.diagnostic.notes.append(Diagnostic.Note(saying: advice))
        return finding
    }
    let isNote =
        switch rule.check {
        case .model, .source: true
        case .reading: finding.diagnostic.severity == .warning && !Rule.ofApp.contains(rule.id)
        case .step: !rule.isAnsweredByMapping || version.name != bundle.current?.name
        case .bundle, .projects, .lock, .stages, .project, .planning, .schema, .schemaStep: false
        }
    return isNote ? finding.taken(as: .note) : finding
}

extension Diagnostic {
    /// The diagnostic as every command grades it: a fault of a plan keeps apps from starting, and is an error.
    ///
    /// The reader gives a warning, as commands without a plan can continue.
    package var gradedAsPlan: Diagnostic {
        var copy = self
        let stops = Rule.ofPlans.union(Rule.ofStarts)
        if stops.contains(rule), severity > .note { copy.severity = .error }
        return copy
    }

    /// The diagnostic of reading as every command grades it.
    ///
    /// An unread part that is not a fault of the model, such as something that a newer Xcode wrote, is an error of the
    /// reader, which stops commands that need it.
    package var gradedByRule: Diagnostic {
        var copy = gradedAsPlan
        guard copy == self, let rule = Rule.named(rule.rawValue), case .reading = rule.check else {
            return copy
        }
        copy.severity = min(severity, rule.severity)
        return copy
    }

    /// The finding where a version of an empty bundle is needed; reading reported how to add one.
    fileprivate var neededVersion: Diagnostic {
        var copy = asError
        copy.message = "this needs a version of the model, and the bundle has none"
        return copy
    }
}

extension [Diagnostic] {
    /// The findings where a whole model is needed: a lesser fault becomes `incomplete-model`.
    package var asNeeded: [Diagnostic] {
        var reported: Set<Diagnostic> = []
        return map { fault in
            guard fault.gradedByRule.severity < .error else { return fault }
            guard fault.rule != "empty-bundle" else { return fault.neededVersion }
            guard fault.rule == "swift-not-understood", let element = fault.element else {
                return Diagnostic(
                    "incomplete-model",
                    "this needs the whole model, and part of it is unknown",
                    at: fault.location.map { FileLocation(path: $0.path) }
                )
            }
            return Diagnostic(
                "incomplete-model",
                "this needs the whole model, and momtool does not understand \(element)",
                at: fault.location,
                element: element,
                notes: [Diagnostic.Note(saying: UnjudgedEntities.cure)]
            )
        }.filter { reported.insert($0).inserted }
    }
}

extension Rule {
    package static let ofPlans: Set<RuleID> = [
        "identifier-reused", "stage-missing", "stage-order",
    ]

    /// The rules about what a step drops, or requires of rows.
    package static let ofLosses: Set<RuleID> = [
        dataLoss.id, missingRenamingIdentifier.id, newRequiredWithoutDefault.id, rowsDecide.id,
        staleRenamingIdentifier.id, undeclaredRename.id,
    ]

    package static let ofStarts: Set<RuleID> = [
        "container-list-differs", "stage-fetches-other-type",
    ]

    /// The rules about the present app, whose cure moves no hash of the version that they name.
    static let ofApp: Set<RuleID> = [
        "container-drops-classes", "container-list-differs", "frozen-version-reaches-live-type",
        "plan-not-used", "version-not-in-plan",
    ]
}

extension Finding {
    func taken(as severity: Severity) -> Finding {
        var copy = self
        copy.diagnostic.severity = severity
        return copy
    }

    var isAnsweredByMapping: Bool {
        Rule.named(diagnostic.rule.rawValue)?.isAnsweredByMapping ?? false
    }
}

/// Leaves out repeated findings that several models share, as by their configuration.
package func distinct(_ findings: [Finding]) -> [Finding] {
    var seen: Set<Finding> = []
    return findings.filter { $0.version != nil || seen.insert($0).inserted }
}

/// Joins equal notes on one element in several versions: the last one, with the names of the other versions.
package func merged(_ findings: [Finding]) -> [Finding] {
    func key(_ finding: Finding) -> [String?]? {
        let diagnostic = finding.diagnostic
        guard diagnostic.severity == .note, finding.version != nil else { return nil }
        return [diagnostic.rule.rawValue, diagnostic.message, diagnostic.element]
    }
    var versions: [[String?]: [String]] = [:]
    for finding in findings {
        guard let key = key(finding), let version = finding.version else { continue }
        versions[key, default: []].append(version)
    }
    var seen: Set<[String?]> = []
    return findings.reversed().filter { finding in
        key(finding).map { seen.insert($0).inserted } ?? true
    }.reversed().map { finding in
        let others = key(finding).flatMap { versions[$0] }?.filter { $0 != finding.version } ?? []
        guard !others.isEmpty else { return finding }
        var finding = finding
        let names = others.map { "'\($0)'" }.listed(most: 3)
        finding.diagnostic.notes.append(Diagnostic.Note("the same in \(names)"))
        return finding
    }
}
