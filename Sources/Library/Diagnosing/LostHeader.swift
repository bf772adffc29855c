import StoreFormat

/// What the header of a database must be, its first 100 bytes (sqlite.org/fileformat2.html, 1.3), where it is lost.
///
/// All that SQLite needs of it stands in the pages behind it as well, so that nothing is taken from another store, whose
/// number of pages and free pages are its own.
struct LostHeader {
    /// How many bytes of a file tell all that is asked: two pages of the greatest size.
    static let bytesNeeded = 2 << 16

    /// The bytes that belong at the beginning of the file.
    let replacement: [UInt8]

    private static let length = 100

    /// Which bytes are wrong; no more than `length` where not all of them can be told.
    private let faults: [Range<Int>]

    /// Works out the bytes to replace; `nil` where the header is whole.
    ///
    /// - Parameters:
    ///   - start: the beginning of the file, as much as is there.
    ///   - fileSize: the size of the file in bytes.
    ///   - hasLog: whether a write-ahead log lies beside the file, which goes on being one of the database.
    init?(_ start: [UInt8], fileSize: Int, hasLog: Bool = false) {
        guard start.count > Self.length else { return nil }
        let faults = Self.faults(in: start, fileSize)
        guard let first = faults.first else { return nil }
        let isNameLost = first.lowerBound == 0
        if isNameLost, faults.count == 1 {
            replacement = databaseSignature
        } else {
            let made = Self.header(of: start, fileSize, hasLog: hasLog)
            // What can be wrong without a sign of it is taken over where only a little is wrong.
            let isPatched = !isNameLost && faults.count <= Self.mostPatched
            var header = isPatched ? Array(start.prefix(Self.length)) : made
            for range in faults { header.replaceSubrange(range, with: made[range]) }
            replacement = header
            guard isPatched else {
                self.faults = [0..<Self.length]
                return
            }
        }
        self.faults = faults
    }

    /// How many parts may be wrong of a header of which all else is kept.
    private static let mostPatched = 2

