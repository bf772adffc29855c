import Diagnostics
import TestSupport
import Testing

struct HiddenSignTests {
    @Test(
        arguments: [
            0x034F, 0x115F, 0x1160, 0x180E, 0x200C, 0x200D, 0x206A, 0x206F, 0x3164, 0xFE00, 0xFE0E,
            0xFE0F, 0xFFA0, 0xFFF9, 0xFFFB, 0x1D173, 0x1D17A, 0xE0100, 0xE01EF,
        ] as [UInt32]
    )
    func `a sign that is not seen is a number`(value: UInt32) throws {
        let scalar = try #require(Unicode.Scalar(value))
        #expect("V\(scalar)1".onOneLine == "V\(scalar.escapedNumber)1")
        #expect("1\(scalar)".onOneLine == "1\(scalar.escapedNumber)")
        #expect("\(scalar)1".onOneLine == "\(scalar.escapedNumber)1")
        #expect("V\(scalar)1".isObeyed)
    }

    @Test(
        arguments: [
            // Emoji: a heart, a family, a flag of two signs, a key, a skin.
            "❤\u{FE0F}", "👩\u{200D}👩\u{200D}👧", "🏳\u{FE0F}\u{200D}🌈", "1\u{FE0F}\u{20E3}",
            "👩🏽\u{200D}🚀", "☎\u{FE0E}",
            // Persian, Hindi, Sinhala, Malayalam; a Japanese name.
            "می\u{200C}خواهم", "क्\u{200D}ष", "ශ්\u{200D}රී", "ന്\u{200D}", "葛\u{E0100}城", "葛\u{FE00}",
        ]
    )
    func `a real name stays as it is`(name: String) {
        #expect(name.onOneLine == name)
        #expect(!name.isObeyed)
        #expect(shellWord(name) == "'\(name)'")
    }

    @Test(arguments: ["م\u{200C}", "👩\u{200D}", "\u{200D}👩", "a\u{200D}👧", "क\u{200D}"])
    func `a joiner that joins nothing is a number`(name: String) {
        #expect(name.onOneLine.contains("\\u200"))
    }
}
