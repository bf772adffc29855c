import FileSystem

/// What is left of the pages of a database that cannot be opened: of its schema, the list of its tables, which begins on the
/// first page, and of rows (sqlite.org/fileformat2.html, 1.6).
struct LeftPages {
    /// Whether every page of the schema is there; where one is not, `.dump` prints no row of any table.
    private(set) var isSchemaWhole = true
    /// How many pages have rows of tables.
    private(set) var rowPages = 0
    /// The number of the first of them, counted from 1 as SQLite does.
    private(set) var firstRowPage = 0

    private let pageSize: Int
    /// The number of whole pages.
    private let count: Int
    /// The pages of the schema.
    private var schema: Set<Int> = [1]

    /// Looks at the pages of a file; `nil` where it cannot be read.
    init?(_ path: String, fileSize: Int, pageSize: Int) {
        (self.pageSize, count) = (pageSize, fileSize / pageSize)
        let isRead: ()? = readingParts(of: path) { part in
            followSchema(part)
            countRowPages(part)
        }
        guard isRead != nil else { return nil }
    }

    /// Follows the schema from the first page; a page that is named twice is read once.
    private mutating func followSchema(_ part: FilePart) {
        var open = [1]
        while let page = open.popLast() {
            let bytes = part((page - 1) * pageSize, pageSize)
            // The header of the file stands before that of the first page.
            let start = page == 1 ? 100 : 0
            guard bytes.count == pageSize, let kind = Kind(rawValue: bytes[start]) else {
                isSchemaWhole = false
                continue
            }
            guard kind == .inner else { continue }
            let cells = min(bigEndian(bytes, start + 3, 2), pageSize / 6)
            let places = (0..<cells).map { bigEndian(bytes, start + 12 + 2 * $0, 2) }
            for place in [start + 8] + places {
                let next = bigEndian(bytes, place, 4)
                guard (2...max(2, count)).contains(next) else {
                    isSchemaWhole = false
                    continue
                }
                if schema.insert(next).inserted { open.append(next) }
            }
        }
    }

    /// Counts the pages with rows of other tables.
    private mutating func countRowPages(_ part: FilePart) {
        for page in 2..<max(2, count + 1) where !schema.contains(page) {
            let bytes = part((page - 1) * pageSize, 10)
            guard bytes.first == Kind.leaf.rawValue else { continue }
            // Of the bytes of long values few look like the number and the places of rows, too.
            let (cells, first) = (bigEndian(bytes, 3, 2), bigEndian(bytes, 8, 2))
            guard cells > 0, first >= 8 + 2 * cells, first < pageSize else { continue }
            if rowPages == 0 { firstRowPage = page }
            rowPages += 1
        }
    }

    /// What a page of a table begins with.
    private enum Kind: UInt8 {
        case inner = 0x05
        case leaf = 0x0D
    }
}
