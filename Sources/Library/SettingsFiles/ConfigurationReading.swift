package import Diagnostics
import ModelChecking
import ModelLanguage
import SwiftDataReading
import YAMLReading

/// Reads the text of a `.momtool.yml`, at most a megabyte.
///
/// What cannot be understood is an error at its line; nothing is skipped silently.
package func readConfiguration(_ text: String, path: String) -> Diagnosed<ToolConfiguration> {
    var reader = ConfigurationReader(path: path)
    if let root = reader.document.parse(text, mayBeEmpty: true) { reader.read(root) }
    return Diagnosed(reader.configuration, reader.document.diagnostics)
}

private struct ConfigurationReader {
    var document: YAMLDocument
    var configuration: ToolConfiguration

    init(path: String) {
        document = YAMLDocument(path: path, rule: "invalid-configuration")
        configuration = ToolConfiguration(path: path)
    }

    private static let keys = [
        "allowDataLoss", "claimants", "joinTables", "lint", "lock", "losses", "mappingModels",
        "migration", "order", "policies", "releases", "rows", "rules", "stages", "swift", "types",
    ]

    mutating func read(_ root: YAMLNode) {
        let all = entries(root, "the configuration")
        // Ignored rules may be defined in the file.
        for (key, value) in all where key.string == "rules" {
            configuration.check.houseRules = document.houseRules(value)
        }
        for (key, value) in all {
            switch key.string {
            case "rules": continue
            case "allowDataLoss":
                configuration.allowsDataLoss = document.lossAgreement(value)
                noteNames(in: value, of: nil)
            case "claimants": configuration.claimants = names(value, "'claimants'")
            case "joinTables": configuration.namingRelationships = names(value, "'joinTables'")
            case "limits": document.report(YAMLDocument.removedLimits, at: key)
            case "lint": readLint(value)
            case "lock": readLock(value)
            case "losses": readLosses(value)
            case "order":
                configuration.versionOrder = names(value, "'order'")
                note(value.sequence.map(Array.init) ?? [])
            case "migration": readMigration(value)
            case "mappingModels":
                configuration.mappingModels = paths(value, "'mappingModels'")
                note(value.sequence.map(Array.init) ?? [])
            case "policies":
                configuration.policies = document.policies(value)
                note(entries(value, "'policies'").flatMap { [$0.key, $0.value] })
            case "releases":
                configuration.releases = texts(value, "'releases'")
                note(value.sequence.map(Array.init) ?? [])
            case "rows":
                for (name, value) in entries(value, "'rows'") {
                    guard let name = document.text(name, "a version's name") else { continue }
                    configuration.rows[name] = document.path(value, "the rows of '\(name)'")
                }
            case "stages": configuration.stages = paths(value, "'stages'")
            case "swift": readSwift(value)
            case "types": readTypes(value)
            default: document.unknown(key, among: Self.keys)
            }
        }
    }

    /// Reads the agreed losses: a list of names for each version.
    private mutating func readLosses(_ node: YAMLNode) {
        for (key, value) in entries(node, "'losses'") {
            guard let version = document.text(key, "a version's name") else { continue }
            configuration.losses[version] = document.namedLosses(value)
            configuration.namedLosses.append(
                NamedLoss(version: version, name: nil, at: document.location(key))
            )
            noteNames(in: value, of: version)
        }
    }

    /// Keeps the locations of names, so that one that matches nothing can be shown.
    private mutating func noteNames(in node: YAMLNode, of version: String?) {
        for item in node.sequence ?? [node] {
            guard let name = item.string, item.bool == nil, !item.isNull else { continue }
            configuration.namedLosses.append(
                NamedLoss(version: version, name: name, at: document.location(item))
            )
        }
    }

    private mutating func note(_ nodes: [YAMLNode]) {
        for node in nodes {
            guard let text = node.scalar?.string else { continue }
            configuration.locations[text] = document.location(node)
        }
    }

    private mutating func readMigration(_ node: YAMLNode) {
        switch node.scalar?.string {
        case "direct": configuration.saysMigration = true
        case "stepwise": (configuration.isStepwise, configuration.saysMigration) = (true, true)
        default: document.report("write direct or stepwise", at: node)
        }
    }

    private mutating func readLock(_ node: YAMLNode) {
        for (key, value) in entries(node, "'lock'") {
            switch key.string {
            case "unshipped":
                configuration.unshippedVersions = names(value, "'unshipped'")
                note(value.sequence.map(Array.init) ?? [])
            default: document.unknown(key, among: ["unshipped"])
            }
        }
    }

