import Diagnostics
import Foundation
import ModelMerging
import TestSupport
import Testing

/// Merges every case below `Fixtures/Merges`, in both directions.
struct MergeCaseTests {
    static let folder = Corpus.package.appending(path: "Fixtures/Merges")
    static let cases = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
        .sorted()

    struct Case {
        var folder: URL
        var ending: String
        var sides: MergeSides

        init(_ name: String) throws {
            folder = MergeCaseTests.folder.appending(path: name)
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            ending = try #require(files.first { $0.hasPrefix("ours.") }).replacing("ours", with: "")
            let texts = try ["base", "ours", "theirs"].map { [folder, ending] in
                [UInt8](try Data(contentsOf: folder.appending(path: $0 + ending)))
            }
            sides = MergeSides(base: texts[0], ours: texts[1], theirs: texts[2])
        }
    }

    static func path(_ ending: String) -> String {
        ending == ".lock" ? "Shop.xcdatamodeld.lock" : "Shop.xcdatamodeld/Shop 3.xcdatamodel/x"
    }

    @Test(arguments: cases)
    func `a case gives its result and names its conflicts`(name: String) throws {
        let given = try Case(name)
        let merged = try merge(given.sides, path: Self.path(given.ending))
        let said = merged.conflicts.map { conflict in
            (conflict.element.map { "\($0)\n" } ?? "") + conflict.description + "\n"
        }.joined()
        for (file, bytes) in [
            ("result" + given.ending, Data(merged.bytes)), ("conflicts.txt", Data(said.utf8)),
        ] {
            let url = given.folder.appending(path: file)
            if isRecording {
                try bytes.isEmpty
                    ? try? FileManager.default.removeItem(at: url) : bytes.write(to: url)
            }
            let known = (try? Data(contentsOf: url)) ?? Data()
            #expect(
                known == bytes,
                "\(name)/\(file) is stale: run MOMTOOL_RECORD=1 swift test --filter MergeCaseTests"
            )
        }
    }

    @Test(arguments: cases)
    func `a merge is the same the other way round`(name: String) throws {
        let sides = try Case(name).sides
        let swapped = MergeSides(base: sides.base, ours: sides.theirs, theirs: sides.ours)
        let one = try merge(sides, path: "M.xcdatamodel/x")
        let two = try merge(swapped, path: "M.xcdatamodel/x")
        #expect(elements(one) == elements(two))
        guard one.conflicts.isEmpty else { return }
        #expect(words(one.bytes) == words(two.bytes))
    }

    @Test(arguments: cases)
    func `a branch that changed nothing takes over the other`(name: String) throws {
        let sides = try Case(name).sides
        for side in [sides.ours, sides.theirs] {
            for (ours, theirs) in [(sides.base, side), (side, sides.base), (side, side)] {
                let given = MergeSides(base: sides.base, ours: ours, theirs: theirs)
                let merged = try merge(given, path: "M.xcdatamodel/x")
                #expect(merged.bytes == side && merged.conflicts.isEmpty)
            }
        }
    }

    /// A text in UTF-16, a lock of another tool, a project and notes, each with a change on both sides.
    @Test(arguments: [
        ("Shop.xcdatamodel/contents", "<?xml version=\"1.0\"?><model><entity name=\"X\"/></model>"),
        ("notes.txt", "version 2 of X\n"),
        ("App.xcodeproj/project.pbxproj", "// !$*UTF8*$!\n{ a = X; }\n"),
        ("Podfile.lock", "PODS:\n  - X (1.0)\n"),
        ("Info.plist", "<plist><dict><key>X</key></dict></plist>"),
        (".xccurrentversion", "X"), ("MODEL.lock", "X\n"),
    ])
    func `what is no file of a model is refused where both sides changed it`(
        _ path: String,
        _ text: String
    ) throws {
        let isWide = path.hasSuffix("contents")
        let texts = ["base", "ours", "theirs"].map { name in
            let text = text.replacing("X", with: name)
            guard isWide else { return Array(text.utf8) }
            return [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        }
        for path in [path, "\(path).merge_file_a1"] {
            for base in [texts[0], []] {
                let sides = MergeSides(base: base, ours: texts[1], theirs: texts[2])
                #expect(throws: MergeFault.self) { try merge(sides, path: path) }
            }
            let one = MergeSides(base: texts[0], ours: texts[0], theirs: texts[2])
            #expect(try merge(one, path: path).bytes == texts[2])
        }
    }

    /// Each way in which an element names an attribute.
    @Test(arguments: [
        #"<attribute name="d" optional="YES" derived="YES" derivationExpression="uppercase:(label)"/>"#,
        #"<fetchIndex name="i" partialIndexPredicate="label != nil"/>"#,
        #"<fetchIndex name="i"><fetchIndexElement property="label" type="Binary"/></fetchIndex>"#,
        #"<fetchIndex name="i"><fetchIndexElement expression="length:(label)" type="Binary"/></fetchIndex>"#,
        #"<fetchedProperty name="f"><fetchRequest name="r" entity="A" predicateString="label != nil"/></fetchedProperty>"#,
        #"<uniquenessConstraints><uniquenessConstraint><constraint value="label"/></uniquenessConstraint></uniquenessConstraints>"#,
        #"<compoundIndexes><compoundIndex><index value="label"/></compoundIndex></compoundIndexes>"#,
    ])
    func `what one side adds gets the name that the other gave`(_ added: String) throws {
        func text(_ name: String, _ added: String = "") -> [UInt8] {
            let attribute = #"<attribute name="\#(name) optional="YES" attributeType="String"/>"#
            return Array("<model><entity name=\"A\">\(attribute)\(added)</entity></model>".utf8)
        }
        let (old, new) = (#"label""#, #"caption" elementID="label""#)
        let (renamed, extended) = (text(new), text(old, added))
        for (ours, theirs) in [(renamed, extended), (extended, renamed)] {
            let sides = MergeSides(base: text(old), ours: ours, theirs: theirs)
            let merged = try merge(sides, path: "M.xcdatamodel/contents")
            #expect(merged.bytes == text(new, added.replacing("label", with: "caption")))
        }
    }

    @Test func `there are cases`() {
        #expect(Self.cases.count >= 50)
    }

    /// The words of a text, without its order, white space and diagram, which are ours.
    private func words(_ bytes: [UInt8]) -> [Substring] {
        let text = String(decoding: bytes, as: UTF8.self)
        return text.split { $0.isWhitespace || "<>/".contains($0) }
            .filter { !$0.hasPrefix("position") && !$0.hasPrefix("optional") }.sorted()
    }

    private func elements(_ merged: MergedFile) -> [String] {
        merged.conflicts.map { $0.element ?? "" }.sorted()
    }

    /// The checksum of a version in the base and on either side; the digit 0 where it is not locked.
    @Test(arguments: [
        ("011", nil), ("012", RuleID.versionAddedTwice), ("010", nil), ("001", nil), ("111", nil),
        ("112", nil), ("121", nil), ("122", nil), ("123", .versionAddedTwice), ("110", nil),
        ("101", nil), ("100", nil), ("120", .mergeConflict), ("102", .mergeConflict),
    ])
    func `a version that both sides changed is a conflict of its kind`(
        _ checksums: String,
        _ rule: RuleID?
    ) {
        let digits = checksums.map(String.init)
        let texts = digits.enumerated().map { side, digit in
            let own = digit == "0" ? "" : "version V1\nchecksum \(digit)\n"
            // Each side has a version of its own, so that neither is unchanged.
            return Array("version W\nchecksum w\n\(own)version X\(side)\nchecksum x\n".utf8)
        }
        let sides = MergeSides(base: texts[0], ours: texts[1], theirs: texts[2])
        let merged = mergeLock(sides, path: "M.lock")
        #expect(merged.conflicts.map(\.rule) == (rule.map { [$0] } ?? []))
        let lines = String(decoding: merged.bytes, as: UTF8.self).split(separator: "\n")
        let kept = lines.filter { "123".contains($0.suffix(1)) && $0.hasPrefix("checksum") }
        let wanted: [String] =
            switch (digits[1] == digits[2], digits[1] == digits[0], digits[2] == digits[0]) {
            case (true, _, _), (_, false, true): [digits[1]]
            case (_, true, _): [digits[2]]
            case (false, false, false): [digits[1], digits[2]]
            }
        #expect(kept.map { String($0.suffix(1)) } == wanted.filter { $0 != "0" })
    }

    @Test func `a lock that names a version twice keeps both`() {
        let twice = "version V1\nchecksum a\nversion V1\nchecksum b\n"
        let sides = MergeSides(
            base: Array(twice.utf8),
            ours: Array((twice + "version V2\nchecksum c\n").utf8),
            theirs: Array((twice + "version V3\nchecksum d\n").utf8)
        )
        let merged = mergeLock(sides, path: "M.lock")
        let lines = String(decoding: merged.bytes, as: UTF8.self).split(separator: "\n")
        let versions = ["V1", "V1", "V2", "V3"].map { "version \($0)" }
        #expect(lines.filter { $0.hasPrefix("version") }.map(String.init) == versions)
        let checksums = lines.filter { $0.hasPrefix("checksum") }
        #expect(checksums.map { $0.suffix(1) } == ["a", "b", "c", "d"])
        #expect(merged.conflicts == [])
    }
}
