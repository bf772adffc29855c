package import Diagnosing
import Diagnostics
import Essentials
import LogReading
import MappingInference
import ModelDiffing
import StoreFormat
import StoreMigration

package struct DiagnosisReport: Sendable, TextReport, KeyedReport {
    package struct Writer: Sendable, Encodable {
        package var place: String?
        /// Several when they have equal hashes.
        package var versions: [String]
        /// The commits of versions in git's history.
        package var commits: [VersionCommitsReport] = []
        package var proof: String?
        /// Which of several equal versions it was, and the evidence, in words; absent when there is one only.
        package var writer: String?
        package var nearest: String?
        /// The version that was removed from the model, whose hashes its lock keeps.
        package var pruned: String?
        /// The version in the lock whose source is missing, was edited or cannot be read.
        package var locked: String?
        package var remark: String?
        package var differences: [String]
        /// What Core Data does, in short: opens, migrates, fails, refuses, no source model, unknown.
        package var outcome: String
        package var codes: [Int]
        package var forecast: [String]
    }

    private let subject: String
    private var log: String?
    private var agreement: LogAgreement?
    private var writers: [Writer] = []
    private var symptoms: [LoggedSymptom] = []
    /// Absent for a log.
    private var file: FileCondition?
    private var findings: [Diagnostic] = []
    private var waysOut: [WayOut] = []
    /// Why the store could not be examined, among several.
    package private(set) var error: String?

    package init(of store: String, error: String) { (subject, self.error) = (store, error) }

    /// Creates a report; commits are by the name of the version that they had.
    package init(_ diagnosis: Diagnosis, commits: [String: VersionCommitsReport] = [:]) {
        (subject, log, agreement) = (diagnosis.subject, diagnosis.log, diagnosis.agreement)
        writers = diagnosis.writers.map { writer in
            var writer = Writer(writer)
            writer.commits = (writer.versions + [writer.nearest].compactMap(\.self))
                .compactMap { commits[$0] }
            return writer
        }
        (symptoms, file) = (diagnosis.symptoms, diagnosis.file)
        (findings, waysOut) = (diagnosis.findings, diagnosis.waysOut)
    }

    static let shape = """
        diagnosis = report { subject: string "The path of the store or the log.", log?: string, agreement?: {
          line: integer, isSame: boolean, differences: [string] }, writers: [writer], symptoms: [symptom], file?: file,
          findings: [storeFinding], waysOut: [{ advice: string, command?: string }], error?: string }
        writer = { place?: string, versions: [string], commits: versionCommits, proof?: string, writer?: string,
          nearest?: string, pruned?: string "The version that was removed from the model.", locked?: string
          "The version in the lock whose source is missing, was changed or cannot be read.",
          remark?: string, differences: [string], outcome: "opens" | "migrates" | "fails" | "refuses" |
          "no source model" | "unknown" "What Core Data does with the store.", codes: [integer], forecast: [string] }
        symptom = { line: integer, code?: integer, title: string, meaning: string }
        file = { bytes: integer, logBytes: integer, journalBytes: integer, pages: integer, freePages: integer,
          historyPages?: integer, historyChanges: integer, system?: string, hasModel: boolean, facts: [string] }
        storeFinding = { rule: string, severity: severity, entity?: string, property?: string, message: string,
          count: integer, keys: [integer], text: string }
        """
    package var jsonObject: JSONObject {
        [
            "subject": subject, "log": log, "agreement": agreement.map(MomtoolReporting.jsonObject),
            "writers": writers, "symptoms": symptoms.map(MomtoolReporting.jsonObject),
            "file": file.map(MomtoolReporting.jsonObject),
            "findings": findings.map(MomtoolReporting.jsonObject),
            "waysOut": waysOut.map(MomtoolReporting.jsonObject), "error": error,
        ]
    }

    package var text: String {
        if let error { return error }
        var parts = [(subject + (log.map { ", \($0)" } ?? "")).onOneLine]
        if !symptoms.isEmpty {
            let lines = symptoms.map {
                "  line \($0.line): \($0.kind.words.title): \($0.kind.words.meaning)"
            }
            parts.append(textLines(["what the log says"] + lines))
        }
        if let agreement { parts.append(agreement.text) }
        for writer in writers { parts.append(writer.text) }
        if writers.isEmpty, findings.isEmpty {
            parts.append("which version wrote it\n  unknown: no hash was found")
        }
        let wrong = (file?.facts ?? []) + findings.map(\.commandWords)
        if !wrong.isEmpty { parts.append(textLines(["the file"] + wrong.map { "  \($0)" })) }
        if !waysOut.isEmpty {
            let lines = waysOut.flatMap { way in
                ["  \(way.advice.commandWords)"]
                    + (way.command.map { ["    \($0.commandWords)"] } ?? [])
            }
            parts.append(textLines(["what to do"] + lines))
        }
        return parts.joined(separator: "\n\n")
    }
}

