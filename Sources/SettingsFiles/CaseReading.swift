public import Diagnostics
import YAMLReading

extension RuleID {
    /// A fixture case that is not understood.
    public static let brokenCase: RuleID = "broken-case"
}

/// Reads the text of a `case.yml`.
///
/// - Parameters:
///   - text: the text, at most a megabyte.
///   - path: the path that diagnostics name.
/// - Returns: what could be read; whatever is not understood is an error at its line and column. What is wrong with a
///   list of stages is kept with that.
public func readCaseFile(_ text: String, path: String) -> Diagnosed<CaseFile> {
    var reader = CaseReader(path: path)
    if let root = reader.document.parse(text) { reader.read(root) }
    return Diagnosed(reader.file, reader.document.diagnostics)
}

private struct CaseReader {
    var document: YAMLDocument
    var file = CaseFile(model: "", from: "")

    init(path: String) {
        document = YAMLDocument(path: path, rule: .brokenCase)
    }

    private enum Key: String, CaseIterable {
        case model, from, to, stages, mappingModels, policies, expect, allowDataLoss, facts, skip
    }

    mutating func read(_ root: YAMLNode) {
        let entries = document.entries(root, "the case")
        for (name, value) in entries {
            guard let key = name.scalar.flatMap({ Key(rawValue: $0.string) }) else {
                document.unknown(name, among: Key.allCases.map(\.rawValue))
                continue
            }
            read(key, value)
        }
        for key in [Key.model, .from]
        where !entries.contains(where: { $0.key.string == key.rawValue }) {
            document.report("'\(key.rawValue)' is missing", at: root)
        }
    }

    private mutating func read(_ key: Key, _ value: YAMLNode) {
        switch key {
        case .model: file.model = document.text(value, "'model'") ?? ""
        case .from: file.from = document.text(value, "'from'") ?? ""
        case .to: file.to = document.text(value, "'to'")
        case .stages:
            file.stages =
                value.scalar == nil
                ? .list(readStages(value, path: document.path))
                : document.text(value, "'stages'").map { .file($0) }
        case .mappingModels:
            file.mappingModels = document.items(value, "'mappingModels'").compactMap {
                document.text($0, "a mapping model, or a folder of them")
            }
        case .policies: file.policies = document.policies(value)
        case .expect: readExpectation(value)
        case .allowDataLoss: file.allowsDataLoss = document.lossAgreement(value)
        case .facts: file.facts = document.items(value, "'facts'").map { fact($0) }
        case .skip: file.skipReason = document.text(value, "'skip'")
        }
    }

    /// Reads a word, or a word with what the message must say.
    private mutating func readExpectation(_ node: YAMLNode) {
        var (word, code, message) = (node, nil as Int?, nil as String?)
        if node.scalar == nil {
            let endings = document.entries(node, "'expect'")
            guard endings.count == 1 else {
                return document.report("'expect' names one ending", at: node)
            }
            word = endings[0].key
            for (key, value) in document.entries(endings[0].value, "an ending") {
                switch key.string {
                case "code":
                    code = value.int
                    if code == nil { document.report("write a number", at: value) }
                case "message": message = document.text(value, "'message'")
                default: document.unknown(key, among: ["code", "message"])
                }
            }
        }
        switch word.string {
        case "migrated": file.expectation = .migrated
        case "refused": file.expectation = .refused(code: code, message: message)
        case "failed": file.expectation = .failed(message: message)
        default:
            let name = word.scalar?.string ?? "this"
            document.report(
                "'\(name)' is no expectation; write migrated, refused or failed",
                at: word
            )
        }
    }

    private mutating func fact(_ node: YAMLNode) -> CaseFile.Fact {
        var fact = CaseFile.Fact()
        for (key, value) in document.entries(node, "a fact") {
            switch key.string {
            case "sql": fact.sql = document.text(value, "'sql'") ?? ""
            // An empty line is what a row of one NULL gives.
            case "gives":
                fact.gives = document.items(value, "'gives'").compactMap { line in
                    guard let text = line.scalar?.string else {
                        document.report("write a text for a row", at: line)
                        return nil
                    }
                    return text
                }
            default: document.unknown(key, among: ["sql", "gives"])
            }
        }
        if fact.sql.isEmpty { document.report("'sql' is missing", at: node) }
        return fact
    }
}
