import ModelHashing

/// A secret order of numbers: which one stands in place of which cannot be told without the secret.
///
/// A Feistel network over the least even number of bits that holds them all, walked until the result is one of them, so
/// that different numbers stay different.
struct SecretPermutation: Sendable {
    private let secret: [UInt8]

    /// Few bits need more rounds to be well mixed.
    private static let rounds = 8

    init(secret: [UInt8]) { self.secret = secret }

    /// The number in place of another one, both below `count`.
    func place(of number: UInt64, among count: UInt64) -> UInt64 {
        guard count > 1, number < count else { return number }
        let bits = UInt64.bitWidth - (count - 1).leadingZeroBitCount
        let half = UInt64((bits + 1) / 2)
        let mask = (UInt64(1) << half) - 1
        var result = number
        repeat {
            var (left, right) = (result >> half, result & mask)
            for round in 0..<Self.rounds {
                (left, right) = (right, left ^ (mixed(round, right, count) & mask))
            }
            result = left << half | right
        } while result >= count
        return result
    }

    /// The digits in place of others, each below its own base; letters whose number is not below it are only mixed in.
    func digits(_ digits: [(digit: Int, base: Int)]) -> [Int] {
        var (number, count) = (UInt64(0), UInt64(1))
        for (digit, base) in digits {
            let (product, overflows) = count.multipliedReportingOverflow(by: UInt64(base))
            guard digit < base, !overflows, product < 1 << 62 else { return streamed(digits) }
            number = number * UInt64(base) + UInt64(digit)
            count = product
        }
        var place = self.place(of: number, among: count)
        var result: [Int] = []
        for (_, base) in digits.reversed() {
            result.append(Int(place % UInt64(base)))
            place /= UInt64(base)
        }
        return result.reversed()
    }

    /// So many digits that two of them never meet by chance.
    private func streamed(_ digits: [(digit: Int, base: Int)]) -> [Int] {
        let bytes = digits.flatMap { digit, base in
            [UInt32(truncatingIfNeeded: digit), UInt32(truncatingIfNeeded: base)].flatMap {
                withUnsafeBytes(of: $0.littleEndian, Array.init)
            }
        }
        var stream = SecretStream(secret: secret, of: bytes)
        return digits.map { Int(stream.nextWord() % UInt32($0.base)) }
    }

    private func mixed(_ round: Int, _ half: UInt64, _ count: UInt64) -> UInt64 {
        var input = secret
        input.append(UInt8(round))
        for value in [half, count] {
            withUnsafeBytes(of: value.littleEndian) { input.append(contentsOf: $0) }
        }
        return sha256(input).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// Bytes that depend on a secret and some content, and tell neither.
struct SecretStream {
    private let seed: [UInt8]
    private var block: [UInt8] = []
    private var used = 0
    private var counter: UInt64 = 0

    init(secret: [UInt8], of content: [UInt8]) {
        seed = sha256(secret + sha256(secret + content))
    }

    /// The next byte.
    mutating func next() -> UInt8 {
        if used == block.count {
            block = withUnsafeBytes(of: counter.littleEndian) { sha256(seed + $0) }
            counter += 1
            used = 0
        }
        defer { used += 1 }
        return block[used]
    }

    /// The next four bytes as a number.
    mutating func nextWord() -> UInt32 {
        (0..<4).reduce(0) { word, _ in word << 8 | UInt32(next()) }
    }
}
