import Diagnostics
import Essentials
package import Diagnosing
import LogReading
import MappingInference
import ModelDiffing
import StoreFormat
import StoreMigration

/// A diagnosis, as `momtool doctor` gives it.
package struct DiagnosisReport: Sendable, Encodable, Rendering {
    /// What is wrong with a store.
    package struct Finding: Sendable, Encodable {
        package var rule: String
        /// How bad it is.
        package var severity: String
        /// The entity, if it is about one.
        package var entity: String?
        /// The property, if it is about one.
        package var property: String?
        /// What is wrong.
        package var message: String
        /// How many rows, or objects of the schema, it is true of.
        package var count: Int
        /// The keys of the first rows.
        package var keys: [Int64]
        /// All of that on one line.
        package var text: String
    }

    /// What the file of a store is like.
    package struct File: Sendable, Encodable {
        /// The size of the main file in bytes.
        package var bytes: Int
        /// The size of the write-ahead log in bytes.
        package var logBytes: Int
        /// The size of the journal of an interrupted write in bytes.
        package var journalBytes: Int
        package var pages: Int
        package var freePages: Int
        /// The pages that persistent history takes; absent when SQLite does not say.
        package var historyPages: Int?
        /// The changes in persistent history.
        package var historyChanges: Int
        /// The system that wrote the store last, about.
        package var system: String?
        /// Whether it holds its model.
        package var hasModel: Bool
        /// The same in words, fact by fact.
        package var facts: [String]
    }

    /// Whether a log tells of the store that came with it.
    package struct Agreement: Sendable, Encodable {
        /// The line of the log that shows hashes.
        package var line: Int
        /// Whether they are those of the store.
        package var isSame: Bool
        /// The entities whose hashes differ.
        package var differences: [String]
    }

    /// An answer to the question which version wrote a store.
    package struct Writer: Sendable, Encodable {
        /// Where a log has its hashes.
        package var place: String?
        /// The versions; several when they have equal hashes.
        package var versions: [String]
        /// The commits that had them, of versions out of git's history.
        package var commits: [VersionCommitsReport] = []
        /// What proves it.
        package var proof: String?
        /// Which of several equal versions it was, and what tells, in words; absent when there is one only.
        package var writer: String?
        /// The version that differs least when none fits.
        package var nearest: String?
        /// The version that was taken out of the model, whose hashes its lock keeps.
        package var pruned: String?
        /// The version that the lock holds, and whose source is missing, was changed or cannot be read.
        package var locked: String?
        /// What that means, in words.
        package var remark: String?
        /// What differs in it.
        package var differences: [String]
        /// What Core Data does, in short: opens, migrates, fails, refuses, no source model, unknown.
        package var outcome: String
        /// The codes that it gives.
        package var codes: [Int]
        /// What it does, in words.
        package var forecast: [String]
    }

    /// What a log says went wrong.
    package struct Symptom: Sendable, Encodable {
        package var line: Int
        /// The code of Core Data or SQLite; absent where words alone tell.
        package var code: Int?
        /// What it says.
        package var title: String
        /// What that means.
        package var meaning: String
    }

    /// A way out.
    package struct Way: Sendable, Encodable {
        /// What it does.
        package var advice: String
        package var command: String?
    }

    /// The path of the store or the log.
    package var subject: String
    /// The path of the log that came with a store.
    package var log: String?
    /// Whether that log tells of this store.
    package var agreement: Agreement?
    /// Which version wrote it, and what Core Data does.
    package var writers: [Writer]
    /// What went wrong by the words of the log.
    package var symptoms: [Symptom]
    /// What the file is like; absent for a log.
    package var file: File?
    /// What is wrong with the file.
    package var findings: [Finding]
    /// What to do.
    package var waysOut: [Way]
    /// Why the store could not be looked at, among several; absent where it was.
    package var error: String?

    /// Creates the report of a store that could not be looked at.
    package init(of store: String, error: String) {
        (subject, self.error) = (store, error)
        (writers, symptoms, findings, waysOut) = ([], [], [], [])
    }

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - diagnosis: what was found.
    ///   - commits: the commits that had each version, by its name.
    package init(_ diagnosis: Diagnosis, commits: [String: VersionCommitsReport] = [:]) {
        subject = diagnosis.subject
        log = diagnosis.log
        agreement = diagnosis.agreement.map(Agreement.init)
        writers = diagnosis.writers.map { writer in
            var writer = Writer(writer)
            writer.commits = (writer.versions + [writer.nearest].compactMap(\.self))
                .compactMap { commits[$0] }
            return writer
        }
        symptoms = diagnosis.symptoms.map { symptom in
            let words = symptom.kind.words
            return Symptom(
                line: symptom.line,
                code: symptom.kind.number,
                title: words.title,
                meaning: words.meaning
            )
        }
        file = diagnosis.file.map(File.init)
        findings = diagnosis.findings.map(Finding.init)
        waysOut = diagnosis.waysOut.map {
            Way(advice: $0.advice.commandWords, command: $0.command?.commandWords)
        }
    }

    /// Writes the report.
    package func rendered(as format: ReportFormat) -> String {
        format == .json ? json(self) : text
    }

    private var text: String {
        if let error { return error }
        var parts = [(subject + (log.map { ", \($0)" } ?? "")).onOneLine]
        if !symptoms.isEmpty {
            let lines = symptoms.map { "  line \($0.line): \($0.title): \($0.meaning)" }
            parts.append(textLines(["what the log says"] + lines))
        }
        if let agreement { parts.append(agreement.text) }
        for writer in writers { parts.append(writer.text) }
        if writers.isEmpty, findings.isEmpty {
            parts.append("which version wrote it\n  unknown: no hash was found")
        }
        let wrong = (file?.facts ?? []) + findings.map(\.text)
        if !wrong.isEmpty {
            parts.append(textLines(["the file"] + wrong.map { "  \($0)" }))
        }
        if !waysOut.isEmpty {
            let lines = waysOut.flatMap { way in
                ["  \(way.advice)"] + (way.command.map { ["    \($0)"] } ?? [])
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
                "it is of another model: no version of this one has any of its entities "
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
        self.writer = writer.teller.map { name, proof in
            proof == .nothing
                ? "nothing tells which of them it was; '\(name)' is assumed"
                : "it was '\(name)', as \(proof.words) tells"
        }
        (outcome, codes, forecast) = writer.forecast.words
        if writer.goesBack {
            forecast.append("this goes back: the store is of a newer version than the current one")
        }
        if let obstacle = writer.obstacle {
            forecast.append("momtool does not migrate it as it is: \(obstacle.commandWords)")
        }
        switch writer.roundabout {
        case .through(let title)?: forecast.append("momtool goes another way: \(title)")
        case .nowhere?:
            forecast.append("no chain of the versions and mapping models at hand leads there")
        case nil: break
        }
        forecast += writer.notes.map(\.commandWords)
    }

    fileprivate var text: String {
        var lines = ["which version wrote it" + (place.map { " (\($0))" } ?? "")]
        if let remark {
            lines.append("  \(remark)")
        } else if let nearest {
            lines.append("  no version of the model; nearest is '\(nearest)', which differs in")
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

extension DiagnosisReport.Writer {
    /// Whether Core Data opens the store, or no model was named and the store fits its own.
    var isContent: Bool {
        outcome == "opens"
            || outcome == "unknown" && proof == WriterIdentity.Proof.ownModel.words
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
                ["momtool cannot tell: name the app's model by --model, or give all hashes"]
            )
        case .migrates(let mapping, let rows):
            (
                "migrates", [],
                [
                    "migrates it by an inferred mapping (\(mapping.verdict.words));"
                        + " where migration is off: \(CoreDataErrorCode.incompatibleVersionHash.line)"
                ] + rows.map { "at stake: \($0.wording.commandWords)" }
            )
        case .migratesAlong(let road, let names, let rows):
            described(along: road, names, rows)
        case .migratesUnseen(let path): described(along: .mappingModel(path), "", [])
        case .stopsInStages(let path, let reason):
            ("refuses", [], ["the stages of \(path) fail: \(reason.commandWords)"])
        case .failsOnRows(_, let rows):
            (
                "fails", [CoreDataErrorCode.migration.number],
                ["infers a mapping and fails on rows: \(CoreDataErrorCode.migration.line)"]
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
                    "momtool cannot tell whether Core Data takes the model that a store carries instead",
                ]
            )
        }
    }
}

/// What is told of a migration by a mapping model or in several steps.
private func described(
    along road: AppRoad,
    _ names: String,
    _ rows: [RowFinding]
) -> (outcome: String, codes: [Int], lines: [String]) {
    let what =
        switch road {
        case .mappingModel(let path):
            "migrates it by the mapping model \(path), if the app has it"
        case .stages(let path): "migrates it through the stages of \(path): \(names)"
        case .plan: "migrates it through the versions of the app's plan: \(names)"
        case .planWithCode(_, let names):
            "migrates it through the versions of the app's plan: \(names); its custom stages run Swift code, which is not run here"
        case .code: "the app's own code migrates it before (migration: stepwise): \(names)"
        }
    // What the code does to the rows before a step is not known.
    let fails = !road.runsUnknownCode && rows.contains { $0.risk.isFatal }
    let migration = CoreDataErrorCode.migration
    let end =
        fails
        ? ", and fails on rows: \(migration.line)"
        : road == .code
            ? "" : "; where migration is off: \(CoreDataErrorCode.incompatibleVersionHash.line)"
    return (
        fails ? "fails" : "migrates", fails ? [migration.number] : [],
        [what + end]
            + rows.map { finding in
                road.runsUnknownCode
                    ? "at stake without that code: \(finding.unnamedWording.commandWords)"
                    : (fails ? "" : "at stake: ") + finding.wording.commandWords
            }
    )
}

/// What Core Data does by a refusal, and what cures it.
private func lines(of refusal: Refusal) -> [String] {
    let element = [refusal.entity, refusal.property].compactMap(\.self)
    // Without a code it is not known what Core Data does.
    let how =
        refusal.code.map {
            (refusal.raisesException ? "raises an exception" : "refuses") + ": \($0.line)"
        } ?? "momtool cannot tell what Core Data does"
    return [
        "\(how): \(element.joined(separator: ".")): \(refusal.reason)", "  \(refusal.cure)",
    ]
}

extension CoreDataErrorCode {
    fileprivate var line: String { "\(number) \(constantName)" }
}
