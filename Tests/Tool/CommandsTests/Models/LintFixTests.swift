import Diagnostics
import Foundation
import ModelChecking
import TestSupport
import Testing

/// A healthy model that is broken in one place; `lint --fix` must restore it byte for byte.
struct FixCase: Sendable, CustomTestStringConvertible {
    var rule: String
    var whole: String
    var broken: String
    var movesHash: Bool

    var testDescription: String { "\(rule): \(broken)" }

    static let all = rows.map { FixCase(rule: $0, whole: $1, broken: $2, movesHash: $3) }

    private static let rows: [(String, String, String, Bool)] = [
        ("missing-inverse", #" inverseName="items" inverseEntity="Order"/>"#, "/>", true),
        ("broken-inverse", #"inverseName="items""#, #"inverseName="lines""#, true),
        ("broken-inverse", #" inverseName="items" inverseEntity="Order"/>"#, "/>", true),
        ("duplicate-name", number, number + "\n        " + number, false),
        (
            "unknown-destination",
            #"destinationEntity="Item" inverseName="order" inverseEntity="Item""#,
            #"destinationEntity="Thing" inverseName="order" inverseEntity="Thing""#, false
        ),
        ("unknown-parent-entity", #"parentEntity="Item""#, #"parentEntity="Thing""#, false),
        (
            "unknown-reference", #"<memberEntity name="Item"/>"#, #"<memberEntity name="Thing"/>"#,
            false
        ),
        ("unknown-reference", #"name="all" entity="Item""#, #"name="all" entity="Thing""#, false),
        ("unknown-reference", #"property="text""#, #"property="code""#, false),
        ("unknown-reference", #"<constraint value="text"/>"#, #"<constraint value="code"/>"#, true),
        ("to-one-count", #" maxCount="1""#, "", true),
        (
            "cloudkit-mandatory-relationship", #"name="order" optional="YES""#, #"name="order""#,
            true
        ),
        ("missing-renaming-identifier", #" elementID="code""#, "", false),
        (
            "stale-renaming-identifier", number,
            number.replacing("/>", with: #" elementID="nr"/>"#), false
        ),
        (
            "redundant-renaming-identifier", number,
            number.replacing("/>", with: #" elementID="number"/>"#), false
        ),
        (
            "literal-renaming-identifier", #" elementID="Thing""#, #" renamingIdentifier="Thing""#,
            false
        ),
        ("undeclared-rename", #" elementID="Thing""#, "", false),
        ("missing-inverse-entity", #" inverseEntity="Order""#, "", false),
        ("source-form", #"name="number" optional="YES""#, #"optional="YES" name="number""#, false),
    ]

    private static let number = #"<attribute name="number" optional="YES" attributeType="String"/>"#

    static let source = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="23605" systemVersion="24C101" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="">
            <entity name="Code" representedClassName="Code" syncable="YES" codeGenerationType="class">
                <attribute name="text" optional="YES" attributeType="String" elementID="code"/>
                <fetchIndex name="byText">
                    <fetchIndexElement property="text" type="Binary" order="ascending"/>
                </fetchIndex>
                <uniquenessConstraints>
                    <uniquenessConstraint>
                        <constraint value="text"/>
                    </uniquenessConstraint>
                </uniquenessConstraints>
            </entity>
            <entity name="Gift" representedClassName="Gift" parentEntity="Item" syncable="YES" codeGenerationType="class"/>
            <entity name="Item" representedClassName="Item" elementID="Thing" syncable="YES" codeGenerationType="class">
                <relationship name="order" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Order" inverseName="items" inverseEntity="Order"/>
            </entity>
            <entity name="Order" representedClassName="Order" syncable="YES" codeGenerationType="class">
                \(number)
                <relationship name="items" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Item" inverseName="order" inverseEntity="Item"/>
            </entity>
            <fetchRequest name="all" entity="Item" predicateString="TRUEPREDICATE"/>
            <configuration name="Cloud" usedWithCloudKit="YES">
                <memberEntity name="Order"/>
                <memberEntity name="Gift"/>
                <memberEntity name="Item"/>
            </configuration>
        </model>
        """

    static let older = source.replacing(" elementID=\"Thing\"", with: "")
        .replacing("\"Item\"", with: "\"Thing\"")

    var text: String { Self.source.replacing(whole, with: broken, maxReplacements: 1) }
}

private struct FixShop {
    var folder: URL

    static func with(_ text: String, _ body: (FixShop) throws -> Void) throws {
        try withFolder { folder in
            let bundle = folder.appending(path: "Shop.xcdatamodeld")
            let versions = ["Shop": FixCase.older, "Shop 2": FixCase.source]
            try writeBundle(versions, current: "Shop 2", at: bundle)
            let shop = FixShop(folder: folder)
            try expectRun("lock Shop.xcdatamodeld --version Shop", in: folder, 0)
            try Data(text.utf8).write(to: shop.file)
            try body(shop)
        }
    }

    var file: URL { folder.appending(path: "Shop.xcdatamodeld/Shop 2.xcdatamodel/contents") }
    var text: String { get throws { try fileText(file) } }

    func lint(_ more: String...) throws -> CommandResult {
        try momtool(["lint", "Shop.xcdatamodeld"] + more, in: folder)
    }
}

struct LintFixTests {
    @Test func `the healthy model has no finding that a fix is about`() throws {
        try FixShop.with(FixCase.source) { shop in
            let found = try shop.lint()
            #expect(!found.output.contains("error: "), "\(found.output)")
            #expect(!found.output.contains("--fix cures"), "\(found.output)")
        }
    }

    @Test(arguments: FixCase.all)
    func `a fix gives the healthy source byte for byte, and a second run changes nothing`(
        _ fix: FixCase
    ) throws {
        try FixShop.with(fix.text) { shop in
            #expect(try shop.lint().output.contains("[\(fix.rule)]"))
            let fixed = try shop.lint("--fix")
            #expect(!fixed.output.contains("[\(fix.rule)]"), "\(fixed.output)\(fixed.errors)")
            #expect(try shop.text == FixCase.source, "\(fixed.errors)")
            let again = try shop.lint("--fix")
            #expect(again.errors.isEmpty, "\(again.errors)")
            #expect(try shop.text == FixCase.source)
            #expect(try momtool("lock --check .", in: shop.folder).status == 0)
        }
    }

    @Test(arguments: FixCase.all.filter(\.movesHash))
    func `a fix that moves a hash is made only where a lock says that nothing shipped`(
        _ fix: FixCase
    ) throws {
        try FixShop.with(fix.text) { shop in
            let lock = shop.folder.appending(path: "Shop.xcdatamodeld.lock")
            try FileManager.default.removeItem(at: lock)
            let open = try shop.lint("--fix")
            #expect(try shop.text == fix.text)
            #expect(open.errors.contains("left out, as no lock says that 'Shop 2' has not shipped"))
            try Data(FixCase.source.utf8).write(to: shop.file)
            #expect(try momtool("lock Shop.xcdatamodeld", in: shop.folder).status == 0)
            try Data(fix.text.utf8).write(to: shop.file)
            let locked = try shop.lint("--fix")
            #expect(try shop.text == fix.text)
            #expect(locked.errors.contains("left out, as 'Shop 2' is locked"), "\(locked.errors)")
        }
    }

    @Test func `a fix that moves a hash is not made in a version that is not the newest`() throws {
        let broken = FixCase.source.replacing(" maxCount=\"1\"", with: "")
        try FixShop.with(broken) { shop in
            try writeBundle(
                ["Shop 3": FixCase.source],
                "Shop.xcdatamodeld",
                in: shop.folder,
                current: "Shop 2"
            )
            let run = try shop.lint("--fix")
            #expect(try shop.text == broken)
            #expect(run.errors.contains("as 'Shop 2' is not the newest version"), "\(run.errors)")
        }
    }

    @Test func `a version that only adds an index becomes a step by a hash modifier`() throws {
        let index = """
            <fetchIndex name="byNumber">
                        <fetchIndexElement property="number" type="Binary" order="ascending"/>
                    </fetchIndex>
            """
        let end = #"destinationEntity="Item" inverseName="order" inverseEntity="Item"/>"#
        let text = FixCase.source.replacing(end, with: "\(end)\n        \(index)")
        try FixShop.with(FixCase.source) { shop in
            #expect(try momtool("lock Shop.xcdatamodeld", in: shop.folder).status == 0)
            let bundle = shop.folder.appending(path: "Shop.xcdatamodeld")
            try writeBundle(["Shop 3": text], at: bundle)
            #expect(try shop.lint().output.contains("[index-only-version]"))
            let fixed = try shop.lint("--fix")
            #expect(!fixed.output.contains("[index-only-version]"), "\(fixed.output)")
            let file = bundle.appending(path: "Shop 3.xcdatamodel/contents")
            let head = #"name="Order" representedClassName="Order""#
            let wanted = text.replacing(head, with: head + #" versionHashModifier="Shop 3""#)
            #expect(try fileText(file) == wanted)
            #expect(try shop.lint("--fix").errors.isEmpty)
        }
    }

    @Test func `names that were changed in a choice of ways are let be`() throws {
        let two = FixCase.source.replacing(
            #"representedClassName="Code""#,
            with: #"representedClassName="Code" elementID="Thing""#
        )
        for text in [two, FixCase.source.replacing(" elementID=\"Thing\"", with: "")] {
            let broken = text.replacing(
                "<memberEntity name=\"Item\"",
                with: "<memberEntity name=\"Thing\""
            )
            try FixShop.with(broken) { shop in
                _ = try shop.lint("--fix")
                #expect(try shop.text.contains("<memberEntity name=\"Thing\"/>"))
            }
        }
        let number = #"<attribute name="number" optional="YES" attributeType="String"/>"#
        let other = number.replacing("String", with: "Date")
        let broken = FixCase.source.replacing(number, with: number + "\n        " + other)
        try FixShop.with(broken) { shop in
            _ = try shop.lint("--fix")
            #expect(try shop.text == broken)
        }
    }

    @Test func `the new name of a locked version is written into the lock`() throws {
        try FixShop.with(FixCase.source) { shop in
            let bundle = shop.folder.appending(path: "Shop.xcdatamodeld")
            try FileManager.default.moveItem(
                at: bundle.appending(path: "Shop.xcdatamodel"),
                to: bundle.appending(path: "Shop 1.xcdatamodel")
            )
            let lock = shop.folder.appending(path: "Shop.xcdatamodeld.lock")
            let before = try fileText(lock)
            #expect(try shop.lint().output.contains("[locked-version-renamed]"))
            let fixed = try shop.lint("--fix")
            #expect(!fixed.output.contains("[locked-version-renamed]"), "\(fixed.output)")
            let after = try fileText(lock)
            #expect(after == before.replacing("version Shop\n", with: "version Shop%201\n"))
            #expect(try shop.lint("--fix").errors.isEmpty)
        }
    }

    @Test func `reports say which lines a fix replaces`() throws {
        let broken = FixCase.source.replacing(" inverseEntity=\"Order\"", with: "")
        try FixShop.with(broken) { shop in
            let whole = FixCase.source.components(separatedBy: "\n")
            let line = try #require(whole.firstIndex { $0.contains("inverseEntity=\"Order\"") })
            let sarif = try shop.lint("--format", "sarif").output
            let log = try #require(
                try JSONSerialization.jsonObject(with: Data(sarif.utf8)) as? [String: Any]
            )
            let run = try #require((log["runs"] as? [[String: Any]])?.first)
            let fixes = try #require(run["results"] as? [[String: Any]])
                .compactMap { $0["fixes"] as? [[String: Any]] }
            let changes = try #require(fixes.first?.first?["artifactChanges"] as? [[String: Any]])
            let made = try #require((changes[0]["replacements"] as? [[String: Any]])?.first)
            let region = try #require(made["deletedRegion"] as? [String: Int])
            #expect(
                region
                    == [
                        "startLine": line + 1, "startColumn": 1, "endLine": line + 2,
                        "endColumn": 1,
                    ]
            )
            let text = (made["insertedContent"] as? [String: String])?["text"]
            #expect(text == whole[line] + "\n")
            let json = try shop.lint("--format", "json").output
            #expect(json.contains("\"firstLine\" : \(line + 1)"))
        }
    }

    @Test func `the list of rules shows which have a fix`() throws {
        let tested = Set(FixCase.all.map(\.rule)).union([
            "index-only-version", "inverse-not-written", "locked-version-renamed",
            "missing-current-version",
            "version-not-in-project",
        ])
        #expect(Set(Rule.all.filter { $0.fix != nil }.map(\.id.rawValue)) == tested)
        for fix in FixCase.all {
            let rule = try #require(Rule.named(fix.rule)?.fix)
            let isConstraint = fix.broken.contains("<constraint")
            #expect(rule.movesHash == fix.movesHash || isConstraint, "\(fix.rule)")
        }
        #expect(try momtool("rules", in: Corpus.package).output.contains("fix, new hash"))
    }
}
