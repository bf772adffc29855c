package import Foundation

/// Numbers that are the same for the same seed, on every machine (SplitMix64).
package struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

package struct Mutator: Sendable {
    private let seeds: [Data]
    private let tokens: [Data]
    private let lengthLimit: Int

    /// Takes inputs to start from, and pieces of their language; inputs beyond the limit in bytes are cut.
    package init(seeds: [Data], tokens: [String], lengthLimit: Int = 1 << 18) {
        self.seeds = seeds.isEmpty ? [Data()] : seeds
        self.tokens = tokens.map { Data($0.utf8) }
        self.lengthLimit = lengthLimit
    }

    package func input(_ number: Int, seed: UInt64) -> Data {
        var numbers = SeededNumbers(seed: seed &* 0x1000_0000_1B3 ^ UInt64(number))
        for _ in 0..<3 { _ = numbers.next() }
        var bytes = [UInt8](seeds[Int.random(in: 0..<seeds.count, using: &numbers)])
        // Some inputs have no mutation: what is fed first must be good.
        for _ in 0..<Int.random(in: 0...6, using: &numbers) { mutate(&bytes, &numbers) }
        return Data(bytes.prefix(lengthLimit))
    }

    private func mutate(_ bytes: inout [UInt8], _ numbers: inout SeededNumbers) {
        guard !bytes.isEmpty else {
            bytes = [UInt8](tokens.randomElement(using: &numbers) ?? Data([0]))
            return
        }
        let place = Int.random(in: 0..<bytes.count, using: &numbers)
        switch Int.random(in: 0..<10, using: &numbers) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
        case 1: bytes[place] = UInt8.random(in: 0...255, using: &numbers)
        case 2: overwrite(&bytes, at: place, with: boundary(&numbers))
        case 3: bytes.removeSubrange(range(in: bytes, from: place, &numbers))
        case 4: repeatRange(&bytes, place, &numbers)
        case 5: splice(&bytes, place, &numbers)
        case 6: bytes.removeSubrange(place...)
        case 7: swapRanges(&bytes, place, &numbers)
        case 8: insertNumber(&bytes, place, &numbers)
        default:
            bytes.insert(contentsOf: tokens.randomElement(using: &numbers) ?? Data([0]), at: place)
        }
    }

    private func range(
        in bytes: [UInt8],
        from place: Int,
        _ numbers: inout SeededNumbers
    ) -> Range<Int> {
        let scale = [4, 16, 64, 1024, 16384].randomElement(using: &numbers) ?? 4
        return place..<min(bytes.count, place + Int.random(in: 1...scale, using: &numbers))
    }

    private func boundary(_ numbers: inout SeededNumbers) -> [UInt8] {
        let values: [UInt64] = [
            0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF,
            0x7FFF_FFFF_FFFF_FFFF, 0x8000_0000_0000_0000, .max,
        ]
        let value = values.randomElement(using: &numbers) ?? 0
        let width = [1, 2, 4, 8].randomElement(using: &numbers) ?? 1
        return (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * (width - 1 - $0))) }
    }

    private func overwrite(_ bytes: inout [UInt8], at place: Int, with piece: [UInt8]) {
        for (offset, byte) in piece.enumerated() where place + offset < bytes.count {
            bytes[place + offset] = byte
        }
    }

    /// Repeats a range, at times so often that nesting and sizes get out of hand.
    private func repeatRange(_ bytes: inout [UInt8], _ place: Int, _ numbers: inout SeededNumbers) {
        let piece = bytes[range(in: bytes, from: place, &numbers)]
        let wanted = [1, 2, 8, 400, 20_000].randomElement(using: &numbers) ?? 1
        let count = min(wanted, max(1, (lengthLimit - bytes.count) / piece.count))
        guard count > 0 else { return }
        bytes.insert(contentsOf: Array(repeatElement(piece, count: count).joined()), at: place)
    }

    private func splice(_ bytes: inout [UInt8], _ place: Int, _ numbers: inout SeededNumbers) {
        let other = [UInt8](seeds[Int.random(in: 0..<seeds.count, using: &numbers)])
        guard !other.isEmpty else { return }
        let start = Int.random(in: 0..<other.count, using: &numbers)
        bytes.insert(contentsOf: other[range(in: other, from: start, &numbers)], at: place)
    }

    private func swapRanges(_ bytes: inout [UInt8], _ place: Int, _ numbers: inout SeededNumbers) {
        let first = range(in: bytes, from: place, &numbers)
        let piece = Array(bytes[first])
        bytes.removeSubrange(first)
        bytes.insert(contentsOf: piece, at: Int.random(in: 0...bytes.count, using: &numbers))
    }

    private func insertNumber(_ bytes: inout [UInt8], _ place: Int, _ numbers: inout SeededNumbers)
    {
        let texts = [
            "0", "-1", "9223372036854775807", "-9223372036854775808", "18446744073709551616",
            "1e309", "-0.0", "nan", "99999999999999999999999999999999999999999",
        ]
        bytes.insert(contentsOf: (texts.randomElement(using: &numbers) ?? "0").utf8, at: place)
    }
}
