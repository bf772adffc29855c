import Diagnostics
import Essentials
import SQLiteAccess
import StoreFormat
import TextMatching

/// Registers what scripts may call beside SQLite's own functions.
///
/// - `uuid()`: a new UUID as it is stored; `uuid(text)`: the UUID in a text; `uuid_text(uuid)`
/// - `now()`: the current time as a date is stored; `date(iso8601)`, `iso8601(date)`
/// - `text REGEXP pattern`, `regexp_replace(text, pattern, template)`, `regexp_substr(text, pattern [, group])`
/// - `split(text, separator, index)`, from 0; `split_rest(text, separator, index)`, what follows
/// - `capitalized(text)`, `canonical(text)`, `unicode_upper(text)`, `unicode_lower(text)`
func registerScriptFunctions(
    on connection: SQLiteConnection,
    deadline: ScriptDeadline
) throws(StoreError) {
    try registerValues(on: connection)
    try registerTexts(on: connection)
    try ValueFitting.register(on: connection)
    let expressions = RegularExpressions(deadline: deadline)
    try connection.register("regexp", arguments: 2) { values throws(SQLiteFunctionFault) in
        guard let pattern = values[0].text, let text = values[1].text else { return .null }
        return try .integer(expressions.firstMatch(of: pattern, in: text) == nil ? 0 : 1)
    }
    try connection.register("regexp_substr", arguments: -1) { values throws(SQLiteFunctionFault) in
        guard values.count == 2 || values.count == 3, let text = values[0].text,
            let pattern = values[1].text,
            let match = try expressions.firstMatch(of: pattern, in: text)
        else { return .null }
        let group = values.count == 3 ? Int(clamping: values[2].integer ?? 0) : 0
        guard group >= 0, group < match.groups.count, let range = match.groups[group] else {
            return .null
        }
        return .text(String(decoding: Array(text.utf8)[range], as: UTF8.self))
    }
    try connection.register("regexp_replace", arguments: 3) { values throws(SQLiteFunctionFault) in
        guard let text = values[0].text, let pattern = values[1].text, let template = values[2].text
        else { return .null }
        return try .text(expressions.replace(pattern, in: text, by: template))
    }
}

private func registerValues(on connection: SQLiteConnection) throws(StoreError) {
    try connection.register("uuid", arguments: 0, isDeterministic: false) { _ in .blob(UUID().bytes)
    }
    try connection.register("uuid", arguments: 1) { values in
        values[0].text.flatMap(UUID.init(uuidString:)).map { .blob($0.bytes) } ?? .null
    }
    try connection.register("uuid_text", arguments: 1) { values in
        values[0].blob.flatMap(uuidText).map { .text($0) } ?? .null
    }
    // One transaction has one current time, as SQLite's own `now` has.
    let now = Date().timeIntervalSinceReferenceDate
    try connection.register("now", arguments: 0) { _ in .real(now) }
    try connection.register("date", arguments: 1) { values in
        values[0].text.flatMap(StoredDate.seconds(typed:)).map { .real($0) } ?? .null
    }
    try connection.register("iso8601", arguments: 1) { values in
        let seconds: Double
        switch values[0] {
        case .integer(let value): seconds = Double(value)
        case .real(let value): seconds = value
        case .null, .text, .blob: return .null
        }
        return StoredDate.text(of: seconds).map { .text($0) } ?? .null
    }
}

/// The text of a stored UUID; `nil` when it is none.
func uuidText(_ data: Data) -> String? {
    guard data.count == 16 else { return nil }
    return data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)).uuidString }
}

/// The seconds since 2001 of a written date: in ISO 8601, a day only, or as stored.
package func storedDate(_ text: String) -> Double? {
    StoredDate.seconds(typed: text) ?? Double(text).flatMap { $0.isFinite ? $0 : nil }
}

private func registerTexts(on connection: SQLiteConnection) throws(StoreError) {
    try connection.register("split", arguments: 3) { part($0, isRest: false) }
    try connection.register("split_rest", arguments: 3) { part($0, isRest: true) }
    try connection.register(partsKept, arguments: -1) { .integer(keepsParts($0) ? 1 : 0) }
    try connection.register("momtool_join", arguments: -1) { values in
        guard let separator = values.first?.text else { return .null }
        let texts = values.dropFirst().compactMap(\.text)
        return texts.isEmpty ? .null : .text(texts.joined(separator: separator))
    }
    let changes: [(String, @Sendable (String) -> String)] = [
        ("capitalized", { $0.capitalized }), ("canonical", { $0.folded([.cases, .marks]) }),
        ("unicode_upper", { $0.uppercased() }), ("unicode_lower", { $0.lowercased() }),
    ]
    for (name, change) in changes {
        try connection.register(name, arguments: 1) { values in
            values[0].text.map { .text(change($0)) } ?? .null
        }
    }
}

/// Splits by bytes, as SQLite's own functions compare: a line feed is found even after a carriage return, although both
/// are one character in Swift.
private func part(_ values: [SQLiteValue], isRest: Bool) -> SQLiteValue {
    guard let text = values[0].text, let separator = values[1].text, !separator.isEmpty,
        let place = values[2].integer, place >= 0
    else { return .null }
    var rest = text.utf8[...]
    var skipped: Int64 = 0
    while skipped < place {
        guard let range = rest.firstRange(of: separator.utf8) else { return .null }
        rest = rest[range.upperBound...]
        skipped += 1
    }
    if isRest { return .text(String(decoding: rest, as: UTF8.self)) }
    let end = rest.firstRange(of: separator.utf8)?.lowerBound ?? rest.endIndex
    return .text(String(decoding: rest[..<end], as: UTF8.self))
}

