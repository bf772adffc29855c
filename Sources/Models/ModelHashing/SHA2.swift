/// The hash functions of Apple's hashes, as in FIPS 180-4.
///
/// Written here because a library for it would take most of a fresh build; the hashed data is not secret, so timing does
/// not matter.
struct SHA2<Word: SHA2Word> {
    private var state = Word.start
    private var rest: [UInt8] = []
    private var length: UInt64 = 0
    private var schedule = [Word](repeating: 0, count: Word.constants.count)

    static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var digest = Self()
        digest.update(bytes)
        return digest.finalize()
    }

    mutating func update(_ bytes: [UInt8]) {
        length += UInt64(bytes.count)
        guard !rest.isEmpty || bytes.count < Word.blockSize else {
            take(bytes)
            return
        }
        rest += bytes
        if rest.count >= Word.blockSize {
            let all = rest
            rest = []
            take(all)
        }
    }

    mutating func finalize() -> [UInt8] {
        let size = Word.blockSize
        let lengthSize = size / 8
        var last = rest
        last.reserveCapacity(2 * size)
        last.append(0x80)
        let gap = (2 * size - lengthSize - last.count) % size
        last += [UInt8](repeating: 0, count: gap + lengthSize - 8)
        withUnsafeBytes(of: (length << 3).bigEndian) { last.append(contentsOf: $0) }
        rest = []
        take(last)
        var digest: [UInt8] = []
        digest.reserveCapacity(size / 2)
        for word in state { withUnsafeBytes(of: word.bigEndian) { digest.append(contentsOf: $0) } }
        return digest
    }

    /// Processes complete blocks, and keeps the rest.
    private mutating func take(_ bytes: [UInt8]) {
        let whole = bytes.count / Word.blockSize * Word.blockSize
        bytes.withUnsafeBytes { bytes in
            state.withUnsafeMutableBufferPointer { state in
                schedule.withUnsafeMutableBufferPointer { schedule in
                    Word.constants.withUnsafeBufferPointer { constants in
                        guard let bytes = bytes.baseAddress, let state = state.baseAddress,
                            let schedule = schedule.baseAddress,
                            let constants = constants.baseAddress
                        else { return }
                        for start in stride(from: 0, to: whole, by: Word.blockSize) {
                            Word.compress(bytes + start, state, schedule, constants)
                        }
                    }
                }
            }
        }
        rest += bytes[whole...]
    }
}