    private mutating func names(_ node: YAMLNode, _ what: String) -> [String] {
        var names: [String] = []
        var known: Set<String> = []
        for item in document.items(node, what) {
            guard let name = document.text(item, "a name"), !name.isEmpty else { continue }
            if !known.insert(name).inserted {
                document.report("'\(name)' already exists", at: item)
            }
            names.append(name)
        }
        return names
    }

    private mutating func readLint(_ node: YAMLNode) {
        for (key, value) in entries(node, "'lint'") {
            switch key.string {
            case "versions": readScope(value)
            case "rules": readRules(value)
            case "ignore": readSuppressions(value)
            default: document.unknown(key, among: ["versions", "rules", "ignore"])
            }
        }
    }

    private mutating func readSwift(_ node: YAMLNode) {
        for (key, value) in entries(node, "'swift'") {
            switch key.string {
            case "define": configuration.swift.definitions = Set(texts(value, "'define'"))
            case "platform":
                let platform = document.text(value, "'platform'")
                configuration.swift.platform = platform ?? configuration.swift.platform
            case "models": configuration.swift.modelTypes = texts(value, "'models'")
            case "cloudkit": configuration.swift.isUsedWithCloudKit = document.boolean(value)
            case "sources": configuration.swift.sources = paths(value, "'sources'")
            case "exclude": configuration.swift.excluded = texts(value, "'exclude'")
            case "inverses": readInverses(value)
            default:
                document.unknown(
                    key,
                    among: [
                        "cloudkit", "define", "exclude", "inverses", "models", "platform",
                        "sources",
                    ]
                )
            }
        }
    }

    private mutating func readInverses(_ node: YAMLNode) {
        for (key, value) in entries(node, "'inverses'") {
            guard let name = document.text(key, "a relationship's name"),
                let inverse = document.text(value, "'\(name)'")
            else { continue }
            let isPath = name.split(separator: ".").count == 2
            guard isPath, inverse == "none" || inverse.split(separator: ".").count == 2 else {
                document.report("write Item.folder: Folder.items, or none", at: key)
                continue
            }
            configuration.swift.inverses[name] = inverse
        }
    }

    private mutating func texts(_ node: YAMLNode, _ what: String) -> [String] {
        document.texts(node, what, "an item of \(what)")
    }

    private mutating func paths(_ node: YAMLNode, _ what: String) -> [String] {
        document.paths(node, what, "an item of \(what)")
    }

    /// Reads types of other modules: another type, an enum, or the values of a struct.
    private mutating func readTypes(_ node: YAMLNode) {
        for (key, value) in entries(node, "'types'") {
            guard let name = document.text(key, "a type's name") else { continue }
            guard value.mapping != nil else {
                let type = document.text(value, "'\(name)'")
                configuration.swift.types[name] = type.map { .alias($0) }
                continue
            }
            let fields = entries(value, "'\(name)'").compactMap { key, value in
                document.text(value, "'\(name)'").map {
                    ForeignType.Field(name: key.string ?? "", type: $0)
                }
            }
            if fields.count == 1, fields[0].name == "enum" {
                configuration.swift.types[name] = .rawValues(of: fields[0].type)
            } else {
                configuration.swift.types[name] = .fields(fields)
            }
        }
    }

    private mutating func readScope(_ node: YAMLNode) {
        switch node.scalar?.string {
        case "all": configuration.check.scope = .all
        case "changeable": configuration.check.scope = .changeable
        default: document.report("use all or changeable", at: node)
        }
    }

    private mutating func readRules(_ node: YAMLNode) {
        for (key, value) in entries(node, "'rules'") {
            guard let rule = rule(key) else { continue }
            switch value.scalar?.string {
            case "off": configuration.check.settings[rule] = .off
            case let word?:
                guard let severity = Severity(rawValue: word) else { fallthrough }
                configuration.check.settings[rule] = .severity(severity)
            default: document.report("use off, note, warning or error", at: value)
            }
        }
    }

    private mutating func readSuppressions(_ node: YAMLNode) {
        for item in document.items(node, "'ignore'") {
            var suppression = Suppression(rule: nil, reason: "")
            for (key, value) in entries(item, "an item of 'ignore'") {
                switch key.string {
                case "rule": suppression.rule = rule(value)
                case "element": suppression.element = document.text(value, "'element'")
                case "version":
                    suppression.version = document.text(value, "'version'")
                    suppression.location = document.location(value)
                case "reason": suppression.reason = document.text(value, "'reason'") ?? ""
                default: document.unknown(key, among: ["rule", "element", "version", "reason"])
                }
            }
            guard !suppression.reason.isEmpty else {
                document.report("give a reason for ignoring it", at: item)
                continue
            }
            configuration.check.suppressions.append(suppression)
        }
    }

