package import Diagnostics
import ObjectModel

/// Reads the text form of a schema, the CloudKit Schema Language, from a `.ckdb`; locations name `path`.
///
/// What is not understood is an error at its location, and reading continues behind it; keywords have either case.
package func readSchema(_ text: String, path: String) -> Diagnosed<RecordSchema> {
    var reader = SchemaReader(text, path: path)
    reader.read()
    return Diagnosed(reader.schema, reader.diagnostics)
}

private struct SchemaReader {
    /// The number of errors after which the rest of a text is ignored.
    static let errorLimit = 100

    private var scanner: SchemaScanner
    private var token: SchemaToken
    private(set) var schema = RecordSchema()
    private(set) var diagnostics: [Diagnostic] = []
    private var typeNames: Set<String> = []

    init(_ text: String, path: String) {
        scanner = SchemaScanner(text, path: path)
        token = scanner.next()
    }

    private var isHopeless: Bool { diagnostics.count >= Self.errorLimit }

    mutating func read() {
        guard token.isKeyword("DEFINE") else {
            report(
                "this is not a CloudKit schema: it does not begin with DEFINE SCHEMA; \(.schemaExample)",
                token
            )
            return
        }
        advance()
        guard take("SCHEMA") else { return }
        while token.kind != .end, !isHopeless {
            if token.isKeyword("CREATE") {
                readRole()
            } else if token.isKeyword("RECORD") {
                readRecordType()
            } else {
                report("expected CREATE ROLE or RECORD TYPE, not \(token.shown)", token)
                skipStatement()
            }
        }
    }

    private mutating func readRole() {
        advance()
        guard take("ROLE"), takeName("a role") != nil else { return skipStatement() }
        takeEnd()
    }

    private mutating func readRecordType() {
        advance()
        guard take("TYPE"), let name = takeName("a record type"), takeMark("(") else {
            return skipStatement()
        }
        if !typeNames.insert(name.text).inserted {
            report("there is a record type '\(name.text)' already", name, .duplicateName)
        }
        var type = RecordType(name.text, source: SourceMark(name.location))
        var fieldNames: Set<String> = []
        while !token.isMark(")"), token.kind != .end, !isHopeless {
            readItem(of: &type, &fieldNames)
            if token.isMark(",") {
                advance()
            } else if !token.isMark(")") {
                report("expected ',' or ')' after an item, not \(token.shown)", token)
                skipItem()
                if token.isMark(",") { advance() }
                if token.isMark(";") { break }
            }
        }
        schema.recordTypes.append(type)
        guard token.isMark(")") else { return takeEnd() }
        advance()
        takeEnd()
    }

    private mutating func readItem(of type: inout RecordType, _ names: inout Set<String>) {
        if token.isKeyword("GRANT") {
            if !takeGrant() { skipItem() }
        } else if let field = readField() {
            if names.insert(field.name).inserted {
                type.fields.append(field)
            } else {
                let message = "'\(type.name)' has a field '\(field.name)' already"
                diagnostics.append(Diagnostic(.duplicateName, message, at: field.source.element))
            }
        } else {
            skipItem()
        }
    }

    private mutating func readField() -> RecordField? {
        guard let name = takeName("a field") else { return nil }
        let isEncrypted = token.isKeyword("ENCRYPTED")
        if isEncrypted { advance() }
        guard let type = readType() else { return nil }
        var options: [FieldOption] = []
        while token.kind == .word {
            guard let option = FieldOption(rawValue: token.text.uppercased()) else {
                report("\(token.shown) is not a field option", token)
                return nil
            }
            options.append(option)
            advance()
        }
        return RecordField(
            name.text,
            type,
            isEncrypted: isEncrypted,
            options: options,
            source: SourceMark(name.location)
        )
    }

    private mutating func readType() -> FieldType? {
        guard token.isKeyword("LIST") else { return readValueType().map(FieldType.single) }
        advance()
        guard takeMark("<"), let type = readValueType(), takeMark(">") else { return nil }
        return .list(type)
    }

    private mutating func readValueType() -> FieldType.Value? {
        guard token.kind == .word, let type = FieldType.Value(rawValue: token.text.uppercased())
        else {
            report("\(token.shown) is not a type of a field", token)
            return nil
        }
        advance()
        guard type == .number, token.isKeyword("PREFERRED") else { return type }
        advance()
        guard take("AS") else { return nil }
        for (word, number) in [
            ("INT64", FieldType.Value.numberAsInt64), ("DOUBLE", .numberAsDouble),
        ] where token.isKeyword(word) {
            advance()
            return number
        }
        report("expected INT64 or DOUBLE, not \(token.shown)", token)
        return nil
    }

    /// Skips a grant, which does not affect what mirroring writes.
    private mutating func takeGrant() -> Bool {
        repeat {
            advance()
            guard ["CREATE", "READ", "WRITE"].contains(where: token.isKeyword) else {
                report("\(token.shown) is not a privilege; there are CREATE, READ and WRITE", token)
                return false
            }
            advance()
        } while token.isMark(",")
        return take("TO") && takeName("a role") != nil
    }

    private mutating func advance() { token = scanner.next() }

    /// Takes a keyword, or reports its absence.
    private mutating func take(_ word: String) -> Bool {
        guard token.isKeyword(word) else {
            report("expected \(word), not \(token.shown)", token)
            return false
        }
        advance()
        return true
    }

    private mutating func takeMark(_ mark: String) -> Bool {
        guard token.isMark(mark) else {
            report("expected '\(mark)', not \(token.shown)", token)
            return false
        }
        advance()
        return true
    }

    private mutating func takeName(_ thing: String) -> SchemaToken? {
        guard token.kind == .word || token.kind == .quoted, !token.text.isEmpty else {
            report("expected the name of \(thing), not \(token.shown)", token)
            return nil
        }
        defer { advance() }
        return token
    }

    private mutating func takeEnd() { if !takeMark(";") { skipStatement() } }

    private mutating func skipItem() {
        while token.kind != .end, ![",", ")", ";"].contains(where: token.isMark) { advance() }
    }

    private mutating func skipStatement() {
        while token.kind != .end, !token.isMark(";") { advance() }
        if token.kind != .end { advance() }
    }

    private mutating func report(
        _ wording: Wording,
        _ token: SchemaToken,
        _ rule: RuleID = "malformed-cloudkit-schema"
    ) { diagnostics.append(Diagnostic(rule, saying: wording, at: token.location)) }
}
