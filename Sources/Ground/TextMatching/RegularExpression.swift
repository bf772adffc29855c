internal import CPCRE2

/// A regular expression of ICU, and so of `NSRegularExpression` and `MATCHES`, matched by PCRE2.
///
/// ICU brings 34 MB of data, which PCRE2 does not. ``RegexTranslation`` translates patterns. What the two treat
/// differently is refused: a lookbehind of several lengths, `\N{NAME}` and the flag `w`.
///
/// The steps, memory and stack of a match are limited, regardless of the pattern.
package struct RegularExpression: Sendable {
    /// The ranges of a match and its groups, in bytes of UTF-8; a group that did not take part has no range.
    package struct Match: Sendable, Equatable {
        package var groups: [Range<Int>?]

        package var range: Range<Int> { groups.first?.flatMap(\.self) ?? 0..<0 }
    }

    /// The default limit of steps of a match.
    package static let stepLimit = 10_000_000
    /// The most memory of a match, in KiB.
    private static let heapLimit: UInt32 = 128 << 10

    private let code: CompiledExpression

    /// Compiles a pattern; throws for one that is invalid, as an empty one is, or not supported.
    package init(_ pattern: String) throws(RegularExpressionFault) {
        guard !pattern.isEmpty else { throw RegularExpressionFault("it is empty") }
        code = try CompiledExpression(RegexTranslation(of: pattern).text)
    }

    private init(_ code: CompiledExpression) { self.code = code }

    /// Searches for the first match at or after a byte, the first one of a scalar; `nil` when there is none.
    ///
    /// Throws when the search exceeds its limits.
    package func firstMatch(
        in text: String,
        from start: Int = 0,
        limit: Int = stepLimit
    ) throws(RegularExpressionFault) -> Match? {
        let context = pcre2_match_context_create_8(nil)
        let data = pcre2_match_data_create_from_pattern_8(code.pointer, nil)
        defer {
            pcre2_match_data_free_8(data)
            pcre2_match_context_free_8(context)
        }
        pcre2_set_match_limit_8(context, UInt32(clamping: limit))
        pcre2_set_depth_limit_8(context, UInt32(clamping: limit))
        pcre2_set_heap_limit_8(context, Self.heapLimit)
        var text = text
        let count = text.withUTF8 { bytes in
            // An empty text may have no address.
            var nothing: UInt8 = 0
            return withUnsafePointer(to: &nothing) { nothing in
                pcre2_match_8(
                    code.pointer,
                    bytes.baseAddress ?? nothing,
                    bytes.count,
                    start,
                    PCRE2_NO_UTF_CHECK,
                    data,
                    context
                )
            }
        }
        guard count != PCRE2_ERROR_NOMATCH else { return nil }
        guard count > 0, let places = pcre2_get_ovector_pointer_8(data) else {
            throw RegularExpressionFault(
                "it takes more steps than the limit: \(errorMessage(count))"
            )
        }
        let groups = (0..<Int(pcre2_get_ovector_count_8(data))).map { group -> Range<Int>? in
            let (start, end) = (places[2 * group], places[2 * group + 1])
            return start == ~0 || end < start ? nil : Int(start)..<Int(end)
        }
        return Match(groups: groups)
    }

    /// Returns a text with every match replaced by a template, where `$1` is a group and `\` escapes; throws when a
    /// search exceeds its limits.
    package func replaceMatches(
        in text: String,
        by template: String,
        isInterrupted: () -> Bool = { false }
    ) throws(RegularExpressionFault) -> String {
        let bytes = Array(text.utf8)
        let template = Array(template.utf8)
        var result: [UInt8] = []
        var (copied, start) = (0, 0)
        while start <= bytes.count, !isInterrupted(),
            let match = try firstMatch(in: text, from: start)
        {
            result += bytes[copied..<match.range.lowerBound]
            append(template, match, bytes, to: &result)
            copied = match.range.upperBound
            start = match.range.isEmpty ? next(behind: copied, in: bytes) : copied
        }
        return String(decoding: result + bytes[copied...], as: UTF8.self)
    }

    private func next(behind place: Int, in bytes: [UInt8]) -> Int {
        var place = place + 1
        while place < bytes.count, bytes[place] & 0xC0 == 0x80 { place += 1 }
        return place
    }

    private func append(
        _ template: [UInt8],
        _ match: Match,
        _ text: [UInt8],
        to result: inout [UInt8]
    ) {
        var place = 0
        func digit() -> Int? {
            guard place < template.count, (0x30...0x39).contains(template[place]) else {
                return nil
            }
            return Int(template[place]) - 0x30
        }
        while place < template.count {
            let byte = template[place]
            place += 1
            if byte == UInt8(ascii: "\\") {
                if place < template.count { result.append(template[place]) }
                place += 1
            } else if byte == UInt8(ascii: "$"), var group = digit() {
                place += 1
                // As many digits as the number of groups has, if the group exists.
                var most = (match.groups.count - 1) / 10
                while most > 0, let digit = digit(), group * 10 + digit < match.groups.count {
                    group = group * 10 + digit
                    most /= 10
                    place += 1
                }
                if group < match.groups.count, let range = match.groups[group] {
                    result += text[range]
                }
            } else {
                result.append(byte)
            }
        }
    }

    /// Whether an expression in PCRE2's syntax matches an empty text.
    static func mayBeEmpty(_ expression: String) -> Bool {
        // A repeated part, taken alone, may refer to groups outside it.
        guard let code = try? CompiledExpression(expression) else { return true }
        return (try? RegularExpression(code).firstMatch(in: "")) != nil
    }

    /// Whether PCRE2 knows a property of scalars, such as `sc:Greek`.
    static func knows(property name: String) -> Bool {
        (try? CompiledExpression("\\p{\(name)}")) != nil
    }
}

/// Why a pattern is not a regular expression, or why a search stopped.
package struct RegularExpressionFault: Error, Sendable, Hashable {
    /// What is wrong, such as `it is empty`.
    package let message: String

    init(_ message: String) { self.message = message }
}

/// PCRE2's code for a pattern, which never changes.
private final class CompiledExpression: Sendable {
    nonisolated(unsafe) let pointer: OpaquePointer

    init(_ pattern: String) throws(RegularExpressionFault) {
        var (error, place): (Int32, Int) = (0, 0)
        var pattern = pattern
        // For (?=a)b*a PCRE2 10.42 wrongly assumes two a.
        let options =
            UInt32(PCRE2_UTF) | PCRE2_UCP | PCRE2_NO_UTF_CHECK | PCRE2_NEVER_BACKSLASH_C
            | PCRE2_NO_START_OPTIMIZE
        let code = pattern.withUTF8 { bytes in
            pcre2_compile_8(bytes.baseAddress, bytes.count, options, &error, &place, nil)
        }
        guard let code else { throw RegularExpressionFault(errorMessage(error)) }
        pointer = code
    }

    deinit { pcre2_code_free_8(pointer) }
}

private func errorMessage(_ error: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = pcre2_get_error_message_8(error, &bytes, bytes.count)
    return String(decoding: bytes.prefix(Int(max(0, count))), as: UTF8.self)
}
