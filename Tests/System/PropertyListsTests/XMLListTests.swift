import Foundation
import PropertyLists
import Testing

struct XMLListTests {
    static let values: [(String, PropertyList)] = [
        ("<string>a &amp; b</string>", .string("a & b")),
        ("<integer> -5 </integer>", .integer(-5)),
        ("<integer>0x1F</integer>", .integer(31)),
        ("<integer>18446744073709551615</integer>", .largeInteger(.max)),
        ("<real>1.5</real>", .real64(1.5)),
        ("<true/>", .boolean(true)),
        ("<false/>", .boolean(false)),
        ("<date>2001-01-01T00:00:00Z</date>", .date(0)),
        ("<date>2024-02-29T12:00:01Z</date>", .date(730_900_801)),
        ("<date>1999-12-31T23:59:59Z</date>", .date(-31_622_401)),
        ("<data>\n AQ\n ID </data>", .data(Data([1, 2, 3]))),
        ("<array><true/><array/></array>", .array([.boolean(true), .array([])])),
        ("<dict><key>k</key><string/></dict>", .dictionary(["k": .string("")])),
    ]

    private func read(_ content: String) throws -> PropertyList {
        try readPropertyList(
            Data("<?xml version=\"1.0\"?><plist version=\"1.0\">\(content)</plist>".utf8)
        )
    }

    @Test(arguments: values)
    func `an XML value is read`(content: String, value: PropertyList) throws {
        #expect(try read(content) == value)
    }

    static let faults = [
        "", "<true/><true/>", "<integer>x</integer>", "<date>yesterday</date>", "<data>?</data>",
        "<dict><key>k</key></dict>", "<dict><string/><string/></dict>", "<model/>", "<string>",
        "<date>2024-13-01T00:00:00Z</date>",
    ]

    @Test(arguments: faults)
    func `XML that is no property list is refused`(content: String) {
        #expect(throws: PropertyListError.self) { try read(content) }
    }
}
