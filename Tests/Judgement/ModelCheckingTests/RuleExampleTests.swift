import Diagnostics
import Foundation
import ModelChecking
import ModelLoading
import ObjectModel
import TestSupport
import Testing

struct RuleCase: Sendable, CustomTestStringConvertible {
    var rule: RuleID
    var example: RuleExample
    var testDescription: String { rule.rawValue }

    static func all(_ examples: (Rule) -> [RuleExample]) -> [RuleCase] {
        Rule.all.flatMap { rule in examples(rule).map { RuleCase(rule: rule.id, example: $0) } }
    }
}

extension RuleExample {
    func checked() -> (findings: [Finding], marked: [Diagnostics.FileLocation]) {
        var reading: [Diagnostic] = []
        var marked: [Diagnostics.FileLocation] = []
        let versions = versions.enumerated().map { index, body in
            let path = "V\(index + 1)/contents"
            // The root is on the marker's line when a finding is about a version as a whole.
            let isWhole = body.hasPrefix("◀\n")
            let plain = body.replacingOccurrences(of: "◀", with: "")
            let text = "<model \(modelAttributes)>\n\(isWhole ? plain : body)\n</model>"
            marked +=
                isWhole
                ? [FileLocation(path: path, line: 1, column: 1)]
                : places(in: text, path: path)
            let bytes = Data(text.replacingOccurrences(of: "◀", with: "").utf8)
            let model = readModel(contents: bytes, path: path)
            reading += model.diagnostics
            return ModelVersion(
                name: "V\(index + 1)",
                path: path,
                isCurrent: index == current,
                model: model.value
            )
        }
        var projects: [ProjectModel] = []
        if let project {
            let path = "M.xcodeproj/project.pbxproj"
            let bytes = Array(project.replacingOccurrences(of: "◀", with: "").utf8)
            let read = readXcodeProject(bytes, path: path, model: "M.xcdatamodeld")
            projects = [read.value].compactMap(\.self)
            reading += read.diagnostics
            marked = places(in: project, path: path)
        }
        let findings = check(versions, path: "M.xcdatamodeld", reading: reading, projects: projects)
        return (findings, marked)
    }

    private func places(in text: String, path: String) -> [Diagnostics.FileLocation] {
        var places: [Diagnostics.FileLocation] = []
        var (line, column) = (1, 1)
        for character in text {
            if character == "◀" {
                places.append(FileLocation(path: path, line: line, column: column))
            } else if character == "\n" {
                (line, column) = (line + 1, 1)
            } else {
                column += character.utf8.count
            }
        }
        return places
    }
}

struct RuleExampleTests {
    @Test(arguments: RuleCase.all(\.failing))
    func `a failing example is found where its marker stands`(_ example: RuleCase) {
        let (findings, marked) = example.example.checked()
        let found = findings.filter { $0.diagnostic.rule == example.rule }
        #expect(!found.isEmpty, "\(findings.map(\.diagnostic))")
        guard !marked.isEmpty else { return }
        #expect(found.compactMap(\.diagnostic.location) == marked)
    }

    @Test(arguments: RuleCase.all(\.passing))
    func `a passing example keeps its rule and has no error`(_ example: RuleCase) {
        let (findings, _) = example.example.checked()
        #expect(!findings.contains { $0.diagnostic.rule == example.rule })
        #expect(!findings.contains { $0.diagnostic.severity == .error })
    }

    @Test func `every rule has an ID of its own and says what it is about`() {
        #expect(Set(Rule.all.map(\.id)).count == Rule.all.count)
        for rule in Rule.all {
            #expect(rule.id.rawValue.allSatisfy { $0.isLowercase || $0 == "-" })
            #expect(!rule.summary.hasSuffix("."))
            #expect(rule.rationale.hasSuffix("."), "\(rule.id.rawValue)")
        }
    }

    /// Rules that only files beside a model can break have examples elsewhere.
    private static let withoutExamples: Set<RuleID> = [
        "custom-stage-not-run", "map-beyond-core-data", "mapping-model-skips-versions",
        "several-mapping-models", "several-steps", "stages-fail", "unmatched-ignore",
        "unmatched-loss", "version-cannot-open",
    ]

