import Diagnostics
import Foundation
import ModelChecking
import ModelLoading
import ObjectModel
import TestSupport
import Testing

private func versions(_ bodies: (name: String, body: String)...) -> [ModelVersion] {
    versions(bodies)
}

private func versions(_ bodies: [(name: String, body: String)]) -> [ModelVersion] {
    bodies.enumerated().map { index, version in
        let path = "\(version.name)/contents"
        let text = "<model>\n\(version.body)\n</model>"
        return ModelVersion(
            name: version.name,
            path: path,
            isCurrent: index == bodies.count - 1,
            model: readModel(contents: Data(text.utf8), path: path).value
        )
    }
}

private let order = """
    <entity name='Order'>
    <attribute name='number' attributeType='Integer 32' optional='YES'/>
    <relationship name='lines' toMany='YES' optional='YES' destinationEntity='Line' inverseName='order' inverseEntity='Line'/>
    </entity>
    <entity name='Line'>
    <relationship name='order' maxCount='1' optional='YES' destinationEntity='Order' inverseName='lines' inverseEntity='Order'/>
    </entity>
    """

private func lock(_ versions: [ModelVersion]) -> LocatedLock {
    let frozen = versions.map { ModelLock.Version($0) }
    let text = ModelLock(versions: frozen).text
    // By its text, which has locations.
    return LocatedLock(ModelLock.parse(text, path: "M.lock").value, path: "M.lock")
}

private func findings(_ versions: [ModelVersion], _ lock: LocatedLock) -> [Finding] {
    check(versions, path: "M", lock: lock).filter {
        $0.diagnostic.rule.rawValue.hasPrefix("locked-")
            || $0.diagnostic.rule == "current-version-not-locked"
    }
}

/// An edit of a shipped version, with the expected finding.
private let edits: [(old: String, new: String, line: Int)] = [
    ("'Integer 32' optional='YES'", "'Integer 32'", 3),
    ("'Integer 32'", "'Double'", 3),
    ("'Integer 32' optional='YES'", "'String'", 3),
    ("'Integer 32'", "'Integer 32' versionHashModifier='2'", 3),
    ("name='number'", "name='no'", 3),
    ("name='number'", "name='number' transient='YES'", 3),
    ("<attribute name='number' attributeType='Integer 32' optional='YES'/>", "", 2),
    (
        "</entity>\n<entity name='Line'>",
        "<attribute name='x' attributeType='Date'/></entity>\n<entity name='Line'>", 5
    ),
    ("toMany='YES'", "toMany='YES' ordered='YES'", 4),
    ("toMany='YES'", "toMany='YES' minCount='1'", 4),
    ("destinationEntity='Line'", "destinationEntity='Order'", 4),
    ("name='Order'", "name='Order' isAbstract='YES'", 2),
    ("</entity>\n<entity name='Line'>", "</entity>\n<entity name='New'/><entity name='Line'>", 6),
]

struct LockTests {
    @Test func `an edit of a shipped version is named with its file, line and property`() throws {
        let shipped = versions(("V1", order))
        let lines = try edits.map { edit in
            let edited = versions(("V1", order.replacingOccurrences(of: edit.old, with: edit.new)))
            #expect(edited != shipped)
            let found = findings(edited, lock(shipped))
            #expect(found.count == 1, "\(edit): \(found)")
            let diagnostic = try #require(found.first?.diagnostic)
            #expect(diagnostic.severity == .error)
            #expect(diagnostic.location?.path == "V1/contents")
            #expect(diagnostic.location?.line == edit.line, "\(edit)")
            #expect(diagnostic.notes.first?.location?.path == "M.lock")
            return "\(edit.old) → \(edit.new) → \(diagnostic.message)".replacing("\n", with: " ")
        }
        try expectRecorded(lines, as: "locked-edits")
    }

    @Test(arguments: [
        ("'Integer 32'", "'Integer 32' defaultValueString='1'"),
        ("name='lines'", "name='lines' deletionRule='Cascade'"),
        ("name='Order'", "name='Order' representedClassName='X'"),
    ])
    func `an edit that moves no hash is let be`(_ old: String, _ new: String) {
        let edited = versions(("V1", order.replacingOccurrences(of: old, with: new)))
        #expect(findings(edited, lock(versions(("V1", order)))).isEmpty)
    }

    @Test func `a version that is gone, renamed or out of order is told`() {
        let more = order + "<entity name='New'/>"
        let shipped = lock(versions(("V1", order), ("V2", more)))
        #expect(findings(versions(("V1", order), ("V2", more)), shipped).isEmpty)
        func rules(_ versions: [ModelVersion]) -> [String] {
            findings(versions, shipped).map(\.diagnostic.rule.rawValue)
        }
        #expect(rules(versions(("V2", more))) == ["locked-version-removed"])
        #expect(
            rules(versions(("V1", order), ("V3", more)))
                == ["locked-version-renamed"]
        )
        #expect(rules(versions(("V2", more), ("V1", order))) == ["locked-versions-reordered"])
        let other = "<entity name='Other'/>"
        #expect(
            rules(versions(("V1", order), ("V1b", other), ("V2", more)))
                == ["locked-versions-reordered"]
        )
        #expect(
            rules(versions(("V1", order), ("V2", more), ("V3", other)))
                == ["current-version-not-locked"]
        )
    }

    /// The entities of the locked version, those of the versions in its place, and the nearest of them.
    @Test(arguments: [
        ("A B", ["A"], "V2"), ("A B C", ["A"], nil), ("A B", ["C D"], nil), ("", ["A"], nil),
        ("A B C", ["A C", "A", "B"], "V2"), ("A B C", ["A", "A C"], "V3"),
        // As many entities of the same names: the one with more equal ones.
        ("A B", ["A! B!", "A! B"], "V3"), ("A B", ["A! B", "A! B!"], "V2"),
        ("A B", ["A! B", "A B!"], "V2"),
    ])
    func `at least half of the entities make a version the nearest to a missing one`(
        _ locked: String,
        _ others: [String],
        _ nearest: String?
    ) throws {
        func body(_ entities: String) -> String {
            entities.split(separator: " ").map { name in
                let isChanged = name.hasSuffix("!")
                return "<entity name='\(name.prefix(1))' isAbstract='\(isChanged ? "YES" : "NO")'/>"
            }.joined()
        }
        let now = others.enumerated().map { (name: "V\($0 + 2)", body: body($1)) }
        let shipped = lock(versions(("V1", body(locked))))
        let found = findings(versions(now), shipped)
            .filter { $0.diagnostic.rule == "locked-version-removed" }
        #expect(found.map(\.version) == [nearest ?? "V1"], "\(found)")
        let place = try #require(found.first?.diagnostic.location?.path)
        #expect(place == nearest.map { "\($0)/contents" } ?? "M.lock")
    }

    @Test func `a lock of hashes alone still names the entities that moved`() {
        let shipped = versions(("V1", order))
        let frozen = ModelLock.Version(shipped[0])
        let bare = ModelLock.Version(name: "V1", hashes: frozen.hashes)
        let edited = versions(("V1", order.replacingOccurrences(of: "Integer 32", with: "Date")))
        let found = findings(edited, LocatedLock(ModelLock(versions: [bare]), path: "M.lock"))
        #expect(found.count == 1 && found[0].diagnostic.message.contains("'Order'"), "\(found)")
    }

    @Test func `a lock is read as it was written`() throws {
        let odd = "<entity name='A B%#'><attribute name='ä\u{A0}x' attributeType='Date'/></entity>"
        let shipped = versions(("App 2", order), ("", odd))
        let written = ModelLock(versions: shipped.map { ModelLock.Version($0) }).text
        let read = ModelLock.parse(written, path: "M.lock")
        #expect(read.diagnostics.isEmpty)
        #expect(read.value.text == written)
        #expect(read.value.versions.map(\.name) == ["App 2", ""])
        #expect(read.value.versions[1].entities[0].properties[0].name == "ä\u{A0}x")
        let crlf = written.replacingOccurrences(of: "\n", with: "\r\n")
        #expect(ModelLock.parse(crlf, path: "M.lock").value.text == written)
    }

    @Test func `an entity that is as before is written once`() {
        let changed = order.replacingOccurrences(of: "'Integer 32'", with: "'Double'")
        let shipped = versions(("V 1", order), ("V2", changed), ("V3", order), ("V4", order))
        let written = ModelLock(versions: shipped.map { ModelLock.Version($0) })
        let lines = written.text.split(separator: "\n")
        #expect(
            lines.filter { $0.hasPrefix("same ") } == [
                "same V%201 Line", "same V%201 Line", "same V%201 Order", "same V%201 Line",
                "same V%201 Order",
            ]
        )
        #expect(lines.count { $0.hasPrefix("property ") } == 5)
        let read = ModelLock.parse(written.text, path: "M.lock")
        #expect(read.diagnostics.isEmpty)
        #expect(read.value.versions.map(\.entities.count) == [2, 2, 2, 2])
        #expect(findings(shipped, LocatedLock(read.value, path: "M.lock")).isEmpty)
        let whole = written.versions.map { ModelLock(versions: [$0]).text }.joined()
        #expect(ModelLock.parse(whole, path: "M.lock").value.text == written.text)
    }

    @Test func `the lock of many versions grows by what changes`() {
        let rest = (0..<40).map {
            "<entity name='E\($0)'><attribute name='a' optional='YES' attributeType='String'/></entity>"
        }.joined()
        func text(_ count: Int) -> String {
            let shipped = (0..<count).map { number in
                ModelLock.Version(versions(("V\(number)", "\(rest)<entity name='N\(number)'/>"))[0])
            }
            return ModelLock(versions: shipped).text
        }
        let (one, many) = (text(1).utf8.count, text(20).utf8.count)
        #expect(many < 3 * one + 20 * 41 * 16)
    }

    @Test(arguments: [
        ("version", 1, "lock"), ("checksum x", 1, "lock"),
        ("version A\nchecksum x", 1, "checksum of 'A'"),
        ("version A\nversion A", 2, "exists"),
        ("version A\nentity 00 B", 2, "lock"),
        ("version %Z", 1, "lock"),
        ("version A\nproperty 0123456789abcdef B c", 2, "lock"),
        ("version A\n<<<<<<< HEAD", 2, "conflict"),
        ("version A\nsame A B", 2, "'A' above has no 'B'"),
        (
            "version A\nsame Z B", 2,
            "'Z' with 'B'"
        ),
        (
            "version A\nentity \(String(repeating: "0", count: 64)) B\nversion C\nsame A B\nsetting B abstract",
            5, "lock"
        ),
        ("\u{0}\u{1}\u{2}", 1, "lock"),
    ])
    func `a damaged lock is told with its line`(_ text: String, _ line: Int, _ message: String) {
        let lock = ModelLock.parse(text, path: "M.lock")
        #expect(lock.hasErrors)
        #expect(
            lock.diagnostics.contains {
                $0.location?.line == line && $0.message.contains(message)
            },
            "\(lock.diagnostics)"
        )
    }

    @Test func `an entity of thousands of edits is told edit by edit`() {
        func body(_ type: String) -> String {
            let attributes = (0..<3_000).map {
                "<attribute name='a\($0)' attributeType='\(type)'/>"
            }
            return "<entity name='A'>\(attributes.joined())</entity>"
        }
        let found = findings(versions(("V1", body("Date"))), lock(versions(("V1", body("URI")))))
        #expect(found.count == 3_000)
        #expect(found[0].diagnostic.message.contains("URI"))
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `real bundles meet the locks that were made of them`() {
        for path in Corpus.paths(where: { $0.hasSuffix(".xcdatamodeld") }) {
            let versions = readModelBundle(at: Corpus.path(path)).value.versions
            let found = check(versions, path: path, lock: lock(versions)).filter {
                $0.diagnostic.rule.rawValue.hasPrefix("locked-")
            }
            #expect(found.isEmpty, "\(found.map(\.diagnostic))")
        }
    }

    @Test(arguments: ["\n", "\r\n"])
    func `losses are read whatever ends the lines`(end: String) {
        let lines = ["# momtool lock 3: x", "", "version V2", "checksum a", "loses A.b", ""]
        let losses = ModelLock.namedLosses(in: lines.joined(separator: end), path: "M.lock")
        #expect(losses.map(\.name) == ["A.b"] && losses.map(\.version) == ["V2"])
        #expect(losses.first?.location.line == 5)
    }
}

