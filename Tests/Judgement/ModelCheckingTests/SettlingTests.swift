import Diagnostics
import Foundation
import ModelChecking
import ModelLoading
import ObjectModel
import TestSupport
import Testing

private func version(_ body: String, name: String = "V1") -> ModelVersion {
    let text = "<model>\(body)</model>"
    let model = readModel(contents: Data(text.utf8), path: name)
    return ModelVersion(name: name, path: name, isCurrent: true, model: model.value)
}

private func rules(_ body: String, _ options: CheckOptions = CheckOptions()) -> [String] {
    check([version(body)], path: "M", options: options).map(\.diagnostic.rule.rawValue)
}

private let lonely = "maxCount='1' optional='YES' destinationEntity='A'"

struct SettlingTests {
    @Test(arguments: [
        ("", 2), ("missing-inverse", 0), ("all", 0), ("to-one-count, missing-inverse", 0),
        ("to-one-count", 2),
    ])
    func `a user info entry lets rules be, for the entity and what is in it`(
        _ ignored: String,
        _ count: Int
    ) {
        let entry = "<userInfo><entry key='momtool.ignore' value='\(ignored)'/></userInfo>"
        let body =
            "<entity name='A'><relationship name='r' \(lonely)/><relationship name='s' \(lonely)/>"
        #expect(rules(body + entry + "</entity>").count == count)
        let single = """
            <entity name='A'><relationship name='r' \(lonely)>\(entry)</relationship>
            <relationship name='s' \(lonely)/></entity>
            """
        #expect(rules(single).count == (count == 0 ? 1 : 2))
    }

    @Test func `a configuration turns rules off and sets their severity`() {
        let body = "<entity name='A'><relationship name='r' \(lonely)/></entity>"
        #expect(rules(body) == ["missing-inverse"])
        #expect(rules(body, CheckOptions(settings: ["missing-inverse": .off])).isEmpty)
        let strict = CheckOptions(settings: ["missing-inverse": .severity(.error)])
        #expect(check([version(body)], path: "M", options: strict)[0].diagnostic.severity == .error)
    }

    @Test(arguments: [
        ("", "b", "undeclared-rename", CheckOptions.Setting?.none, ["undeclared-rename"]),
        ("", "b", "undeclared-rename", .off, ["data-loss"]),
        ("", "b", "undeclared-rename", .severity(.note), ["undeclared-rename", "data-loss"]),
        ("", "b", "data-loss", .severity(.note), ["undeclared-rename"]),
        ("elementID='z'", "a", "missing-renaming-identifier", .off, ["data-loss"]),
        ("", "a' elementID='z", "stale-renaming-identifier", .off, ["data-loss"]),
        ("", "b' renamingIdentifier='a", "literal-renaming-identifier", .off, ["data-loss"]),
        (
            "", "b' renamingIdentifier='a", "literal-renaming-identifier", .none,
            ["literal-renaming-identifier"]
        ),
    ])
    func `a loss is reported where no rule as severe calls it a rename`(
        _ old: String,
        _ new: String,
        _ rule: RuleID,
        _ setting: CheckOptions.Setting?,
        _ expected: [String]
    ) {
        func text(_ name: String) -> String {
            "<entity name='A'><attribute name='\(name)' \(name == "a" ? old : "") "
                + "optional='YES' attributeType='String'/></entity>"
        }
        let more = "<attribute name='more' optional='YES' attributeType='Integer 64'/></entity>"
        let next = text(new).replacing(old.isEmpty ? "-" : old, with: "")
            .replacing("</entity>", with: more)
        var versions = [version(text("a"), name: "V1"), version(next, name: "V2")]
        versions[0].isCurrent = false
        let found = check(
            versions,
            path: "M",
            options: CheckOptions(settings: [rule: setting].compactMapValues(\.self))
        )
        #expect(Set(found.map(\.diagnostic.rule.rawValue)) == Set(expected))
    }

    @Test func `a suppression lets one rule, element or version be`() {
        let body = "<entity name='A'><relationship name='r' \(lonely)/></entity>"
        func left(_ rule: RuleID?, _ element: String?, _ version: String?) -> Int {
            let suppression = Suppression(
                rule: rule,
                element: element,
                version: version,
                reason: "meant"
            )
            return rules(body, CheckOptions(suppressions: [suppression])).count
        }
        #expect(left(nil, nil, nil) == 0)
        #expect(left("missing-inverse", "A.r", "V1") == 0)
        #expect(left("missing-inverse", "A", nil) == 0)
        #expect(left("to-one-count", nil, nil) == 1)
        #expect(left("missing-inverse", "A.s", nil) == 1)
        #expect(left("missing-inverse", nil, "V2") == 1)
    }