/// Mixes a block into the state (FIPS 180-4, sections 6.2.2 and 6.4.2).
///
/// Transparent like all that it calls, so that builds without optimization do not look up each operation of a word by
/// its type, which took most of a run of the tests that hash.
@_transparent private func mix<Word: SHA2Word>(
    _ block: UnsafeRawPointer,
    _ state: UnsafeMutablePointer<Word>,
    _ schedule: UnsafeMutablePointer<Word>,
    _ constants: UnsafePointer<Word>,
    rounds: Int
) {
    UnsafeMutableRawPointer(schedule).copyMemory(from: block, byteCount: Word.blockSize)
    var place = 0
    while place < 16 {
        schedule[place] = Word(bigEndian: schedule[place])
        place &+= 1
    }
    while place < rounds {
        schedule[place] =
            schedule[place &- 2].smallSigma1 &+ schedule[place &- 7]
            &+ schedule[place &- 15].smallSigma0 &+ schedule[place &- 16]
        place &+= 1
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    place = 0
    // Eight at a time, after which each variable has its own meaning again: nothing needs to be moved.
    while place < rounds {
        let (words, added) = (schedule + place, constants + place)
        mix(a, b, c, &d, e, f, g, &h, words[0] &+ added[0])
        mix(h, a, b, &c, d, e, f, &g, words[1] &+ added[1])
        mix(g, h, a, &b, c, d, e, &f, words[2] &+ added[2])
        mix(f, g, h, &a, b, c, d, &e, words[3] &+ added[3])
        mix(e, f, g, &h, a, b, c, &d, words[4] &+ added[4])
        mix(d, e, f, &g, h, a, b, &c, words[5] &+ added[5])
        mix(c, d, e, &f, g, h, a, &b, words[6] &+ added[6])
        mix(b, c, d, &e, f, g, h, &a, words[7] &+ added[7])
        place &+= 8
    }
    state[0] &+= a
    state[1] &+= b
    state[2] &+= c
    state[3] &+= d
    state[4] &+= e
    state[5] &+= f
    state[6] &+= g
    state[7] &+= h
}

/// One round, whose variables are named as in the standard.
///
/// The functions Ch and Maj use fewer operations than there, with the same bits.
@_transparent private func mix<Word: SHA2Word>(
    _ a: Word,
    _ b: Word,
    _ c: Word,
    _ d: inout Word,
    _ e: Word,
    _ f: Word,
    _ g: Word,
    _ h: inout Word,
    _ added: Word
) {
    let first = h &+ e.largeSigma1 &+ (g ^ (e & (f ^ g))) &+ added
    d &+= first
    h = first &+ a.largeSigma0 &+ ((a & b) | (c & (a | b)))
}

/// What distinguishes SHA-256 from SHA-512.
protocol SHA2Word: FixedWidthInteger & UnsignedInteger {
    static var start: [Self] { get }
    static var constants: [Self] { get }
    static func compress(
        _ block: UnsafeRawPointer,
        _ state: UnsafeMutablePointer<Self>,
        _ schedule: UnsafeMutablePointer<Self>,
        _ constants: UnsafePointer<Self>
    )
    var smallSigma0: Self { get }
    var smallSigma1: Self { get }
    var largeSigma0: Self { get }
    var largeSigma1: Self { get }
}

extension SHA2Word {
    static var size: Int { bitWidth / 8 }
    static var blockSize: Int { 16 * size }
}

typealias SHA256 = SHA2<UInt32>
typealias SHA512 = SHA2<UInt64>

extension UInt32: SHA2Word {
    static let start: [UInt32] = UInt64.start.map { UInt32($0 >> 32) }
    static let constants: [UInt32] = UInt64.constants.prefix(64).map { UInt32($0 >> 32) }

    static func compress(
        _ block: UnsafeRawPointer,
        _ state: UnsafeMutablePointer<Self>,
        _ schedule: UnsafeMutablePointer<Self>,
        _ constants: UnsafePointer<Self>
    ) { mix(block, state, schedule, constants, rounds: 64) }

    @_transparent private func turned(_ count: UInt32) -> UInt32 {
        self &>> count | self &<< (32 &- count)
    }

    @_transparent var smallSigma0: UInt32 { turned(7) ^ turned(18) ^ self &>> 3 }
    @_transparent var smallSigma1: UInt32 { turned(17) ^ turned(19) ^ self &>> 10 }
    @_transparent var largeSigma0: UInt32 { turned(2) ^ turned(13) ^ turned(22) }
    @_transparent var largeSigma1: UInt32 { turned(6) ^ turned(11) ^ turned(25) }
}

extension UInt64: SHA2Word {
    /// The fractional parts of the square roots of the first eight primes; the upper halves are SHA-256's.
    static let start: [UInt64] = [
        0x6A09E667F3BCC908, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1,
        0x510E527FADE682D1, 0x9B05688C2B3E6C1F, 0x1F83D9ABFB41BD6B, 0x5BE0CD19137E2179,
    ]

    /// The fractional parts of the cube roots of the first eighty primes; the upper halves are SHA-256's.
    static let constants: [UInt64] = [
        0x428A2F98D728AE22, 0x7137449123EF65CD, 0xB5C0FBCFEC4D3B2F, 0xE9B5DBA58189DBBC,
        0x3956C25BF348B538, 0x59F111F1B605D019, 0x923F82A4AF194F9B, 0xAB1C5ED5DA6D8118,
        0xD807AA98A3030242, 0x12835B0145706FBE, 0x243185BE4EE4B28C, 0x550C7DC3D5FFB4E2,
        0x72BE5D74F27B896F, 0x80DEB1FE3B1696B1, 0x9BDC06A725C71235, 0xC19BF174CF692694,
        0xE49B69C19EF14AD2, 0xEFBE4786384F25E3, 0x0FC19DC68B8CD5B5, 0x240CA1CC77AC9C65,
        0x2DE92C6F592B0275, 0x4A7484AA6EA6E483, 0x5CB0A9DCBD41FBD4, 0x76F988DA831153B5,
        0x983E5152EE66DFAB, 0xA831C66D2DB43210, 0xB00327C898FB213F, 0xBF597FC7BEEF0EE4,
        0xC6E00BF33DA88FC2, 0xD5A79147930AA725, 0x06CA6351E003826F, 0x142929670A0E6E70,
        0x27B70A8546D22FFC, 0x2E1B21385C26C926, 0x4D2C6DFC5AC42AED, 0x53380D139D95B3DF,
        0x650A73548BAF63DE, 0x766A0ABB3C77B2A8, 0x81C2C92E47EDAEE6, 0x92722C851482353B,
        0xA2BFE8A14CF10364, 0xA81A664BBC423001, 0xC24B8B70D0F89791, 0xC76C51A30654BE30,
        0xD192E819D6EF5218, 0xD69906245565A910, 0xF40E35855771202A, 0x106AA07032BBD1B8,
        0x19A4C116B8D2D0C8, 0x1E376C085141AB53, 0x2748774CDF8EEB99, 0x34B0BCB5E19B48A8,
        0x391C0CB3C5C95A63, 0x4ED8AA4AE3418ACB, 0x5B9CCA4F7763E373, 0x682E6FF3D6B2B8A3,
        0x748F82EE5DEFB2FC, 0x78A5636F43172F60, 0x84C87814A1F0AB72, 0x8CC702081A6439EC,
        0x90BEFFFA23631E28, 0xA4506CEBDE82BDE9, 0xBEF9A3F7B2C67915, 0xC67178F2E372532B,
        0xCA273ECEEA26619C, 0xD186B8C721C0C207, 0xEADA7DD6CDE0EB1E, 0xF57D4F7FEE6ED178,
        0x06F067AA72176FBA, 0x0A637DC5A2C898A6, 0x113F9804BEF90DAE, 0x1B710B35131C471B,
        0x28DB77F523047D84, 0x32CAAB7B40C72493, 0x3C9EBE0A15C9BEBC, 0x431D67C49C100D4C,
        0x4CC5D4BECB3E42B6, 0x597F299CFC657E2A, 0x5FCB6FAB3AD6FAEC, 0x6C44198C4A475817,
    ]

    static func compress(
        _ block: UnsafeRawPointer,
        _ state: UnsafeMutablePointer<Self>,
        _ schedule: UnsafeMutablePointer<Self>,
        _ constants: UnsafePointer<Self>
    ) { mix(block, state, schedule, constants, rounds: 80) }

    @_transparent private func turned(_ count: UInt64) -> UInt64 {
        self &>> count | self &<< (64 &- count)
    }

    @_transparent var smallSigma0: UInt64 { turned(1) ^ turned(8) ^ self &>> 7 }
    @_transparent var smallSigma1: UInt64 { turned(19) ^ turned(61) ^ self &>> 6 }
    @_transparent var largeSigma0: UInt64 { turned(28) ^ turned(34) ^ turned(39) }
    @_transparent var largeSigma1: UInt64 { turned(14) ^ turned(18) ^ turned(41) }
}
