public import Diagnostics
import ModelChecking
import Yams

/// Reads the text of a `.momtool.yml`.
///
/// What cannot be understood is an error at its line; nothing is skipped in silence.
///
/// - Parameters:
///   - text: the text, at most a megabyte.
///   - path: the path that diagnostics name.
/// - Returns: the configuration as far as it could be read.
public func readConfiguration(_ text: String, path: String) -> Diagnosed<ToolConfiguration> {
    var reader = ConfigurationReader(path: path)
    guard text.utf8.count <= 1 << 20 else {
        reader.report("the file is larger than a megabyte", nil)
        return Diagnosed(reader.configuration, reader.diagnostics)
    }
    do {
        guard let node = try compose(yaml: text) else {
            return Diagnosed(reader.configuration)
        }
        reader.read(node)
    } catch let error as YamlError {
        reader.report(error)
    } catch {
        reader.report("the file is no YAML: \(error)", nil)
    }
    return Diagnosed(reader.configuration, reader.diagnostics)
}

private struct ConfigurationReader {
    let path: String
    var configuration: ToolConfiguration
    var diagnostics: [Diagnostic] = []

    init(path: String) {
        self.path = path
        configuration = ToolConfiguration(path: path)
    }

    mutating func read(_ root: Node) {
        for (key, value) in entries(root, "the configuration") {
            switch key.string {
            case "lint": readLint(value)
            default: unknown(key, among: ["lint"])
            }
        }
    }

    mutating func report(_ message: String, _ mark: Mark?) {
        let place = SourceLocation(path: path, line: mark?.line, column: mark?.column)
        diagnostics.append(Diagnostic("invalid-configuration", message, at: place))
    }

    mutating func report(_ error: YamlError) {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            report("the file is no YAML: \(problem)", mark)
        default: report("the file is no YAML", nil)
        }
    }

    private mutating func readLint(_ node: Node) {
        for (key, value) in entries(node, "'lint'") {
            switch key.string {
            case "versions": readScope(value)
            case "rules": readRules(value)
            case "ignore": readSuppressions(value)
            default: unknown(key, among: ["versions", "rules", "ignore"])
            }
        }
    }

    private mutating func readScope(_ node: Node) {
        switch node.scalar?.string {
        case "all": configuration.check.scope = .all
        case "changeable": configuration.check.scope = .changeable
        default: report("write all or changeable", node.mark)
        }
    }

    private mutating func readRules(_ node: Node) {
        for (key, value) in entries(node, "'rules'") {
            guard let rule = rule(key) else { continue }
            switch value.scalar?.string {
            case "off": configuration.check.settings[rule] = .off
            case let word?:
                guard let severity = Severity(rawValue: word) else { fallthrough }
                configuration.check.settings[rule] = .severity(severity)
            default: report("write off, note, warning or error", value.mark)
            }
        }
    }

    private mutating func readSuppressions(_ node: Node) {
        guard let items = node.sequence else {
            report("write a list behind 'ignore'", node.mark)
            return
        }
        for item in items {
            var suppression = Suppression(rule: nil, reason: "")
            for (key, value) in entries(item, "an item of 'ignore'") {
                let text = value.scalar?.string
                if text == nil { report("write a text", value.mark) }
                switch key.string {
                case "rule": suppression.rule = rule(value)
                case "element": suppression.element = text
                case "version": suppression.version = text
                case "reason": suppression.reason = text ?? ""
                default: unknown(key, among: ["rule", "element", "version", "reason"])
                }
            }
            guard !suppression.reason.isEmpty else {
                report("give a reason for what is ignored", item.mark)
                continue
            }
            configuration.check.suppressions.append(suppression)
        }
    }

    private mutating func rule(_ node: Node) -> RuleID? {
        let name = node.scalar?.string ?? ""
        guard let rule = Rule.named(name) else {
            report("there is no rule '\(name)'; momtool rules lists them", node.mark)
            return nil
        }
        return rule.id
    }

    private mutating func entries(_ node: Node, _ what: String) -> [(key: Node, value: Node)] {
        guard let mapping = node.mapping else {
            // An empty section says nothing, and does no harm.
            if node.scalar?.string.isEmpty != true {
                report("write keys and values for \(what)", node.mark)
            }
            return []
        }
        return mapping.map { ($0.key, $0.value) }
    }

    private mutating func unknown(_ key: Node, among known: [String]) {
        let list = known.joined(separator: ", ")
        report("'\(key.scalar?.string ?? "")' is unknown here; there are: \(list)", key.mark)
    }
}
