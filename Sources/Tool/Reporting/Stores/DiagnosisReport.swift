import Essentials
package import Diagnosing
import LogReading
import MappingInference
import ModelDiffing
import StoreFormat

/// A diagnosis, as `momtool doctor` gives it.
package struct DiagnosisReport: Sendable, Codable, Rendering {
    /// An answer to the question which version wrote a store.
    package struct Writer: Sendable, Codable {
        /// Where a log has its hashes.
        package var place: String?
        /// The versions; several when they have equal hashes.
        package var versions: [String]
        /// What proves it.
        package var proof: String?
        /// Which of several equal versions it was, and what tells, in words; absent when there is one only.
        package var writer: String?
        /// The version that differs least when none fits.
        package var nearest: String?
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
    package struct Symptom: Sendable, Codable {
        /// The line.
        package var line: Int
        /// What it says.
        package var title: String
        /// What that means.
        package var meaning: String
    }

    /// A way out.
    package struct Way: Sendable, Codable {
        /// What it does.
        package var advice: String
        /// The command.
        package var command: String?
    }

    /// The path of the store or the log.
    package var subject: String
    /// Which version wrote it, and what Core Data does.
    package var writers: [Writer]
    /// What went wrong by the words of the log.
    package var symptoms: [Symptom]
    /// What the file is like, fact by fact.
    package var file: [String]
    /// What is wrong with the file, as diagnostics say it.
    package var findings: [String]
    /// What to do.
    package var waysOut: [Way]

    /// Creates a report.
    package init(_ diagnosis: Diagnosis) {
        subject = diagnosis.subject
        writers = diagnosis.writers.map(Writer.init)
        symptoms = diagnosis.symptoms.map { symptom in
            let words = symptom.kind.words
            return Symptom(line: symptom.line, title: words.title, meaning: words.meaning)
        }
        file = diagnosis.file.map(facts) ?? []
        findings = diagnosis.findings.map(\.description)
        waysOut = diagnosis.waysOut.map { Way(advice: $0.advice, command: $0.command) }
    }

    /// Writes the report.
    package func rendered(as format: ReportFormat) -> String {
        format == .json ? json(self) : text
    }

    private var text: String {
        var parts = [subject]
        if !symptoms.isEmpty {
            let lines = symptoms.map { "  line \($0.line): \($0.title): \($0.meaning)" }
            parts.append((["what the log says"] + lines).joined(separator: "\n"))
        }
        for writer in writers { parts.append(writer.text) }
        if writers.isEmpty, findings.isEmpty {
            parts.append("which version wrote it\n  unknown: no hash was found")
        }
        let wrong = file + findings
        if !wrong.isEmpty {
            parts.append((["the file"] + wrong.map { "  \($0)" }).joined(separator: "\n"))
        }
        if !waysOut.isEmpty {
            let lines = waysOut.flatMap { way in
                ["  \(way.advice)"] + (way.command.map { ["    \($0)"] } ?? [])
            }
            parts.append((["what to do"] + lines).joined(separator: "\n"))
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
    }

    fileprivate var text: String {
        var lines = ["which version wrote it" + (place.map { " (\($0))" } ?? "")]
        if let nearest {
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
        return (lines + forecast.map { "  \($0)" }).joined(separator: "\n")
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
                ] + rows.map { "at stake: \($0)" }
            )
        case .failsOnRows(_, let rows):
            (
                "fails", [CoreDataErrorCode.migration.number],
                ["infers a mapping and fails on rows: \(CoreDataErrorCode.migration.line)"]
                    + rows.map { "\($0)" }
            )
        case .refused(let mapping):
            (
                "refuses", mapping.refusals.compactMap { $0.code?.number },
                mapping.refusals.flatMap { refusal in
                    let element = [refusal.entity, refusal.property].compactMap(\.self)
                    // Without a code nobody has seen what Core Data does.
                    let how =
                        refusal.code.map {
                            (refusal.raisesException ? "raises an exception" : "refuses")
                                + ": \($0.line)"
                        } ?? "momtool cannot tell what Core Data does"
                    return [
                        "\(how): \(element.joined(separator: ".")): \(refusal.reason)",
                        "  \(refusal.cure)",
                    ]
                }
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

extension CoreDataErrorCode {
    fileprivate var line: String { "\(number) \(constantName)" }
}

private func facts(_ file: FileCondition) -> [String] {
    var facts = ["\(file.bytes.counted("byte")), \(file.pages.counted("page"))"]
    if let system = file.system { facts[0] += ", written last by \(system)" }
    if file.freePages > 0 {
        facts.append("free: \(file.freePages.counted("page")) (\(percent(file.freeShare)))")
    }
    if file.historyChanges > 0 {
        let share = file.historyShare.map { ", \(percent($0)) of the pages" } ?? ""
        facts.append("persistent history holds \(file.historyChanges.counted("change"))\(share)")
    }
    if file.logBytes > 0 {
        facts.append("\(file.logBytes.counted("byte")) of the store are in its write-ahead log")
    }
    if file.journalBytes > 0 {
        facts.append("a write was interrupted, and is rolled back when the store is opened")
    }
    if !file.hasModel { facts.append("it contains no usable model") }
    return facts
}

private func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }
