package import Diagnostics
package import MigrationPlanning
import YAMLReading

/// The contents of a `case.yml`: rows at an old version of a model, and their expected result.
package struct CaseFile: Sendable, Hashable {
    package enum Expectation: Sendable, Hashable {
        /// The rows that are expected, and no others.
        case migrated
        /// The rows that are expected, with what they name; other rows and properties do not count.
        case contains
        /// A refusal before anything is done, with Apple's error code and a part of the message where given.
        case refused(code: Int?, message: String?)
        /// A failure while running, as of a stage's script, with a part of the message where given.
        case failed(message: String?)
    }

    package enum Stages: Sendable, Hashable {
        /// The path of a stages file, from the folder.
        case file(String)
        /// The list in `case.yml` itself.
        case list(Diagnosed<StagesFile>)
    }

    package enum Rows: Sendable, Hashable {
        /// The path of a file, from the folder.
        case file(String)
        /// The rows in the file of the case itself.
        case text(RowText)
    }

    /// A query on the migrated store, for what rows in the model's terms do not show.
    package struct Fact: Sendable, Hashable {
        package var sql = ""
        /// Its rows, a line each, the values joined by `|`.
        package var gives: [String] = []
        /// `nil` where no file holds it.
        package var location: FileLocation?
    }

    /// The locations of the values, by key; empty where no file holds the case.
    package var places: [String: FileLocation] = [:]

    /// The name, where the file has several cases.
    package var name: String?
    /// The rows of the old version, where they are not in `before.json` or `before.sqlite`.
    package var before: Rows?
    /// The rows that are expected, where they are not in `after.json`.
    package var after: Rows?
    package var bases: [String] = []
    /// Whether missing required values of the old version are made up.
    package var fillsValues = false
    package var model: String
    package var from: String
    /// The current one when left out.
    package var to: String?
    /// The stages; `nil` for those of the configuration, or none.
    package var stages: Stages?
    /// The mapping models, or folders with them; the one for the step is used.
    package var mappingModels: [String] = []
    /// The migration policies of mapping models: `delete`, `copy`, or the path of a map.
    package var policies: [String: String] = [:]
    package var expectation: Expectation
    package var allowsDataLoss: LossAgreement
    package var facts: [Fact] = []
    /// Why the case does not run; `nil` when it does.
    package var skipReason: String?

    package init(
        model: String,
        from: String,
        to: String? = nil,
        stages: Stages? = nil,
        expectation: Expectation = .migrated,
        allowsDataLoss: LossAgreement = .none
    ) {
        (self.model, self.from, self.to, self.stages) = (model, from, to, stages)
        (self.expectation, self.allowsDataLoss) = (expectation, allowsDataLoss)
    }
}

extension RuleID { package static let brokenCase: RuleID = "broken-case" }

/// Reads the text of a `case.yml`, at most a megabyte; faults have a line and column.
///
/// Faults of a list of stages are kept with that.
package func readCaseFile(_ text: String, path: String) -> Diagnosed<[CaseFile]> {
    var reader = CaseReader(path: path)
    var cases: [CaseFile] = []
    if let root = reader.document.parse(text) { cases = reader.readAll(root) }
    return Diagnosed(cases, reader.document.diagnostics)
}

private struct CaseRefusal {
    var code: Int?
    var message: String?
}

private struct CaseReader {
    var document: YAMLDocument
    var file = CaseFile(model: "", from: "")

    init(path: String) { document = YAMLDocument(path: path, rule: .brokenCase) }

    private enum Key: String, CaseIterable {
        case model, from, to, base, fill, before, stages, mappingModels, policies, expect, after
        case allowDataLoss, facts, skip
    }

    private static let casesKey = "cases"

    private static let removed = [
        "then":
            "'then' no longer exists: a case compares rows after the migration; remove it, and write the expected rows "
            + "under 'after' and numbers of rows under 'facts'",
        "limits": YAMLDocument.removedLimits,
    ]

    /// Reads the case of a file, or all under `cases`, each with the settings for all.
    mutating func readAll(_ root: YAMLNode) -> [CaseFile] {
        let entries = document.entries(root, "the case")
        let list = entries.first { $0.key.string == Self.casesKey }
        read(entries.filter { $0.key.string != Self.casesKey }, [Self.casesKey])
        guard let list else {
            requireAll(at: root)
            return [file]
        }
        let shared = file
        return document.entries(list.value, "'cases'").compactMap { key, value in
            guard let name = document.text(key, "a case") else { return nil }
            if name.contains("/") || name.hasPrefix(".") {
                document.report(
                    "the name of a case must not contain '/' or begin with '.'",
                    at: key
                )
            }
            file = shared
            file.name = name
            read(document.entries(value, "the case '\(name)'"), [])
            requireAll(at: key)
            return file
        }
    }

