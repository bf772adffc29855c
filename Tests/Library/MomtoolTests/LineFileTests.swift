import FileSystem
import Foundation
import TestSupport
import Testing

/// Lines are found wherever the pieces end in which a file is read.
struct LineFileTests {
    @Test(arguments: [0, 1, 5, 262_143, 262_144, 262_145, 600_000])
    func `lines have their bytes, offsets and numbers`(length: Int) throws {
        try withFolder { folder in
            let path = folder.appending(path: "lines").path
            let lines = [String(repeating: "x", count: length), "", "second", "last"]
            try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: path))
            let file = try LineFile(path, keeping: 0)
            #expect(!file.isKept)
            var found: [String] = []
            var offset = 0
            try file.forEachLine(longest: 1 << 20) { line in
                found.append(String(decoding: line.bytes ?? [], as: UTF8.self))
                #expect(line.number == found.count && line.offset == offset)
                offset += found[found.count - 1].utf8.count + 1
                return true
            }
            #expect(found == lines)
            let again = try file.bytes(at: length + 2, count: 6)
            #expect(String(decoding: again, as: UTF8.self) == "second")
        }
    }

    @Test func `a line that is too long is told, and those behind it are read`() throws {
        try withFolder { folder in
            let path = folder.appending(path: "lines").path
            let text = "abcd\nabcde\nab\n" + String(repeating: "x", count: 300_000)
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            var lengths: [Int?] = []
            try LineFile(path, keeping: 0).forEachLine(longest: 4) { line in
                lengths.append(line.bytes?.count)
                return true
            }
            #expect(lengths == [4, nil, 2, nil])
        }
    }
}