    private mutating func rule(_ node: YAMLNode) -> RuleID? {
        let name = node.scalar?.string ?? ""
        let own = configuration.check.houseRules.map(\.id.rawValue)
        if own.contains(name) { return RuleID(rawValue: name) }
        guard let rule = Rule.named(name) else {
            let nearest = suggestion(for: name, among: own + Rule.all.map(\.id.rawValue))
            let message: Wording = "there is no rule '\(name)'\(nearest); \(.rules) lists them"
            document.report(saying: message, at: node)
            return nil
        }
        return rule.id
    }

    /// An empty section is allowed.
    private mutating func entries(_ node: YAMLNode, _ what: String) -> [(
        key: YAMLNode, value: YAMLNode
    )] { document.entries(node, what, mayBeEmpty: true) }
}

extension YAMLDocument {
    /// Reads the rules of a team; faults are errors at their location.
    mutating func houseRules(_ node: YAMLNode) -> [HouseRule] {
        var rules: [HouseRule] = []
        for item in items(node, "'rules'") {
            guard let rule = houseRule(item) else { continue }
            guard !rules.contains(where: { $0.id == rule.id }) else {
                report("the rule '\(rule.id.rawValue)' already exists", at: item)
                continue
            }
            rules.append(rule)
        }
        return rules
    }

    private static let ruleKeys = [
        "id", "for", "when", "message", "severity", "applies", "passes", "fails",
    ]

    private mutating func houseRule(_ node: YAMLNode) -> HouseRule? {
        var values: [String: YAMLNode] = [:]
        for (key, value) in entries(node, "an item of 'rules'") {
            guard let name = key.string, Self.ruleKeys.contains(name) else {
                unknown(key, among: Self.ruleKeys)
                continue
            }
            values[name] = value
        }
        let id = values["id"].flatMap { houseRuleID($0) }
        let subject = values["for"].flatMap { choice($0, HouseRule.Subject.self) }
        let condition = values["when"].flatMap { predicate($0) }
        let message = values["message"].flatMap { text($0, "'message'") }
        for name in ["id", "for", "when", "message"] where values[name] == nil {
            report("give the rule '\(name)'", at: node)
        }
        guard let id, let subject, let condition, let message else { return nil }
        var rule = HouseRule(
            id,
            for: subject,
            when: condition,
            message: message,
            at: location(node)
        )
        if let value = values["severity"], let severity = choice(value, Severity.self) {
            rule.severity = severity
        }
        if let value = values["applies"], let applies = choice(value, HouseScope.self) {
            rule.appliesToNew = applies == .new
        }
        rule.passes = values["passes"].map { examples($0, "'passes'") } ?? []
        rule.fails = values["fails"].map { examples($0, "'fails'") } ?? []
        let faults = rule.faults
        for fault in faults { report(fault, at: values["when"]) }
        return faults.isEmpty ? rule : nil
    }

    /// Reads an ID in the form of momtool's rules, which is none of theirs.
    private mutating func houseRuleID(_ node: YAMLNode) -> RuleID? {
        guard let name = text(node, "'id'") else { return nil }
        let isKebab = name.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
        }
        guard isKebab, name.first != "-", name.last != "-" else {
            report(
                "write an ID in lower-case letters, digits and hyphens, such as acme-no-binary",
                at: node
            )
            return nil
        }
        guard Rule.named(name) == nil else {
            report("momtool has its own rule '\(name)'; choose another name", at: node)
            return nil
        }
        return RuleID(rawValue: name)
    }

    private mutating func predicate(_ node: YAMLNode) -> Predicate? {
        guard let text = text(node, "'when'") else { return nil }
        do throws(PredicateSyntaxError) { return try Predicate(parsing: text) } catch {
            let before = String(decoding: text.utf8.prefix(error.offset), as: UTF8.self)
            report("character \(before.count + 1) of the condition: \(error)", at: node)
            return nil
        }
    }

    private mutating func choice<Choice: RawRepresentable & CaseIterable>(
        _ node: YAMLNode,
        _ type: Choice.Type
    ) -> Choice? where Choice.RawValue == String {
        if let choice = node.string.flatMap({ Choice(rawValue: $0) }) { return choice }
        let names = Choice.allCases.map(\.rawValue)
        report("use \(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")", at: node)
        return nil
    }

    private mutating func examples(_ node: YAMLNode, _ what: String) -> [HouseRule.Example] {
        items(node, what).compactMap { item in
            let versions = (item.sequence ?? [item]).compactMap { text($0, "an example") }
            return versions.isEmpty ? nil : HouseRule.Example(versions, at: location(item))
        }
    }
}

private enum HouseScope: String, CaseIterable { case new, all }