    private mutating func read(_ entries: [(key: YAMLNode, value: YAMLNode)], _ more: [String]) {
        for (name, value) in entries {
            guard let key = name.scalar.flatMap({ Key(rawValue: $0.string) }) else {
                if let message = name.string.flatMap({ Self.removed[$0] }) {
                    document.report(message, at: name)
                } else {
                    document.unknown(name, among: Key.allCases.map(\.rawValue) + more)
                }
                continue
            }
            read(key, value)
        }
    }

    private mutating func requireAll(at node: YAMLNode) {
        // The fault is reported already.
        guard document.diagnostics.isEmpty else { return }
        if file.model.isEmpty { document.report("'model' is missing", at: node) }
        if file.from.isEmpty { document.report("'from' is missing", at: node) }
    }

    private mutating func read(_ key: Key, _ value: YAMLNode) {
        file.places[key.rawValue] = document.location(value)
        switch key {
        case .model: file.model = document.path(value, "'model'") ?? ""
        case .from: file.from = document.text(value, "'from'") ?? ""
        case .to: file.to = document.text(value, "'to'")
        case .base: file.bases = paths(value, "'base'")
        case .fill: file.fillsValues = document.boolean(value) ?? false
        case .before: file.before = rows(value, "'before'")
        case .after: file.after = rows(value, "'after'")
        case .stages:
            file.stages =
                value.scalar == nil
                ? .list(readStages(value, path: document.path))
                : document.path(value, "'stages'").map { .file($0) }
        case .mappingModels: file.mappingModels = paths(value, "'mappingModels'")
        case .policies: file.policies = document.policies(value)
        case .expect: readExpectation(value)
        case .allowDataLoss: file.allowsDataLoss = document.lossAgreement(value)
        case .facts: file.facts = document.items(value, "'facts'").map { fact($0) }
        case .skip: file.skipReason = document.text(value, "'skip'")
        }
    }

    private mutating func paths(_ node: YAMLNode, _ what: String) -> [String] {
        let nodes = node.scalar == nil ? document.items(node, what) : [node]
        return nodes.compactMap { document.path($0, "a path for \(what)") }
    }

    private mutating func rows(_ node: YAMLNode, _ what: String) -> CaseFile.Rows? {
        if node.scalar != nil { return document.path(node, what).map { .file($0) } }
        guard node.mapping != nil else {
            document.report("write a path, or entities and their rows, for \(what)", at: node)
            return nil
        }
        return .text(RowText(rows: node, path: document.path))
    }

    /// Reads a word, or a word with a part of the message.
    private mutating func readExpectation(_ node: YAMLNode) {
        var (word, refusal) = (node, CaseRefusal())
        if node.scalar == nil {
            let endings = document.entries(node, "'expect'")
            guard endings.count == 1 else {
                return document.report("'expect' takes only one outcome", at: node)
            }
            word = endings[0].key
            refusal = self.refusal(endings[0].value)
        }
        switch word.string {
        case "migrated": file.expectation = .migrated
        case "contains": file.expectation = .contains
        case "refused": file.expectation = .refused(code: refusal.code, message: refusal.message)
        case "failed": file.expectation = .failed(message: refusal.message)
        default:
            let name = word.scalar?.string ?? "this"
            document.report(
                "'\(name)' is not an expectation; write migrated, contains, refused or failed",
                at: word
            )
        }
    }

    /// Reads a code, or a code with a part of the message.
    private mutating func refusal(_ node: YAMLNode) -> CaseRefusal {
        var refusal = CaseRefusal()
        if node.isNull { return refusal }
        if node.scalar != nil {
            refusal.code = node.int
            if refusal.code == nil { document.report("write a number", at: node) }
            return refusal
        }
        for (key, value) in document.entries(node, "an ending") {
            switch key.string {
            case "code":
                refusal.code = value.int
                if refusal.code == nil { document.report("write a number", at: value) }
            case "message": refusal.message = document.text(value, "'message'")
            default: document.unknown(key, among: ["code", "message"])
            }
        }
        return refusal
    }

    private mutating func fact(_ node: YAMLNode) -> CaseFile.Fact {
        var fact = CaseFile.Fact()
        fact.location = document.location(node)
        for (key, value) in document.entries(node, "a fact") {
            switch key.string {
            case "sql": fact.sql = document.text(value, "'sql'") ?? ""
            // An empty line is the result for a row of one NULL.
            case "gives":
                fact.gives = document.items(value, "'gives'").compactMap { line in
                    guard let text = line.scalar?.string else {
                        document.report("write a row as a string", at: line)
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
