import Diagnosing
import Diagnostics
import Essentials
import LogReading
import MappingInference

extension DiagnosisReport.Finding {
    init(_ finding: Diagnostic) {
        rule = finding.rule.rawValue
        severity = finding.severity.rawValue
        (entity, property) = (finding.entity, finding.property)
        (message, count, keys) = (finding.reason.commandWords, finding.count, finding.keys)
        text = finding.commandWords
    }
}

extension DiagnosisReport.Agreement {
    init(_ agreement: LogAgreement) {
        switch agreement {
        case .same(let line): (self.line, isSame, differences) = (line, true, [])
        case .other(let line, let entities):
            (self.line, isSame, differences) = (line, false, entities)
        }
    }

    var text: String {
        let what =
            isSame
            ? "the hashes in line \(line) are those of this store"
            : "line \(line) is about a store of another version, or about this one at another time; "
                + "what differs: \(differences.joined(separator: ", "))"
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

extension DiagnosisReport.File {
    init(_ file: FileCondition) {
        (bytes, logBytes, journalBytes) = (file.bytes, file.logBytes, file.journalBytes)
        (pages, freePages) = (file.pages, file.freePages)
        (historyPages, historyChanges) = (file.historyPages, file.historyChanges)
        (system, hasModel) = (file.system, file.hasModel)
        facts = words(of: file)
    }
}

private func words(of file: FileCondition) -> [String] {
    var facts = ["\(file.bytes.counted("byte")), \(file.pages.counted("page"))"]
    if let system = file.system { facts[0] += ", in the form that \(system) writes" }
    if file.freePages > 0 {
        facts.append("free: \(file.freePages.counted("page")) (\(percent(file.freeShare)))")
    }
    if file.historyChanges > 0 {
        let share = file.historyShare.map { ", \(percent($0)) of the pages" } ?? ""
        facts.append("persistent history has \(file.historyChanges.counted("change"))\(share)")
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