/// The function that says whether the parts of a text at some indexes are the whole text; a negative index means all
/// parts from one on, the first being -1.
let partsKept = "momtool_parts_kept"

private func keepsParts(_ values: [SQLiteValue]) -> Bool {
    guard values.count > 1, let text = values[0].text, !text.isEmpty else { return true }
    guard let separator = values[1].text, !separator.isEmpty else { return false }
    let kept = values.dropFirst(2).compactMap(\.integer)
    let rest = kept.filter { $0 < 0 }.map { -1 - $0 }.min() ?? .max
    var left = text.utf8[...]
    for index in Int64(0)... {
        let range = left.firstRange(of: separator.utf8)
        let isEmpty = (range?.lowerBound ?? left.endIndex) == left.startIndex
        guard isEmpty || index >= rest || kept.contains(index) else { return false }
        guard let range else { break }
        left = left[range.upperBound...]
    }
    return true
}

extension UUID { var bytes: Data { withUnsafeBytes(of: uuid) { Data($0) } } }

private final class RegularExpressions: Sendable {
    /// Patterns may come from rows: only so many are worth keeping.
    private let compiled = Locked(RecentValues<String, RegularExpression>(limit: 64))
    private let deadline: ScriptDeadline

    init(deadline: ScriptDeadline) { self.deadline = deadline }

    private func expression(_ pattern: String) throws(RegularExpressionFault) -> RegularExpression {
        if let expression = compiled.withLock({ $0[pattern] }) { return expression }
        let expression = try RegularExpression(pattern)
        compiled.withLock { $0[pattern] = expression }
        return expression
    }

    func firstMatch(
        of pattern: String,
        in text: String
    ) throws(SQLiteFunctionFault) -> RegularExpression.Match? {
        do throws(RegularExpressionFault) {
            return try expression(pattern).firstMatch(in: text)
        } catch { throw Self.fault(pattern, error) }
    }

    func replace(
        _ pattern: String,
        in text: String,
        by template: String
    ) throws(SQLiteFunctionFault) -> String {
        do throws(RegularExpressionFault) {
            return try expression(pattern).replaceMatches(in: text, by: template) {
                deadline.hasPassed
            }
        } catch { throw Self.fault(pattern, error) }
    }

    private static func fault(
        _ pattern: String,
        _ fault: RegularExpressionFault
    ) -> SQLiteFunctionFault {
        SQLiteFunctionFault("the regular expression '\(pattern)': \(fault.message)")
    }
}

struct ScriptStatement: Hashable {
    var tokens: [SQLToken]
    /// The text from the first word to the last, without the semicolon.
    var text: String
    var line: Int
    /// The column in bytes where it starts.
    var column: Int

    static func all(in script: String) -> [ScriptStatement] {
        let bytes = Array(script.utf8)
        var line = 1
        var lineStart = 0
        var scanned = 0
        return sqlTokens(bytes).split { $0.kind == .end }.compactMap { tokens in
            guard let first = tokens.first, let last = tokens.last else { return nil }
            while scanned < first.range.lowerBound {
                if bytes[scanned] == 10 {
                    line += 1
                    lineStart = scanned + 1
                }
                scanned += 1
            }
            let range = first.range.lowerBound..<last.range.upperBound
            return ScriptStatement(
                tokens: tokens.map { token in
                    let start = token.range.lowerBound - range.lowerBound
                    var token = token
                    token.range = start..<(start + token.range.count)
                    return token
                },
                text: String(decoding: bytes[range], as: UTF8.self),
                line: line,
                column: first.range.lowerBound - lineStart + 1
            )
        }
    }
}

/// The time limit of a script.
final class ScriptDeadline: Sendable {
    private let end = Locked<ContinuousClock.Instant?>(nil)
    private let cancellation: MigrationCancellation?

    init(_ cancellation: MigrationCancellation?) { self.cancellation = cancellation }

    /// Starts the time limit of a script; `nil` means no limit.
    func start(_ duration: Duration?) {
        end.withLock { $0 = duration.map { ContinuousClock.now + $0 } }
    }

    /// Whether the time is over, cancellation apart.
    var isOver: Bool { end.withLock { end in end.map { ContinuousClock.now >= $0 } ?? false } }

    var hasPassed: Bool { cancellation?.isCancelled == true || isOver }

    /// Throws for a run that was cancelled, or whose time is over.
    func check(_ stage: String) throws(StoreMigrationError) {
        guard hasPassed else { return }
        throw .interrupted(stage: stage, isTimeout: isOver)
    }

    /// Does some work; for a run that was cancelled, whatever the work ends with, throws that instead.
    func during<Result>(
        _ stage: String,
        _ work: () throws(StoreMigrationError) -> Result
    ) throws(StoreMigrationError) -> Result {
        do throws(StoreMigrationError) {
            let result = try work()
            // A short statement may end before SQLite's progress handler runs.
            try check(stage)
            return result
        } catch {
            try check(stage)
            throw error
        }
    }
}
