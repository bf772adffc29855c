import Diagnostics
import Essentials
import ObjectModel
package import SQLiteAccess

/// Walks over the rows of a text: an object of entities, each with an object or an array of objects.
struct RowDocument {
    private let reader: JSONReader
    private let entities: [[UInt8]: Int]
    private let abstractEntities: Set<Int>

    init(_ source: RowSource, entities: [(name: String, isAbstract: Bool)]) {
        reader = JSONReader(source)
        self.entities = Dictionary(firstOf: entities.enumerated().map { (Array($1.name.utf8), $0) })
        abstractEntities = Set(entities.indices.filter { entities[$0].isAbstract })
    }

    /// Passes on each row, with the reader after its opening brace; the body takes the closing one.
    func forEachRow(_ body: (JSONReader, Int) throws(StoreError) -> Void) throws(StoreError) {
        try reader.expect("{")
        var seen: Set<Int> = []
        if try !reader.take("}") {
            repeat {
                let entity = try entity(&seen)
                try reader.expect(":")
                try forEachRow(of: entity, body)
            } while try reader.take(",")
            try reader.expect("}")
        }
        guard try reader.peek() == nil else {
            throw reader.failure("there is more text after the end")
        }
    }

    private func forEachRow(
        of entity: Int,
        _ body: (JSONReader, Int) throws(StoreError) -> Void
    ) throws(StoreError) {
        if try reader.take("{") { return try body(reader, entity) }
        guard try reader.take("[") else { throw try reader.unexpected("'[' and rows") }
        try reader.forEachElement { () throws(StoreError) in
            guard try reader.take("{") else { throw try reader.unexpected("'{' and a row") }
            try body(reader, entity)
        }
    }

    private func entity(_ seen: inout Set<Int>) throws(StoreError) -> Int {
        _ = try reader.peek()
        let mark = reader.mark
        let bytes = Array(try reader.string())
        let name = String(decoding: bytes, as: UTF8.self)
        guard let entity = entities[bytes] else {
            throw reader.fault(
                .unknownEntity,
                "the model has no entity '\(name)'"
                    + suggestion(
                        for: name,
                        among: entities.keys.map { String(decoding: $0, as: UTF8.self) }.sorted()
                    ),
                at: mark
            )
        }
        guard !abstractEntities.contains(entity) else {
            let message = "'\(name)' is abstract; use one of its sub-entities"
            throw reader.fault(.unknownEntity, message, at: mark)
        }
        guard seen.insert(entity).inserted else {
            throw reader.fault(.unexpectedShape, "the entity '\(name)' occurs twice", at: mark)
        }
        return entity
    }
}

extension JSONReader {
    func fault(
        _ rule: RuleID,
        _ message: String,
        at mark: (line: Int, column: Int),
        element: String? = nil
    ) -> StoreError {
        let message = element.map { "\($0): \(message)" } ?? message
        return .rows(Diagnostic(rule, message, at: location(mark), element: element))
    }

    /// Skips the members of a row after its opening brace, and returns the offset of its `@id`.
    func skipRow(
        _ identifier: (UnsafeRawBufferPointer) throws(StoreError) -> Void
    ) throws(StoreError) {
        try forEachMember { name, _ throws(StoreError) in
            let isIdentifier = name.elementsEqual("@id".utf8)
            try expect(":")
            if isIdentifier {
                guard try peek() == UInt8(ascii: "\"") else {
                    throw try unexpected("a string as @id")
                }
                let mark = mark
                let text = try string()
                guard !text.isEmpty else {
                    throw fault(.unexpectedShape, "the @id is empty", at: mark)
                }
                try identifier(text)
            } else {
                try skipValue()
            }
        }
    }
}

/// Canonical JSON that rows are read from.
///
/// It is read more than once, so input that is not a regular file, such as a pipe, is first copied to one.
package final class RowSource {
    package let path: String
    private let descriptor: Int32
    private let content: [UInt8]
    /// Called with the number of bytes read so far, and the total: all bytes are read twice.
    package var progress: ((_ done: Int, _ total: Int) -> Void)?
    /// Asked before each piece; `true` ends the reading, with the error of cancelled work.
    package var shallStop: (() -> Bool)?
    private var passes = 0

    package init(bytes: [UInt8], path: String) {
        self.path = path
        descriptor = -1
        content = bytes
    }

    package init(path: String) throws(StoreError) {
        self.path = path
        content = []
        let opened = path == "-" ? dup(0) : open(path, O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else {
            throw errno == ENOENT ? .noSuchFile(path: path) : .file(path: path, errno)
        }
        var status = stat()
        guard fstat(opened, &status) == 0, status.st_mode & S_IFMT != S_IFREG else {
            descriptor = opened
            return
        }
        defer { close(opened) }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw .inaccessible(path: path, reason: "it is a folder")
        }
        descriptor = try spooled(opened, path)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Reads bytes at an offset; fewer than there is room for only at the end.
    func read(
        into buffer: UnsafeMutableRawBufferPointer,
        at offset: Int
    ) throws(StoreError) -> Int {
        if shallStop?() == true { throw .cancelled(path) }
        guard descriptor >= 0 else {
            let rest = content.dropFirst(offset).prefix(buffer.count)
            buffer.copyBytes(from: rest)
            return rest.count
        }
        var count = 0
        while count < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
            let got = pread(descriptor, rest.baseAddress, rest.count, off_t(offset + count))
            if got == 0 { break }
            if got < 0 {
                if errno == EINTR { continue }
                throw .file(path: path, errno)
            }
            count += got
        }
        if let progress {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { return count }
            if offset == 0 { passes += 1 }
            let size = Int(status.st_size)
            progress((passes - 1) * size + offset + count, 2 * size)
        }
        return count
    }
}

extension StoreError {
    fileprivate static func file(path: String, _ code: Int32) -> StoreError {
        .inaccessible(path: path, reason: String(cString: strerror(code)))
    }
}

/// Copies input that can be read only once into a file without a name.
private func spooled(_ input: Int32, _ path: String) throws(StoreError) -> Int32 {
    let folder = Files.temporaryFolder
    let copy = folder.appendingPathComponent("momtool-\(UUID().uuidString)").path
    let output = open(copy, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard output >= 0 else { throw .file(path: copy, errno) }
    unlink(copy)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = read(input, &buffer, buffer.count)
        if count == 0 { return output }
        if count < 0, errno == EINTR { continue }
        var start = 0
        while start < count {
            let written = buffer.withUnsafeBytes {
                write(output, $0.baseAddress.map { $0 + start }, count - start)
            }
            guard written > 0 else { break }
            start += written
        }
        guard count > 0, start == count else {
            let code = errno
            close(output)
            throw .file(path: path, code)
        }
    }
}
