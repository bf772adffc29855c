import Foundation
import Testing

@testable import RowExchange

struct Base64Tests {
    @Test(arguments: [0, 1, 2, 3, 3_071, 3_072, 3_073, 6_144, 10_000])
    func `bytes of any length are written as by Foundation, and come back`(count: Int) {
        let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 8) })
        var text = JSONText(capacity: 16)
        data.withUnsafeBytes { text.appendBase64($0) }
        #expect(text.bytes == Array("\"\(data.base64EncodedString())\"".utf8))
        let digits = Array(text.bytes.dropFirst().dropLast())
        #expect(digits.withUnsafeBytes { Base64.bytes(of: $0) } == Array(data))
    }

    @Test(arguments: [0, 2, 3, 4_094, 4_095, 4_096, 8_191, 8_192, 8_200])
    func `what is no digit is refused, wherever it stands`(place: Int) {
        let digits = Array(Data(repeating: 0x2A, count: 6_200).base64EncodedString().utf8)
        for wrong in "=-_ \n\u{0}é".utf8 {
            var damaged = digits
            damaged[place] = wrong
            #expect(damaged.withUnsafeBytes { Base64.bytes(of: $0) } == nil, "\(wrong)")
        }
    }
}
