import Testing

@testable import StoreFormat

struct StoredDateTests {
    static func read(_ text: String) -> Double? {
        var text = text
        return text.withUTF8 { StoredDate.seconds(of: UnsafeRawBufferPointer($0)) }
    }

    @Test func `every number comes back from its text`() {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        for round in 0..<20_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            var seconds = Double(Int64(bitPattern: state)) / 9e18
            for _ in 0..<(round % 20) { seconds *= round % 40 < 20 ? 0.1 : 10 }
            guard let text = StoredDate.text(of: seconds) else { continue }
            #expect(Self.read(text) == seconds, "\(seconds) \(text)")
        }
    }

    @Test(
        arguments: [
            (0, "2001-01-01T00:00:00Z"), (-1, "2000-12-31T23:59:59Z"),
            (-0.000001, "2000-12-31T23:59:59.999999Z"), (0.25, "2001-01-01T00:00:00.25Z"),
            (-63_113_904_000, "0001-01-01T00:00:00Z"), (63_113_904_000, "4001-01-01T00:00:00Z"),
            (252_423_993_599, "9999-12-31T23:59:59Z"), (98_323_200, "2004-02-13T00:00:00Z"),
            (1e-10, "2001-01-01T00:00:00.0000000001Z"),
        ] as [(Double, String)]
    )
    func `dates have the texts of ISO 8601`(seconds: Double, text: String) {
        #expect(StoredDate.text(of: seconds) == text)
        #expect(Self.read(text) == seconds)
    }

    @Test(arguments: [252_423_993_600, -1e12, 1e300, .infinity, .nan])
    func `numbers beyond the years 0 to 9999 have no text`(seconds: Double) {
        #expect(StoredDate.text(of: seconds) == nil)
    }

    @Test(
        arguments: [
            ("2001-01-01T02:00:00+02:00", 0), ("2000-12-31T19:00:00.500-05:00", 0.5),
            ("2001-01-01t00:00:00z", 0),
            ("2001-01-01T02:00:00+0200", 0), ("2001-01-01T02:00:00+02", 0),
        ] as [(String, Double)]
    )
    func `other forms of ISO 8601 are read too`(text: String, seconds: Double) {
        #expect(Self.read(text) == seconds)
    }

    @Test(arguments: [
        "", "2001", "2001-01-01", "2001-01-01T00:00:00", "2001-13-01T00:00:00Z",
        "2001-02-29T00:00:00Z", "2001-01-01T24:00:00Z", "2001-01-01T00:00:00.Z",
        "2001-01-01T00:00:00Z ", "2001-01-01 00:00:00Z", "2001-01-01T00:00:60Z",
        "2001-01-01T00:00:00+2:00", "2024-02-30T00:00:00Z", "2001-01-01T25:00:00Z",
        "2001-01-01T00:00:00+99:00", "2001-01-01T00:00:00+0260", "2001-01-01T00:00:00+02:",
    ])
    func `other texts are no dates`(text: String) {
        #expect(Self.read(text) == nil)
    }
}