extension DiagnosisReport.Writer {
    fileprivate init(_ writer: Diagnosis.Writer) {
        place = writer.place
        (versions, differences) = ([], [])
        switch writer.identity {
        case .unknown: break
        case .versions(let names, let proof):
            versions = names
            self.proof = proof.words
        case .absent(let version):
            remark = version.remark
            if version.prunedDay == nil { locked = version.name } else { pruned = version.name }
        case .foreign(let entities):
            remark =
                "it belongs to another model: no version of this one has any of its entities "
                + "(\(entities.listed(most: 5))) [unknown-store-version]"
            differences = entities.map { "\($0): not in the model" }
        case .nearest(let name, let entities, let changes):
            nearest = name
            differences = entities.flatMap { entity in
                let own = changes.filter { $0.change.subject.entity == entity.entity }
                return ["\(entity.entity): \(entity.kind.words)"]
                    + own.map {
                        "  \($0.change.subject.path ?? entity.entity): \($0.change.words.line)"
                    }
            }
        }
        self.writer = writer.distinction.map { name, proof in
            proof == .nothing
                ? "it is unknown which of them it was; '\(name)' is assumed"
                : "it was '\(name)', by \(proof.words)"
        }
        (outcome, codes, forecast) = writer.forecast.words
        if writer.goesBack {
            forecast.append("this goes back: the store is newer than the current version")
        }
        if let obstacle = writer.obstacle {
            forecast.append("momtool cannot migrate it as it is: \(obstacle.commandWords)")
        }
        switch writer.roundabout {
        case .through(let title)?: forecast.append("momtool takes another route: \(title)")
        case .nowhere?:
            forecast.append("no chain of the given versions and mapping models leads there")
        case nil: break
        }
        forecast += writer.notes.map(\.commandWords)
    }

    fileprivate var text: String {
        var lines = ["which version wrote it" + (place.map { " (\($0))" } ?? "")]
        if let remark {
            lines.append("  \(remark)")
        } else if let nearest {
            lines.append("  no version of the model; the nearest is '\(nearest)', which differs in")
            lines += differences.map { "    \($0)" }
        } else if versions.isEmpty {
            lines.append("  nothing says")
        } else {
            lines.append(
                "  \(versions.joined(separator: " = "))" + (proof.map { ", by \($0)" } ?? "")
            )
        }
        if let writer { lines.append("  \(writer)") }
        lines.append("")
        lines.append("what Core Data does when the current version opens it")
        return textLines(lines + forecast.map { "  \($0)" })
    }
}

extension WriterIdentity.Proof {
    fileprivate var words: String {
        switch self {
        case .hashes: "the hashes of all entities"
        case .fragments: "the parts of the hashes that are shown, for all entities"
        case .someEntities(let count, let all):
            "\(count) of \(all.counted("entity")), all that is shown"
        case .checksum: "its checksum"
        case .ownModel: "the model in the store"
        }
    }
}

extension OpeningForecast {
    fileprivate var words: (outcome: String, codes: [Int], lines: [String]) {
        switch self {
        case .opens: ("opens", [], ["opens it without migration"])
        case .unknown:
            (
                "unknown", [],
                ["momtool cannot tell: name the app's model with --model, or give all hashes"]
            )
        case .migrates(let mapping, let rows):
            (
                "migrates", [],
                [
                    "migrates it with an inferred mapping (\(mapping.verdict.words));"
                        + " with migration off: \(CoreDataErrorCode.incompatibleVersionHash.line)"
                ] + rows.map { "at stake: \($0.wording.commandWords)" }
            )
        case .migratesAlong(let road, let names, let rows): described(along: road, names, rows)
        case .migratesUnseen(let path): described(along: .mappingModel(path), "", [])
        case .stopsInStages(let (path, reason, isGuess)):
            (
                "refuses", [],
                ["the stages of \(path) \(isGuess ? "may fail" : "fail"): \(reason.commandWords)"]
            )
        case .failsOnRows(_, let rows):
            (
                "fails", [CoreDataErrorCode.migration.number],
                ["infers a mapping and \(failing(on: rows)): \(CoreDataErrorCode.migration.line)"]
                    + rows.map(\.wording.commandWords)
            )
        case .refused(let mapping):
            (
                "refuses", mapping.refusals.compactMap { $0.code?.number },
                mapping.refusals.flatMap(lines(of:))
            )
        case .sourceModelMissing:
            (
                "no source model",
                [
                    CoreDataErrorCode.migrationMissingSourceModel.number,
                    CoreDataErrorCode.managedObjectModelReferenceNotFound.number,
                ],
                [
                    "with automatic migration: \(CoreDataErrorCode.migrationMissingSourceModel.line),"
                        + " \"Can't find model for source store\"",
                    "with a staged migration: \(CoreDataErrorCode.managedObjectModelReferenceNotFound.line),"
                        + " \"Cannot use staged migration with an unknown model version.\"",
                    "with neither: \(CoreDataErrorCode.incompatibleVersionHash.line)",
                    "it is unknown whether Core Data uses the model in the store instead",
                ]
            )
        }
    }
}