struct LockConflictTests {
    private func version(_ name: String, _ attributes: String...) -> ModelLock.Version {
        let text = textModel("Item", attributes)
        let model = readModel(contents: Data(text.utf8), path: name).value
        return ModelLock.Version(ModelVersion(name: name, path: name, model: model))
    }

    private func merged(_ ours: ModelLock.Version, _ theirs: ModelLock.Version) throws -> String {
        try withFolder { folder in
            let base = version("V1", "a")
            let sides = [[base], [base, ours], [base, theirs]]
            for (name, versions) in zip(["base", "ours", "theirs"], sides) {
                try write(ModelLock(versions: versions).text, name, in: folder)
            }
            return try git("merge-file", "-p", "ours", "base", "theirs", in: folder).output
        }
    }

    @Test func `a version of each side is told at the first marker, and both are read`() throws {
        let text = try merged(version("V2", "a", "b"), version("V3", "a", "c"))
        let read = ModelLock.parse(text, path: "M.lock")
        let first = text.split(separator: "\n", omittingEmptySubsequences: false)
            .firstIndex { $0.hasPrefix("<<<<<<<") }
        #expect(read.diagnostics.count == 1, "\(read.diagnostics)")
        let told = try #require(read.diagnostics.first)
        #expect(
            told.message.contains("'V2'") && told.message.contains("'V3'"),
            "\(told.message)"
        )
        #expect(told.location?.line == first.map { $0 + 1 } && told.severity == .error)
        #expect(read.value.versions.map(\.name) == ["V1", "V2", "V3"])
    }

    @Test func `one name for two models is told so, and neither is compared`() throws {
        let text = try merged(version("V2", "a", "b"), version("V2", "a", "c"))
        let read = ModelLock.parse(text, path: "M.lock")
        #expect(read.diagnostics.count == 1, "\(read.diagnostics)")
        let told = try #require(read.diagnostics.first?.message)
        #expect(told.contains("'V2'"), "\(told)")
        #expect(read.value.versions.map(\.name) == ["V1"])
    }

    @Test func `a marker that is left is told by itself`() throws {
        let text = ModelLock(versions: [version("V1", "a")]).text + "=======\n"
        let read = ModelLock.parse(text, path: "M.lock")
        let line = text.count { $0.isNewline }
        #expect(read.diagnostics.map(\.location?.line) == [line], "\(read.diagnostics)")
        #expect(read.value.versions.map(\.name) == ["V1"])
    }
}