    @Test func `rules that lint checks have examples of both kinds`() {
        for rule in Rule.all where rule.reporter == .linter {
            let hasBoth = !rule.passing.isEmpty && !rule.failing.isEmpty
            #expect(hasBoth != Self.withoutExamples.contains(rule.id), "\(rule.id.rawValue)")
        }
    }

    @Test func `a rule that the reader reports is in the table`() {
        let known = Set(Rule.all.map(\.id))
        let reported: [RuleID] = [
            .unreadableFile, .notAModel, "legacy-model-format", .emptyBundle, .mergeConflict,
            .optimizedModel, .unknownAttributeType, .missingCurrentVersion,
            "unknown-element", "unknown-attribute",
            "missing-attribute", .invalidValue, .duplicateName, .redeclaredProperty,
            "unknown-parent-entity", "parent-cycle", .hierarchyTooDeep, .unknownDestination,
            .brokenInverse, "unknown-composite", "composite-cycle", .unknownReference,
        ]
        #expect(known.isSuperset(of: reported))
    }
}

struct CorpusCheckTests {
    @Test(.enabled(if: Corpus.isPresent))
    func
        `no version that shipped has an error, but for renames that Apple's compiler does not see`()
    {
        let bundles = Corpus.paths { $0.hasSuffix(".xcdatamodeld") }
        var counts: [String: Int] = [:]
        var versions = 0
        for path in bundles {
            let bundle = readModelBundle(at: Corpus.path(path))
            let findings = check(
                bundle.value.versions,
                path: path,
                reading: bundle.diagnostics,
                mappingModel: { _, _ in "A.xcmappingmodel" },
                options: CheckOptions(scope: .all)
            )
            versions += bundle.value.versions.count
            for finding in findings {
                counts[finding.diagnostic.rule.rawValue, default: 0] += 1
                let isError = finding.diagnostic.severity == .error
                let isRename = finding.diagnostic.rule == "literal-renaming-identifier"
                #expect(!isError || isRename, "\(finding.diagnostic)")
            }
        }
        for (rule, count) in counts.sorted(by: { $0.key < $1.key }) { print("\(count) \(rule)") }
        print("\(versions) versions in \(bundles.count) bundles")
        #expect(versions >= 40)
    }
}

struct HierarchyExampleTests {
    static let strangers: [RuleID: String] = [:]

    static let failing = RuleCase.all(\.failing).filter { strangers[$0.rule] == nil }

    @Test(arguments: failing)
    func `a failing example is found among sub-entities too`(_ example: RuleCase) {
        let (findings, marked) = example.example.oneFloorDown.checked()
        let found = findings.filter { $0.diagnostic.rule == example.rule }
        #expect(!found.isEmpty, "\(findings.map(\.diagnostic))")
        guard !marked.isEmpty else { return }
        #expect(found.compactMap(\.diagnostic.location) == marked)
    }

    @Test(arguments: RuleCase.all(\.passing))
    func `a passing example keeps its rule among sub-entities too`(_ example: RuleCase) {
        let (findings, _) = example.example.oneFloorDown.checked()
        #expect(!findings.contains { $0.diagnostic.rule == example.rule })
    }

    @Test(arguments: RuleCase.all(\.failing).filter { strangers[$0.rule] != nil })
    func `a rule that knows no sub-entities is one that is named`(_ example: RuleCase) {
        let (findings, _) = example.example.oneFloorDown.checked()
        #expect(!findings.contains { $0.diagnostic.rule == example.rule })
    }
}

extension RuleExample {
    fileprivate var oneFloorDown: RuleExample {
        let base = "<entity name='MomtoolBase' isAbstract='YES'/>"
        var example = self
        example.versions = versions.map { body in
            let lower = body.replacing(/<entity (?<rest>[^>]*?)(?<end>\/?>)/) { match in
                match.rest.contains("parentEntity=")
                    ? String(match.output.0)
                    : "<entity \(match.rest) parentEntity='MomtoolBase'\(match.end)"
            }
            return lower.contains("<entity ") ? lower + "\n" + base : lower
        }
        return example
    }
}
