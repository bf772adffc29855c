package import Diagnostics
import ModelChecking
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
        "migration", "order", "policies", "releases", "rows", "rules", "stages", "swift",
        "types",
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
            case "order": configuration.versionOrder = names(value, "'order'")
            case "migration": readMigration(value)
            case "mappingModels":
                configuration.mappingModels = paths(value, "'mappingModels'")
                note(value.sequence.map(Array.init) ?? [])
            case "policies":
                configuration.policies = document.policies(value)
                note(entries(value, "'policies'").flatMap { [$0.key, $0.value] })
            case "releases": configuration.releases = texts(value, "'releases'")
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
            case "unshipped": configuration.unshippedVersions = names(value, "'unshipped'")
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
