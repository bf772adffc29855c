import Diagnostics
package import Essentials
import MappingInference
import MigrationPlanning
import Momtool
import ObjectModel
import RowExchange
import SettingsFiles
import StoreFormat
import StoreMigration

/// The agreed losses of migrations to one version, computed once for all versions.
struct Agreements: Sendable {
    private let ledger: LossLedger
    private let target: ModelVersion
    private let migrator: Migrator
    private let known: [String: LossAgreement]
    /// The same with what custom stages that do not run may carry over.
    private let inferred: [String: LossAgreement]
    /// Whether losses that nobody named are refused, as by `momtool migrate`.
    private let isStrict: Bool

    init(
        _ ledger: LossLedger,
        to target: ModelVersion,
        by migrator: Migrator,
        isStrict: Bool = false
    ) {
        (self.ledger, self.target, self.migrator) = (ledger, target, migrator)
        self.isStrict = isStrict
        known = ledger.namedAgreements(to: target)
        let left = migrator.leavingToStages(ledger)
        inferred = left == ledger ? known : left.namedAgreements(to: target)
    }

    func agreement(from version: ModelVersion) -> LossAgreement {
        known[version.name] ?? ledger.agreement(from: version, to: target)
    }

    /// The allowed losses of a migration along a route, with those that its mapping models allow.
    func agreement(from version: ModelVersion, along route: MigrationRoute?) -> LossAgreement {
        guard let route else { return agreement(from: version) }
        return ledger.agreement(
            from: version,
            to: target,
            along: route,
            by: migrator,
            inferred: inferred[version.name]
        )
    }

    /// The findings of a migration that nobody agreed to.
    ///
    /// What a mapping model leaves out completely is allowed; objects outside of all its conditions must be named.
    func unnamed(
        _ findings: [RowFinding],
        from version: ModelVersion,
        along route: MigrationRoute
    ) -> [RowFinding] {
        let named = agreement(from: version)
        let open = findings.filter { !$0.isMeant && !named.covers($0.names) }
        guard !open.isEmpty, !isStrict else { return open }
        let answered = agreement(from: version, along: route)
        return open.filter { finding in
            if finding.risk.kind == .objectsLeftOut(by: .condition) { return true }
            return !answered.covers(finding.names)
        }
    }
}

extension LossLedger {
    fileprivate func namedAgreements(to target: ModelVersion) -> [String: LossAgreement] {
        Dictionary(firstOf: zip(versions.map(\.name), agreements(to: target)).map { ($0, $1) })
    }
}

/// The agreed losses of a migration, by where they were agreed to; computed when asked for.
struct AgreedLosses {
    private let options: MatrixOptions
    private let source: ModelVersion
    private let target: ModelVersion
    private lazy var configured = options.configured.agreement(from: source, to: target)
    /// The same, with those in the lock.
    private lazy var locked = options.locked.agreement(from: source, to: target)
    /// The same, with those that the run accepts.
    private lazy var accepted = options.ledger.agreement(from: source, to: target)

    init(_ options: MatrixOptions, from source: ModelVersion, to target: ModelVersion) {
        (self.options, self.source, self.target) = (options, source, target)
    }

    mutating func line(
        _ finding: RowFinding,
        along route: MigrationRoute,
        by migrator: Migrator
    ) -> Wording {
        func covers(_ agreement: LossAgreement) -> Bool { agreement.covers(finding.names) }
        let paths = route.mappingModels.sorted { $0.key < $1.key }.map(\.value)
        let (isAllowed, who): (Bool, String)
        if finding.isComputedLater {
            (isAllowed, who) = (true, "nothing that was there is lost")
        } else if finding.isMeant {
            (isAllowed, who) = (true, "the author of the stage says so")
        } else if covers(configured) {
            (isAllowed, who) = (true, "\(ToolConfiguration.fileName) allows it")
        } else if covers(locked) {
            (isAllowed, who) = (true, "the lock allows it")
        } else if covers(accepted) {
            (isAllowed, who) = (false, "but the run accepts shipped versions as they are")
        } else if !paths.isEmpty {
            (isAllowed, who) = (true, "allowed in \(paths.listed(most: 3))")
        } else {
            let code =
                migrator.unrunStages(on: route).isEmpty
                ? "the mapping model of the step" : "a custom stage of the plan"
            (isAllowed, who) = (false, "but \(code), which was not run, may keep it")
        }
        let head = isAllowed ? "allowed" : "not refused"
        let reason = isAllowed ? who : "nothing allows it, \(who)"
        return "\(head): \(finding.name): \(finding.amount) at stake: \(finding.reason) (\(reason))"
    }
}

