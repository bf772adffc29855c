import Diagnosing
import Diagnostics
import Essentials
import LogReading
import MappingInference

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
    case .other(let line, let entities):
        ["line": line, "isSame": false, "differences": entities]
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
    /// The same in words, fact by fact.
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