    /// What of the header is wrong, in words.
    var words: String {
        guard faults.first?.lowerBound != 0 else {
            return "lost (its first \(replacement.count) bytes)"
        }
        let places = faults.map { range in
            range.count == 1
                ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound - 1)"
        }
        return "damaged (byte \(places.joined(separator: ", byte ")), counted from 0)"
    }

    /// The parts that are not as SQLite writes them, or count pages that are not there.
    private static func faults(in start: [UInt8], _ fileSize: Int) -> [Range<Int>] {
        let stored = bigEndian(start, 16, 2)
        let size = stored == 1 ? 1 << 16 : stored
        // SQLite believes the number of pages only where the last writer kept it.
        let isCounted = Array(start[24..<28]) == Array(start[92..<96])
        let isNamed = start.starts(with: databaseSignature)
        // A file that begins with its name and is too short is told as one that was cut off.
        let isTooShort = !isNamed && isCounted && bigEndian(start, 28, 4) * size > fileSize
        let parts: [(range: Range<Int>, isSound: Bool)] = [
            (0..<16, isNamed), (16..<18, pageSizes.contains(size)),
            (18..<19, (1...2).contains(start[18])), (19..<20, (1...2).contains(start[19])),
            (21..<24, Array(start[21...23]) == [64, 32, 32]), (28..<32, !isTooShort),
            (44..<48, (1...4).contains(bigEndian(start, 44, 4))),
            (56..<60, (1...3).contains(bigEndian(start, 56, 4))),
        ]
        return parts.filter { !$0.isSound }.map(\.range)
    }

    private static let pageSizes = (9...16).map { 1 << $0 }

    /// A header worked out from the pages: no page is free, and the journal is that of rollback, which a copy has none of,
    /// unless a write-ahead log is there, or what is left of the header says so.
    private static func header(of start: [UInt8], _ fileSize: Int, hasLog: Bool) -> [UInt8] {
        let size = pageSize(start)
        let root = greatestRoot(start, pageSize: size)
        let journal: UInt8 = hasLog || start[18] == 2 || start[19] == 2 ? 2 : 1
        var bytes = databaseSignature + big(size == 1 << 16 ? 1 : size, 2)
        bytes += [journal, journal, 0, 64, 32, 32]
        // Change counter, pages, first free page, free pages, cookie and format of the schema, cache.
        for value in [1, fileSize / size, 0, 0, 1, 4, 0] { bytes += big(value, 4) }
        // The greatest root page, UTF-8, the app's version, incremental vacuum, the app's number.
        for value in [root ?? 0, 1, 0, root == nil ? 0 : 1, 0] { bytes += big(value, 4) }
        bytes += [UInt8](repeating: 0, count: 20)
        // The change counter that the pages were counted at, and the version of the library, 3.40.1.
        return bytes + big(1, 4) + big(3_040_001, 4)
    }

    /// The size of the pages: the first cell of the first page that was written ends where the page does.
    private static func pageSize(_ start: [UInt8]) -> Int {
        let isLeaf = start[length] == 0x0D
        let count = min(bigEndian(start, length + 3, 2), 4096)
        let pointers = (0..<count).map { bigEndian(start, length + (isLeaf ? 8 : 12) + 2 * $0, 2) }
        guard let last = pointers.max() else { return 4096 }
        let ends = pageSizes.map { size in
            (size: size, end: cellEnd(start, at: last, isLeaf: isLeaf, pageSize: size))
        }
        return (ends.first { $0.end == $0.size } ?? ends.first { $0.end < $0.size })?.size ?? 4096
    }

    /// Where a cell of a table ends in a page without reserved bytes; long content goes on in other pages.
    private static func cellEnd(
        _ start: [UInt8],
        at place: Int,
        isLeaf: Bool,
        pageSize: Int
    ) -> Int {
        guard isLeaf else { return variable(start, place + 4).end }
        let (payload, next) = variable(start, place)
        let end = variable(start, next).end
        let most = pageSize - 35
        guard payload > most else { return end + payload }
        let least = (pageSize - 12) * 32 / 255 - 23
        let local = least + (payload - least) % (pageSize - 4)
        return end + (local > most ? least : local) + 4
    }

    /// The greatest root page, by the map of pages behind the first one; `nil` where the database keeps no such map.
    ///
    /// The map has five bytes for each page after it: what it is, and the page above it, of which a root has none.
    private static func greatestRoot(_ start: [UInt8], pageSize: Int) -> Int? {
        guard start.count >= pageSize + 5, Array(start[pageSize..<pageSize + 5]) == [1, 0, 0, 0, 0]
        else { return nil }
        let entries = min(start.count - pageSize, pageSize) / 5
        let last = (0..<entries).last { start[pageSize + 5 * $0] == 1 }
        return last.map { $0 + 3 }
    }

    /// Reads a number of up to nine bytes, of which each but the last says that one more follows.
    private static func variable(_ start: [UInt8], _ place: Int) -> (value: Int, end: Int) {
        var value = 0
        for offset in 0..<9 where place + offset < start.count {
            let byte = start[place + offset]
            guard offset < 8, byte >= 0x80 else {
                return (value << 7 | Int(byte), place + offset + 1)
            }
            value = value << 7 | Int(byte & 0x7F)
            // No content is as long, and the sum of what comes shall not overflow.
            guard value < 1 << 32 else { break }
        }
        return (1 << 32, place + 9)
    }

    private static func big(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    /// The line for a shell that writes the bytes over the beginning of a file.
    func command(for file: String) -> String {
        let text = replacement.map { byte in
            let isPlain =
                byte == 0x20 || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte)
            guard !isPlain else { return String(UnicodeScalar(byte)) }
            guard byte != 0x25 else { return "%%" }
            let digits = String(byte, radix: 8)
            return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
        }.joined()
        return "printf '\(text)' | dd of=\(file) bs=\(replacement.count) conv=notrunc"
    }
}

/// Reads a number of some bytes, the highest first, as all of a database are; 0 where they are not there.
func bigEndian(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int {
    guard place + count <= bytes.count else { return 0 }
    return bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
}