/// The rows that no store has by declaration: those without a value that becomes mandatory.
package struct RowsLeftOut: Sendable, Hashable {
    /// Attributes of the old version that have a value in every row, such as `Stop.label`.
    var filled: Set<String> = []
    var entities: Set<String> = []

    package init() {}

    /// Leaves out what would make a step fail and was named, and what only code of the app has a value for; `mapped` is
    /// what was named where mapping models lead, which must give each new property its value.
    init(
        from: ModelVersion,
        to: ModelVersion,
        _ agreement: LossAgreement,
        mapped: LossAgreement? = nil
    ) {
        let graph = ModelGraph(from.model)
        let risks = inferMapping(from: from, to: to).risks
        for risk in risks
        where risk.isFatal && (agreement.covers(risk.names) || risk.isMetByCode(in: to.model)) {
            if risk.kind == .nullInMandatoryAttribute, let source = risk.source {
                filled.insert(source.description)
            } else if risk.source != nil || risk.isMetByCode(in: to.model)
                || (mapped ?? agreement).covers(risk.names)
            {
                entities.insert(risk.sourceEntity)
                // What becomes mandatory is a risk of each entity, a constraint of the one that has it.
                let owner = risk.constraint.flatMap { _ in graph.entity(risk.sourceEntity) }
                entities.formUnion(owner.map(graph.hierarchy)?.map(\.name) ?? [])
            }
        }
        guard case .named(let names) = mapped, !names.isEmpty else { return }
        for entity in from.model.entities {
            filled.formUnion(
                entity.attributes.map { "\(entity.name).\($0.name)" }.filter(names.contains)
            )
        }
    }
}

extension [MigrationTest] {
    /// Gives each test a folder of its own for what it leaves when it fails, by its name and that of its group if
    /// several share it: filter tests afterwards.
    package func keepingArtifacts(in folder: URL?) -> [MigrationTest] {
        guard let folder else { return self }
        // Not every file system is case-sensitive.
        let names = Dictionary(grouping: self) { folderName(of: $0.name).lowercased() }
        var taken: Set<String> = []
        return map { test in
            let name = folderName(of: test.name)
            let isShared = (names[name.lowercased()] ?? []).count > 1
            let whole = isShared ? folderName(of: "\(test.group)/\(test.name)") : name
            var own = whole
            var number = 1
            while !taken.insert(own.lowercased()).inserted {
                number += 1
                own = "\(whole) \(number)"
            }
            var test = test
            test.artifacts = folder.appending(path: own)
            return test
        }
    }
}

/// Keeps what a failing case leaves in a folder of its own: both stores, both exports, the plan, the differences.
///
/// A folder of an earlier run is replaced, any other one is not; what cannot be written is left out.
func keepArtifacts(
    of outcome: CaseOutcome,
    from work: URL,
    given: String?,
    at kept: URL,
    source: ManagedObjectModel?,
    target: ManagedObjectModel?
) {
    // A folder of this name may be anything, even the case itself.
    let isOfEarlierRun = Files.exists(at: kept.appending(path: differenceName).path)
    guard isOfEarlierRun || !Files.exists(at: kept.path) else { return }
    try? Files.remove(at: kept.path)
    let folder = kept.deletingLastPathComponent()
    try? Files.makeFolder(at: folder.path)
    try? Files.copy(work.path, to: kept.path)
    if let given { try? copyStore(at: given, to: kept.appending(path: "before.sqlite").path) }
    for (store, model) in [("before", source), ("after", target)] {
        guard let model,
            let file = try? StoreFile(path: kept.appending(path: store + ".sqlite").path),
            let rows = try? exportedRows(of: file, model: model)
        else { continue }
        try? Data(rows).write(to: kept.appending(path: store + ".json"))
    }
    let lines = outcome.lines.joined(separator: "\n") + "\n"
    try? Data(lines.utf8).write(to: kept.appending(path: differenceName))
}

/// A name without characters that Windows, URLs and artifact services refuse, shortened at its start for file systems.
private func folderName(of name: String) -> String {
    // A folder that begins with a dot is hidden, and services leave it out.
    let path = name.split(separator: "/").filter { $0 != "." && $0 != ".." }.joined(separator: "-")
    let kept = path.replacing(": ", with: " - ").map { character -> Character in
        let isRefused =
            "\":<>|*?\\".contains(character)
            || character.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
        return isRefused ? "-" : character
    }
    // Windows refuses a dot or a space at the end.
    var text = String(kept)[...]
    while let last = text.last, last == "." || last == " " { text.removeLast() }
    while text.utf8.count > 200 { text.removeFirst() }
    return text.isEmpty ? "case" : String(text)
}

private let differenceName = "difference.txt"
