import Diagnostics
import FileSystem
import MigrationPlanning
import YAMLReading

/// A strict YAML document: what is not understood is an error at its location.
///
/// Every settings file is read through one; no other type knows YAML.
struct YAMLDocument {
    /// Advice about the cost limits that earlier versions had.
    static let removedLimits =
        "'limits' no longer exists: remove it; the report of a test shows the seconds it took"

    let path: String
    let rule: RuleID
    var diagnostics: [Diagnostic] = []

    /// The greatest size of a settings file in bytes.
    private static let sizeLimit = 1 << 20
    /// The greatest depth of a settings file; the composer recurses for each level.
    private static let depthLimit = 64

    /// Parses a text; `nil` if it is not YAML, or empty, which is a fault unless allowed.
    mutating func parse(_ text: String, mayBeEmpty: Bool = false) -> YAMLNode? {
        guard text.utf8.count <= Self.sizeLimit else {
            report("the file is larger than a megabyte")
            return nil
        }
        guard nestingBound(text) <= Self.depthLimit else {
            report("the file nests deeper than \(Self.depthLimit) levels")
            return nil
        }
        do throws(YAMLFault) {
            let node = try parseYAML(text)
            if node == nil, !mayBeEmpty { report("the file is empty") }
            return node
        } catch {
            let place = FileLocation(path: path, line: error.mark?.line, column: error.mark?.column)
            diagnostics.append(Diagnostic(rule, "the file is not YAML: \(error.reason)", at: place))
        }
        return nil
    }

    func location(_ node: YAMLNode) -> FileLocation {
        FileLocation(path: path, line: node.mark.line, column: node.mark.column)
    }

    private static let faultLimit = 100

    mutating func report(_ message: String, at node: YAMLNode? = nil) {
        report(saying: Wording(message), at: node)
    }

    mutating func report(saying wording: Wording, at node: YAMLNode? = nil) {
        guard diagnostics.count <= Self.faultLimit else { return }
        guard diagnostics.count < Self.faultLimit else {
            let rest = "only the first \(Self.faultLimit) errors are listed"
            let place = FileLocation(path: path)
            return diagnostics.append(Diagnostic(rule, rest, at: place))
        }
        let place = node.map(location) ?? FileLocation(path: path)
        diagnostics.append(Diagnostic(rule, saying: wording, at: place))
    }

    /// Returns the entries of a mapping; anything else is an error, except an empty one if allowed.
    mutating func entries(
        _ node: YAMLNode,
        _ what: String,
        mayBeEmpty: Bool = false
    ) -> [(key: YAMLNode, value: YAMLNode)] {
        guard let mapping = node.mapping else {
            if !mayBeEmpty || node.scalar?.string.isEmpty != true {
                report("write keys and values in \(what)", at: node)
            }
            return []
        }
        return mapping.map { ($0.key, $0.value) }
    }

    mutating func items(_ node: YAMLNode, _ what: String) -> [YAMLNode] {
        guard let sequence = node.sequence else {
            report("write a list for \(what)", at: node)
            return []
        }
        return sequence
    }

    /// Returns the strings of a list, each of which is `item`.
    mutating func texts(_ node: YAMLNode, _ what: String, _ item: String) -> [String] {
        items(node, what).compactMap { text($0, item) }
    }

    /// Returns the paths of a list, each of which is `item`.
    mutating func paths(_ node: YAMLNode, _ what: String, _ item: String) -> [String] {
        items(node, what).compactMap { path($0, item) }
    }

    mutating func text(_ node: YAMLNode, _ what: String) -> String? {
        guard let text = node.scalar?.string, !text.isEmpty else {
            report("write a string for \(what)", at: node)
            return nil
        }
        return text
    }

    /// Returns a path relative to the folder of the file; anything else, or a path out of the project, is an error.
    mutating func path(_ node: YAMLNode, _ what: String) -> String? {
        guard let text = text(node, what) else { return nil }
        guard let fault = boundsFault(text, in: parent(of: path)) else { return text }
        report(fault, at: node)
        return nil
    }

    mutating func boolean(_ node: YAMLNode) -> Bool? {
        guard let value = node.bool else {
            report("use true or false", at: node)
            return nil
        }
        return value
    }

    /// Returns the agreed losses: a truth value, or a name such as `Notice` or `Book.notes`, or a list of them.
    mutating func lossAgreement(_ node: YAMLNode) -> LossAgreement {
        if node.scalar?.isPlain == true, node.bool == nil, !node.isNull, let name = node.string,
            name.first?.isUppercase == true
        {
            return .named([name])
        }
        guard node.sequence != nil else { return boolean(node) == true ? .all : .none }
        return .named(Set(texts(node, "'allowDataLoss'", "an entity or a property")))
    }

    /// Returns the agreed losses of the step into a version: a name or a list of them, never everything.
    mutating func namedLosses(_ node: YAMLNode) -> LossAgreement {
        let names = (node.sequence ?? [node]).compactMap { item -> String? in
            guard item.scalar?.isPlain != true || item.bool == nil else {
                report("name what may be lost, such as Notice or Book.notes", at: item)
                return nil
            }
            return text(item, "an entity or a property")
        }
        return .named(Set(names))
    }

    mutating func policies(_ node: YAMLNode) -> [String: String] {
        var policies: [String: String] = [:]
        for (key, value) in entries(node, "'policies'") {
            guard let name = key.scalar?.string, let what = path(value, "'\(name)'") else {
                continue
            }
            policies[name] = what
        }
        return policies
    }

    mutating func unknown(_ key: YAMLNode, among known: [String]) {
        let name = key.scalar?.string ?? "this key"
        let list = known.joined(separator: ", ")
        let near = suggestion(for: name, among: known)
        report("'\(name)' is unknown here\(near); the keys are \(list)", at: key)
    }
}

/// Returns an upper bound for the nesting of a text.
///
/// Flow collections nest by brackets, block collections by columns, and lists in lists by dashes on one line.
private func nestingBound(_ text: String) -> Int {
    var open = 0
    var deepest = 0
    var widest = 0
    for line in text.utf8.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == 13 }) {
        let lead = line.prefix { byte in
            byte == UInt8(ascii: " ") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "?")
                || byte == UInt8(ascii: ":")
        }
        // Deep indentation inside a quoted or folded text is harmless, and raises the bound of no sane file too far.
        widest = max(widest, lead.count / 2)
        for byte in line {
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "{"): open += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): open = max(0, open - 1)
            default: continue
            }
            deepest = max(deepest, open)
        }
    }
    return deepest + widest
}
