import ObjectModel
import Diagnostics
import Essentials
import ModelChecking

/// Findings in the Static Analysis Results Interchange Format 2.1.0 (OASIS).
struct SARIFLog: Encodable {
    struct Text: Encodable { var text: String }

    struct Descriptor: Encodable {
        struct Configuration: Encodable { var level: String }
        struct Properties: Encodable { var tags: [String] }
        var id: String
        var shortDescription: Text
        var fullDescription: Text?
        var help: Text?
        var defaultConfiguration: Configuration?
        var properties: Properties?
    }

    struct Tool: Encodable {
        struct Driver: Encodable {
            var name: String
            var semanticVersion: String
            var rules: [Descriptor]
        }
        var driver: Driver
    }

    struct Location: Encodable {
        struct Artifact: Encodable { var uri: String }
        struct Region: Encodable {
            var startLine: Int
            var startColumn: Int?
        }
        struct Physical: Encodable {
            var artifactLocation: Artifact
            var region: Region?
        }
        struct Logical: Encodable {
            var fullyQualifiedName: String
            var kind: String
        }
        var id: Int?
        var message: Text?
        var physicalLocation: Physical?
        var logicalLocations: [Logical]?
    }

    struct Result: Encodable {
        var ruleId: String
        var ruleIndex: Int
        var level: String
        var message: Text
        var locations: [Location]
        var relatedLocations: [Location]?
        var partialFingerprints: [String: String]
        var fixes: [Fix]?
    }

    struct Fix: Encodable {
        struct Replacement: Encodable {
            var deletedRegion: Region
            var insertedContent: Text
        }
        struct Region: Encodable {
            var startLine: Int
            var startColumn: Int
            var endLine: Int
            var endColumn: Int
        }
        struct Change: Encodable {
            var artifactLocation: Location.Artifact
            var replacements: [Replacement]
        }
        var description: Text
        var artifactChanges: [Change]
    }

    struct Run: Encodable {
        var tool: Tool
        var results: [Result]
    }

    var schema = "https://json.schemastore.org/sarif-2.1.0.json"
    var version = "2.1.0"
    var runs: [Run]

    private enum CodingKeys: String, CodingKey {
        case schema = "$schema"
        case version, runs
    }

    init(_ report: FindingReport) {
        let ids = Set(report.findings.map(\.diagnostic.rule.rawValue)).sorted()
        let indexes = Dictionary(firstOf: ids.enumerated().map { ($1, $0) })
        let driver = Tool.Driver(
            name: "momtool",
            semanticVersion: toolVersion,
            rules: ids.map(Descriptor.init)
        )
        let fingerprints = fingerprints(of: report)
        let results = zip(report.findings, fingerprints).enumerated().map { number, found in
            let rule = found.0.diagnostic.rule.rawValue
            var result = Result(found.0, in: report, index: indexes[rule] ?? 0, found.1)
            if let fix = found.0.fix, let replacement = report.replacements[number] {
                result.fixes = [Fix(replacement, fix.summary)]
            }
            return result
        }
        runs = [Run(tool: Tool(driver: driver), results: results)]
    }
}

extension SARIFLog.Descriptor {
    init(_ id: String) {
        self.id = id
        guard let rule = Rule.named(id) else {
            shortDescription = SARIFLog.Text(text: id.replacing("-", with: " "))
            return
        }
        shortDescription = SARIFLog.Text(text: rule.summary)
        fullDescription = SARIFLog.Text(text: rule.rationale)
        help = SARIFLog.Text(text: rule.rationale)
        defaultConfiguration = Configuration(level: rule.severity.rawValue)
        properties = Properties(tags: [rule.family.rawValue])
    }
}

extension SARIFLog.Result {
    init(_ finding: Finding, in report: FindingReport, index: Int, _ fingerprint: String) {
        let diagnostic = finding.diagnostic
        ruleId = diagnostic.rule.rawValue
        ruleIndex = index
        level = diagnostic.severity.rawValue
        message = SARIFLog.Text(text: diagnostic.message)
        let place = diagnostic.location ?? FileLocation(path: report.subject)
        var location = SARIFLog.Location(physicalLocation: SARIFLog.Location.Physical(place))
        location.logicalLocations = diagnostic.element.map {
            [
                SARIFLog.Location.Logical(
                    fullyQualifiedName: $0,
                    kind: $0.contains(".") ? "member" : "type"
                )
            ]
        }
        locations = [location]
        let notes = diagnostic.notes.enumerated().map { number, note in
            SARIFLog.Location(
                id: number + 1,
                message: SARIFLog.Text(text: note.text),
                physicalLocation: note.location.map(SARIFLog.Location.Physical.init)
            )
        }
        relatedLocations = notes.isEmpty ? nil : notes
        partialFingerprints = ["momtool/v1": fingerprint]
    }
}

extension SARIFLog.Fix {
    /// Complete lines are replaced, so that no column depends on how a reader counts characters.
    init(_ replacement: FixReplacement, _ summary: String) {
        description = SARIFLog.Text(text: summary)
        let (start, count) = (replacement.firstLine, replacement.lineCount)
        let isOpen = replacement.openEnd != nil && count > 0
        let region = Region(
            startLine: start,
            startColumn: 1,
            endLine: start + count - (isOpen ? 1 : 0),
            endColumn: isOpen ? (replacement.openEnd ?? 0) + 1 : 1
        )
        let change = Change(
            artifactLocation: SARIFLog.Location.Artifact(uri: replacement.path.asURIReference),
            replacements: [
                Replacement(
                    deletedRegion: region,
                    insertedContent: SARIFLog.Text(text: replacement.text)
                )
            ]
        )
        artifactChanges = [change]
    }
}

extension SARIFLog.Location.Physical {
    init(_ location: FileLocation) {
        artifactLocation = SARIFLog.Location.Artifact(uri: location.path.asURIReference)
        region = location.line.map {
            SARIFLog.Location.Region(startLine: $0, startColumn: location.column)
        }
    }
}

extension String {
    /// The path as a URI reference, percent-encoded.
    fileprivate var asURIReference: String {
        let allowed = Set("!$&'()*+,-./=@_~".utf8)
        let path = utf8.map { byte in
            let isLetter = byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A
            let isPlain = isLetter || (0x30...0x39).contains(byte) || allowed.contains(byte)
            return isPlain
                ? String(Unicode.Scalar(byte)) : "%" + byte.hexadecimal(2, uppercase: true)
        }.joined()
        return hasPrefix("/") ? "file://" + path : path
    }
}
