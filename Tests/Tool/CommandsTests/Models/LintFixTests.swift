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
            #expect(!found.output.contains("--fix fixes"), "\(found.output)")
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
            #expect(open.errors.contains("'Shop 2'"))
            try Data(FixCase.source.utf8).write(to: shop.file)
            #expect(try momtool("lock Shop.xcdatamodeld", in: shop.folder).status == 0)
            try Data(fix.text.utf8).write(to: shop.file)
            let locked = try shop.lint("--fix")
            #expect(try shop.text == fix.text)
            #expect(locked.errors.contains("'Shop 2'"), "\(locked.errors)")
        }
    }

    @Test func `the list of rules shows which have a fix`() throws {
        let tested = Set(FixCase.all.map(\.rule)).union([
            "index-only-version", "inverse-not-written", "locked-version-renamed",
            "missing-current-version", "version-not-in-project",
        ])
        #expect(Set(Rule.all.filter { $0.fix != nil }.map(\.id.rawValue)) == tested)
        for fix in FixCase.all {
            let rule = try #require(Rule.named(fix.rule)?.fix)
            let isConstraint = fix.broken.contains("<constraint")
            #expect(rule.movesHash == fix.movesHash || isConstraint, "\(fix.rule)")
        }
    }
}