/// What a migration does on rows that forbid it, as certain as is known.
private func failing(on rows: [RowFinding]) -> String {
    let isCertain = rows.contains { $0.failsInCoreData && !$0.risk.evidence.isGuess }
    return isCertain ? "fails on rows" : "may fail on rows"
}

private func described(
    along road: AppRoad,
    _ names: String,
    _ rows: [RowFinding]
) -> (outcome: String, codes: [Int], lines: [String]) {
    let what =
        switch road {
        case .mappingModel(let path):
            "migrates it with the mapping model \(path), if the app has it"
        case .stages(let path): "migrates it through the stages of \(path): \(names)"
        case .plan: "migrates it through the versions of the app's plan: \(names)"
        case .planWithCode(_, let names, _):
            "migrates it through the versions of the app's plan: \(names); its custom stages run Swift code, which momtool cannot run"
        case .code: "the app's own code migrates it before (migration: stepwise): \(names)"
        }
    // The effect of the code on rows before a step is unknown.
    let fails = road.fails(on: rows)
    let migration = CoreDataErrorCode.migration
    let end =
        fails
        ? ", and \(failing(on: rows)): \(migration.line)"
        : road == .code
            ? "" : "; with migration off: \(CoreDataErrorCode.incompatibleVersionHash.line)"
    return (
        fails ? "fails" : "migrates", fails ? [migration.number] : [],
        [what + end]
            + rows.map { finding in
                road.mayChangeRows
                    ? "at stake without that code: \(finding.unnamedWording.commandWords)"
                    : (fails ? "" : "at stake: ") + finding.wording.commandWords
            }
    )
}

private func lines(of refusal: Refusal) -> [String] {
    // Without a code it is not known what Core Data does.
    let how =
        refusal.code.map {
            (refusal.raisesException ? "raises an exception" : "refuses") + ": \($0.line)"
        } ?? "momtool cannot tell what Core Data does"
    return ["\(how): \(refusal.subject)", "  \(refusal.cure)"]
}

extension CoreDataErrorCode { fileprivate var line: String { "\(number) \(constantName)" } }

func jsonObject(_ finding: Diagnostic) -> JSONObject {
    [
        "rule": finding.rule, "severity": finding.severity, "entity": finding.entity,
        "property": finding.property, "message": finding.reason.commandWords,
        "count": finding.count, "keys": finding.keys, "text": finding.commandWords,
    ]
}

func jsonObject(_ way: WayOut) -> JSONObject {
    ["advice": way.advice.commandWords, "command": way.command?.commandWords]
}

func jsonObject(_ symptom: LoggedSymptom) -> JSONObject {
    let words = symptom.kind.words
    return [
        "line": symptom.line, "code": symptom.kind.number, "title": words.title,
        "meaning": words.meaning,
    ]
}

func jsonObject(_ agreement: LogAgreement) -> JSONObject {
    switch agreement {
    case .same(let line): ["line": line, "isSame": true, "differences": [String]()]
    case .other(let line, let entities): ["line": line, "isSame": false, "differences": entities]
    }
}

extension LogAgreement {
    var text: String {
        let what =
            switch self {
            case .same(let line): "the hashes in line \(line) are those of this store"
            case .other(let line, let entities):
                "line \(line) is about a store of another version, or about this one at another time; "
                    + "what differs: \(entities.joined(separator: ", "))"
            }
        return textLines(["the log and the store", "  \(what)"])
    }
}

extension LoggedSymptom.Kind {
    var number: Int? {
        switch self {
        case .code(let code): code.number
        case .sqlite(let code): code
        default: nil
        }
    }
}

func jsonObject(_ file: FileCondition) -> JSONObject {
    [
        "bytes": file.bytes, "logBytes": file.logBytes, "journalBytes": file.journalBytes,
        "pages": file.pages, "freePages": file.freePages, "historyPages": file.historyPages,
        "historyChanges": file.historyChanges, "system": file.system, "hasModel": file.hasModel,
        "facts": file.facts,
    ]
}

extension FileCondition {
    var facts: [String] {
        var facts = ["\(bytes.counted("byte")), \(pages.counted("page"))"]
        if let system { facts[0] += ", in the form that \(system) writes" }
        if freePages > 0 {
            facts.append("free: \(freePages.counted("page")) (\(percent(freeShare)))")
        }
        if historyChanges > 0 {
            let share = historyShare.map { ", \(percent($0)) of the pages" } ?? ""
            facts.append("persistent history has \(historyChanges.counted("change"))\(share)")
        }
        if logBytes > 0 {
            facts.append("\(logBytes.counted("byte")) of the store are in its write-ahead log")
        }
        if journalBytes > 0 {
            facts.append("a write was interrupted, and is rolled back when the store is opened")
        }
        if !hasModel { facts.append("it contains no usable model") }
        return facts
    }
}

private func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }
