import CZlib
import Essentials

enum InflatingError: Error, Hashable {
    case damaged
    case truncated
    case tooLarge(limit: Int)

    var reason: String {
        switch self {
        case .damaged: "not a compressed stream"
        case .truncated: "the compressed stream ends too early"
        case .tooLarge(let limit): "it unpacks to more than \(limit) bytes"
        }
    }
}

/// Unpacks a raw DEFLATE stream, which has neither header nor checksum (SQLiteStores, "Model cache").
func inflate(_ data: Data, limit: Int) throws(InflatingError) -> Data {
    var input = [UInt8](data)
    var stream = z_stream()
    let size = Int32(MemoryLayout<z_stream>.size)
    guard inflateInit2_(&stream, -MAX_WBITS, ZLIB_VERSION, size) == Z_OK else { throw .damaged }
    defer { inflateEnd(&stream) }
    var output = Data()
    var chunk = [UInt8](repeating: 0, count: 65536)
    var code = Z_OK
    var offset = 0
    while code == Z_OK {
        let available = min(input.count - offset, Int(Int32.max))
        let (consumed, produced) = input.withUnsafeMutableBufferPointer { input in
            chunk.withUnsafeMutableBufferPointer { chunk in
                stream.next_in = input.baseAddress.map { $0 + offset }
                stream.avail_in = UInt32(available)
                stream.next_out = chunk.baseAddress
                stream.avail_out = UInt32(chunk.count)
                code = CZlib.inflate(&stream, Z_NO_FLUSH)
                return (available - Int(stream.avail_in), chunk.count - Int(stream.avail_out))
            }
        }
        offset += consumed
        guard output.count + produced <= limit else { throw .tooLarge(limit: limit) }
        output.append(contentsOf: chunk[..<produced])
        if code == Z_BUF_ERROR || (code == Z_OK && consumed == 0 && produced == 0) {
            throw .truncated
        }
    }
    guard code == Z_STREAM_END else { throw .damaged }
    return output
}

/// Packs bytes as a raw DEFLATE stream, as in Core Data's model caches.
func deflate(_ data: Data) -> Data {
    var input = [UInt8](data)
    var stream = z_stream()
    let size = Int32(MemoryLayout<z_stream>.size)
    let method = Z_DEFLATED
    guard
        deflateInit2_(&stream, 5, method, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
            == Z_OK
    else { return Data() }
    defer { deflateEnd(&stream) }
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(input.count))))
    let count = input.withUnsafeMutableBufferPointer { input in
        output.withUnsafeMutableBufferPointer { output in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(clamping: input.count)
            stream.next_out = output.baseAddress
            stream.avail_out = UInt32(clamping: output.count)
            _ = CZlib.deflate(&stream, Z_FINISH)
            return output.count - Int(stream.avail_out)
        }
    }
    return Data(output[..<count])
}