    @Test func `a baseline lets be what was there, as often as it was there`() {
        let one = "<relationship name='r' \(lonely)/>"
        let old = check([version("<entity name='A'>\(one)</entity>")], path: "M")
        let baseline = Baseline.parse(Baseline(of: old).text, path: "known.txt").value
        #expect(baseline == Baseline(of: old))
        #expect(baseline.remaining(of: old).isEmpty)
        #expect(baseline.remaining(of: old + old).count == 1)
        let more = "<entity name='A'>\n\n\(one)<relationship name='s' \(lonely)/></entity>"
        let new = check([version(more)], path: "M")
        #expect(baseline.remaining(of: new).map(\.diagnostic.element) == ["A.s"])
    }

    @Test func `what is no line of a baseline is an error with its place`() {
        let text = "# findings\n\nmissing-inverse V1 A.r\r\n{\nmissing-inverse V1\n<<<<<<< HEAD a\n"
        let read = Baseline.parse(text, path: "known.txt")
        #expect(read.diagnostics.map(\.location?.line) == [4, 5, 6])
        #expect(read.diagnostics.allSatisfy { $0.rule == "invalid-baseline" })
        #expect(read.value.text.hasSuffix("element\nmissing-inverse V1 A.r\n"))
        #expect(!Baseline.parse("missing-inverse V%201 %23.größe\n", path: "k").hasErrors)
        #expect(Baseline.parse("", path: "k").value == Baseline(of: []))
        let many = String(repeating: "?\n", count: 10_000)
        #expect(Baseline.parse(many, path: "k").diagnostics.count == 100)
    }

    @Test func `versions that are locked are checked only when all are asked for`() {
        let body = "<entity name='A'><relationship name='r' \(lonely)/></entity>"
        let versions = [
            ModelVersion(name: "V1", path: "V1", isCurrent: false, model: version(body).model),
            version("<entity name='A'/>", name: "V2"),
        ]
        func count(_ scope: CheckOptions.Scope) -> Int {
            check(versions, path: "M", options: CheckOptions(scope: scope))
                .count { $0.diagnostic.rule == "missing-inverse" }
        }
        #expect(count(.changeable) == 0)
        #expect(count(.all) == 1)
    }
}

struct FixTests {
    @Test(arguments: [
        (
            "<attribute name='a' renamingIdentifier = 'b' attributeType='Date' optional='YES'/>",
            "<attribute name='a' elementID = 'b' attributeType='Date' optional='YES'/>"
        ),
        (
            "<attribute name='a' elementID='c' renamingIdentifier='b' attributeType='Date' optional='YES'/>",
            "<attribute name='a' elementID='c' attributeType='Date' optional='YES'/>"
        ),
        (
            "<attribute name=\"a\"\n  elementID=\"a\"\tattributeType='Date' optional='YES'/>",
            "<attribute name=\"a\"\tattributeType='Date' optional='YES'/>"
        ),
        (
            "<relationship name='r' maxCount='1' optional='YES' destinationEntity='Ä' inverseName=\"r\" />",
            "<relationship name='r' maxCount='1' optional='YES' destinationEntity='Ä' inverseName=\"r\" inverseEntity=\"Ä\" />"
        ),
    ])
    func `a fix edits its tag, keeps every other byte and moves no hash`(
        _ old: String,
        _ new: String
    ) {
        func text(_ body: String) -> String {
            "<?xml version='1.0'?>\r\n<model>\t<!-- ü > -->\r\n<entity name='Ä'>\(body)</entity>\n\n</model>"
        }
        func findings(_ text: String) -> [Finding] {
            let model = readModel(contents: Data(text.utf8), path: "m").value
            let version = ModelVersion(name: "m", path: "m", isCurrent: true, model: model)
            return check([version], path: "M")
        }
        let fixes = findings(text(old)).compactMap(\.fix)
        #expect(fixes.count == 1)
        let fixed = applying(fixes, to: Array(text(old).utf8))
        #expect(fixed.made.count == 1)
        #expect(String(decoding: fixed.text, as: UTF8.self) == text(new))
        #expect(findings(text(new)).compactMap(\.fix).isEmpty)
        #expect(applying(fixes, to: Array("<model/>".utf8)).text == Array("<model/>".utf8))
        #expect(applying(fixes, to: fixed.text).text == fixed.text)
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `fixes of real models leave models that differ in what was fixed alone`() throws {
        var count = 0
        let paths = Corpus.paths { $0.hasSuffix(".xcdatamodel/contents") }
        for path in Sweep.part(of: paths, every: 4) {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: Corpus.path(path)))
            let model = readModel(contents: bytes, path: path)
            let version = ModelVersion(name: "V", path: path, isCurrent: true, model: model.value)
            let fixes = check([version], path: path).compactMap(\.fix)
            let fixed = applying(fixes, to: Array(bytes))
            #expect(fixed.made.count == fixes.count)
            let again = readModel(contents: Data(fixed.text), path: path)
            let lock = ModelLock.Version(ModelVersion(name: "V", model: model.value))
            #expect(ModelLock.Version(ModelVersion(name: "V", model: again.value)) == lock)
            count += fixes.count
        }
        #expect(count > 0)
    }
}
