/// An object of a store as `Entity/p5`, or as Core Data's URI `x-coredata://UUID/Entity/p5`.
package struct ObjectReference: Sendable, Hashable {
    package var store: String?
    package var entity: String
    package var key: Int64

    package init?(_ text: String) {
        let scheme = "x-coredata://"
        var parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        if text.hasPrefix(scheme) {
            parts.removeFirst(2)
            guard parts.count == 3 else { return nil }
            store = parts.removeFirst()
            parts[0] = percentDecoded(parts[0])
        }
        guard parts.count == 2, !parts[0].isEmpty, parts[1].first == "p",
            let key = Int64(parts[1].dropFirst()), key > 0
        else { return nil }
        entity = parts[0]
        self.key = key
    }
}

extension ObjectReference: CustomStringConvertible {
    package var description: String { "\(entity)/p\(key)" }
}

/// Entity names outside ASCII are percent-encoded in URIs.
private func percentDecoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
        let digits = String(decoding: rest.prefix(2), as: UTF8.self)
        guard byte == UInt8(ascii: "%"), digits.utf8.count == 2, let code = UInt8(digits, radix: 16)
        else {
            bytes.append(byte)
            continue
        }
        bytes.append(code)
        rest = rest.dropFirst(2)
    }
    return String(decoding: bytes, as: UTF8.self)
}
