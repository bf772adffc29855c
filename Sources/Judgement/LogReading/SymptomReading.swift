import MappingInference

private let symptomLimit = 1000

/// Finds symptoms line by line; each kind with the same names once.
func symptoms(in text: String) -> [LoggedSymptom] {
    let bytes = Array(text.utf8)
    var found: [LoggedSymptom] = []
    var known: Set<LoggedSymptom.Kind> = []
    for scanned in scan.lines(of: bytes) where found.count < symptomLimit {
        let (start, end) = (scanned.range.lowerBound, scanned.range.upperBound)
        let line = LogLine(bytes: bytes[start..<end], phrases: scanned.phrases)
        let isEmpty = line.opensHashes && bytes[end...].first { $0 > 0x20 } == UInt8(ascii: "}")
        let text = bytes[start..<min(bytes.count, start + MessageText.limit)]
        for kind in kinds(in: line, text) + (isEmpty ? emptyModel : [])
        where known.insert(kind).inserted {
            found.append(LoggedSymptom(kind, line: scanned.number))
        }
    }
    // A message around another one repeats it without names.
    let hasNamed = found.contains {
        if case .missingMandatoryValue(_, .some) = $0.kind { true } else { false }
    }
    return hasNamed
        ? found.filter { $0.kind != .missingMandatoryValue(entity: nil, attribute: nil) } : found
}

/// All relevant phrases, without numbers after a word for an error.
let knownPhrases: Set<String> = {
    var all: Set<String> = [
        " = <", "134190", "CloudKit integration ", "Cannot create new type ",
        "Cannot create or modify field ", "Cannot merge multiple root entity source tables",
        "Duplicate version checksums", "NSConstraintConflict", "NSSecureUnarchiveFromData",
        "NSStoreModelVersionHashes =", "UNIQUE constraint failed: ", "could not fulfill a fault",
        "could not locate an NSManagedObjectModel for entity name",
        "could not locate an entity named", "has no column named ", "infer mapping model",
        "is a required value", "must have a default value", "must have an inverse",
        "merge models with two different entities named",
        "missing attribute values on mandatory destination", "nil or insecure",
        "no such column: ", "no such table: ", "transformer names that are",
    ]
    all.formUnion(CoreDataErrorCode.allCases.map(\.constantName))
    all.formUnion(phrases.map { $0.0 } + sqlitePhrases.map { $0.0 })
    all.formUnion(messageParts.joined().joined())
    return all
}()

/// The parts of each phrase of each message.
private let messageParts = KnownMessage.all.map { message in
    message.phrases.map { $0.split(separator: " … ").map(String.init) }
}

private let scan = LineScan(knownPhrases)

/// The hashes of a store begin in one line and end in the next.
private let emptyModel = KnownMessage.all.filter { $0.name == "no-entities" }
    .map(LoggedSymptom.Kind.message)

/// The symptoms in a line; the text begins with it, as some messages continue on the next lines.
private func kinds(in line: LogLine, _ text: ArraySlice<UInt8>) -> [LoggedSymptom.Kind] {
    var kinds = codes(in: line)
    for (phrase, code) in phrases where line.contains(phrase) { kinds.append(.code(code)) }
    for (phrase, code) in sqlitePhrases where line.contains(phrase) { kinds.append(.sqlite(code)) }
    for (message, phrases) in zip(KnownMessage.all, messageParts)
    where phrases.contains(where: { $0.allSatisfy(line.contains) }) {
        kinds.append(.message(message))
    }
    let messages = kinds.compactMap { kind in
        if case .message(let message) = kind { message } else { nil }
    }
    // A message that tells which error of mirroring it is is more specific.
    if messages.contains(where: { $0.codes.count == 1 }) {
        kinds.removeAll { kind in
            if case .message(let message) = kind { message.name == "mirroring" } else { false }
        }
    }
    // The code alone would blame the version of the store.
    if messages.contains(where: { $0.name == "current-version-not-listed" }) {
        kinds.removeAll { $0 == .code(.managedObjectModelReferenceNotFound) }
    }
    if let entity = line.unreadableHash { kinds.append(.unreadableHash(entity: entity)) }
    kinds +=
        goneObject(in: line) + schemaKinds(in: line) + modelKinds(in: line)
        + cloudKitKinds(in: line, text) + constraint(in: line, text)
    return kinds
}

/// Texts that Core Data prints without a code as often as with one (MigrationBehaviour, "Error codes").
private let phrases: [(String, CoreDataErrorCode)] = [
    ("model used to open the store is incompatible", .incompatibleVersionHash),
    (
        "model configuration used to open the store is incompatible",
        .persistentStoreIncompatibleSchema
    ),
    ("find model for source store", .migrationMissingSourceModel),
    ("missing mapping model", .migrationMissingMappingModel),
    ("find mapping model for migration", .migrationMissingMappingModel),
    ("unknown model version", .managedObjectModelReferenceNotFound),
    ("cannot be migrated backwards with staged", .stagedMigrationBackward),
    ("destination attribute types are incompatible", .inferredMappingModel),
]

/// SQLite's own words for its codes.
private let sqlitePhrases: [(String, Int)] = [
    ("database disk image is malformed", 11), ("database or disk is full", 13),
    ("unable to open database file", 14), ("database is locked", 5),
    ("attempt to write a readonly database", 8), ("disk I/O error", 10),
    ("file is not a database", 26), ("file is encrypted or is not a database", 26),
]

private func codes(in line: LogLine) -> [LoggedSymptom.Kind] {
    var kinds: [LoggedSymptom.Kind] = []
    for (number, prefix) in line.numbers {
        let isSQLite =
            prefix.hasSuffix("NSSQLiteErrorDomain=") || prefix.hasSuffix("NSSQLiteErrorDomain = ")
            || prefix.hasSuffix("NSSQLiteErrorDomain Code=")
            || prefix.hasSuffix("SQLite error code:")
        if isSQLite {
            kinds.append(.sqlite(number))
        } else if let code = CoreDataErrorCode(rawValue: number) {
            // A number of four digits may be anything.
            let isCode =
                number > 100_000
                ? line.isAlone(number) || isErrorPrefix(prefix)
                : ["Code=", "code ", "code: ", "error "].contains { prefix.hasSuffix($0) }
            if isCode { kinds.append(.code(code)) }
        } else if isErrorPrefix(prefix) || line.isAlone(number) {
            let message = KnownMessage.all.first { $0.codes.contains(number) }
            if let message { kinds.append(.message(message)) }
        }
    }
    for code in CoreDataErrorCode.allCases where line.contains(code.constantName) {
        kinds.append(.code(code))
    }
    return kinds
}

/// Whether the text before a number marks it as an error code: `Code=`, `Cocoa error `, `ErrorDomain(`.
private func isErrorPrefix(_ prefix: String) -> Bool {
    let marks: Set<Character> = [" ", "=", ":", "(", "#", "\"", "'", "`", "“", "”", "‘", "’"]
    let word = String(prefix.reversed().drop { marks.contains($0) }.reversed()).lowercased()
    return errorWords.contains(where: word.hasSuffix)
}

/// The words before the code of an error, also in the languages in which messages were seen.
let errorWords = [
    "code", "error", "failed", "errordomain", "错误", "fehler", "erreur", "エラー", "cocoa",
]

private func schemaKinds(in line: LogLine) -> [LoggedSymptom.Kind] {
    var kinds: [LoggedSymptom.Kind] = []
    if let table = line.word(after: "no such table: ") { kinds.append(.missingTable(table)) }
    for phrase in ["no such column: ", "has no column named "] {
        if let column = line.word(after: phrase) { kinds.append(.missingColumn(column)) }
    }
    if let columns = line.rest(after: "UNIQUE constraint failed: ") {
        kinds.append(.duplicateValues(columns))
    }
    if line.contains("134190") || line.contains("infer mapping model"),
        let entity = line.word(after: "entity="), let property = line.word(after: "property=")
    {
        kinds.append(.uninferableProperty(entity: entity, property: property))
    }
    if let property = line.word(after: "NSValidationErrorKey=")
        ?? line.word(before: " is a required value"), line.contains("is a required value")
    {
        kinds.append(.requiredValue(property))
    }
    if line.contains("missing attribute values on mandatory destination") {
        kinds.append(
            .missingMandatoryValue(
                entity: line.word(after: "entity="),
                attribute: line.word(after: "attribute=") ?? line.word(after: "relationship=")
            )
        )
    }
    return kinds
}

/// The object in a message about a missing row, by its URI, such as `x-coredata://UUID/Book/p1`.
private func goneObject(in line: LogLine) -> [LoggedSymptom.Kind] {
    guard line.contains("could not fulfill a fault"),
        let uri = line.path(after: "x-coredata://").map({ $0.split(separator: "/") }),
        uri.count == 3, uri[2].first == "p", Int64(uri[2].dropFirst()) != nil
    else { return [] }
    return [.goneObject("\(uri[1])/\(uri[2])")]
}

private func modelKinds(in line: LogLine) -> [LoggedSymptom.Kind] {
    var kinds: [LoggedSymptom.Kind] = []
    if line.contains("Duplicate version checksums") { kinds.append(.duplicateChecksums) }
    if line.contains("merge models with two different entities named") {
        kinds.append(.mergedModels(entity: line.word(after: "entities named ")))
    }
    if line.contains("Cannot merge multiple root entity source tables") {
        kinds.append(.mergedHierarchies)
    }
    if line.contains("could not locate an entity named")
        || line.contains("could not locate an NSManagedObjectModel for entity name")
    {
        let name = line.word(after: "entity named ") ?? line.word(after: "entity name ")
        kinds.append(.unknownEntity(name))
    }
    if line.contains("nil or insecure") || line.contains("NSSecureUnarchiveFromData")
        || line.contains("transformer names that are")
    {
        kinds.append(.insecureTransformer)
    }
    return kinds
}

/// The constraint that a save broke, in a message such as `NSConstraintConflict (0x28) for constraint (…)`.
private func constraint(in line: LogLine, _ text: ArraySlice<UInt8>) -> [LoggedSymptom.Kind] {
    let phrase = "for constraint "
    guard line.contains("NSConstraintConflict"), line.contains(phrase),
        let names = MessageText(beginning: phrase, in: text)?.constraint, !names.isEmpty
    else { return [] }
    return [.brokenConstraint(names)]
}

private func cloudKitKinds(in line: LogLine, _ text: ArraySlice<UInt8>) -> [LoggedSymptom.Kind] {
    var kinds: [LoggedSymptom.Kind] = []
    if let field = line.word(after: "Cannot create or modify field "),
        let type = line.word(after: "in record ")
    {
        kinds.append(.missingCloudKitField(field: field, type: type))
    }
    if let type = line.word(after: "Cannot create new type ") {
        kinds.append(.missingCloudKitType(type))
    }
    let demands = CloudKitDemand.allCases.filter {
        line.contains("CloudKit integration \($0.rawValue)")
            || $0 == .optionalAttributes && line.contains("must have a default value")
            || $0 == .inverses && line.contains("must have an inverse")
    }
    kinds += demands.map { demand in
        let message = MessageText(beginning: demand.rawValue, in: text)
        return .modelUnfitForCloudKit(demand, properties: message?.properties ?? [])
    }
    if demands.isEmpty,
        line.contains("CloudKit integration requires")
            || line.contains("CloudKit integration does not support")
    {
        kinds.append(.modelUnfitForCloudKit(nil, properties: []))
    }
    return kinds
}

private struct LogLine {
    let bytes: ArraySlice<UInt8>
    let phrases: Set<String>

    /// Whether a line is a single number, typed by somebody who asks about a code.
    func isAlone(_ number: Int) -> Bool {
        bytes.filter { $0 > 0x20 }.elementsEqual(String(number).utf8)
    }

    var opensHashes: Bool {
        contains("NSStoreModelVersionHashes =") && bytes.last { $0 > 0x20 } == UInt8(ascii: "{")
    }

    func contains(_ text: String) -> Bool {
        knownPhrases.contains(text) ? phrases.contains(text) : place(behind: text) != nil
    }

    /// The word after a text, without quotes; tables and columns may have dots.
    func word(after text: String) -> String? {
        guard var start = place(behind: text) else { return nil }
        while start < bytes.endIndex, Self.quotes.contains(bytes[start]) { start += 1 }
        var end = start
        while end < bytes.endIndex, Self.isPartOfWord(bytes[end]) { end += 1 }
        let word = String(decoding: bytes[start..<end], as: UTF8.self)
        let plain = word.hasSuffix(".") ? String(word.dropLast()) : word
        return plain.isEmpty ? nil : plain
    }

    /// The entity whose hash has the right form but other characters than hexadecimal digits: it was redacted.
    var unreadableHash: String? {
        guard let start = place(behind: " = <"), let entity = word(before: " = <") else {
            return nil
        }
        let words = bytes[start...].prefix { $0 != UInt8(ascii: ">") }
            .split(separator: 0x20, omittingEmptySubsequences: false)
        let isHash = words.count == 8 && words.allSatisfy { $0.count == 8 }
        let characters = words.joined()
        guard isHash, characters.allSatisfy(Self.isPartOfWord),
            !characters.allSatisfy({ UInt8(String(UnicodeScalar($0)), radix: 16) != nil })
        else { return nil }
        return entity
    }

    /// The text up to a character that no URI of an object has.
    func path(after text: String) -> String? {
        guard let start = place(behind: text) else { return nil }
        let path = bytes[start...].prefix {
            Self.isPartOfWord($0) || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "-")
                || $0 >= 0x80
        }
        return String(decoding: path, as: UTF8.self)
    }

    func word(before text: String) -> String? {
        guard let end = place(behind: text).map({ $0 - text.utf8.count }) else { return nil }
        var start = end
        while start > bytes.startIndex, Self.isPartOfWord(bytes[start - 1]) { start -= 1 }
        return start == end ? nil : String(decoding: bytes[start..<end], as: UTF8.self)
    }

    /// The text up to a character that no list of columns has.
    func rest(after text: String) -> String? {
        guard let start = place(behind: text) else { return nil }
        let rest = bytes[start...].prefix {
            Self.isPartOfWord($0) || $0 == UInt8(ascii: ",") || $0 == 0x20
        }
        let columns = String(decoding: rest, as: UTF8.self).split(separator: ",").compactMap {
            $0.split(separator: " ").first
        }
        return columns.isEmpty ? nil : columns.joined(separator: ", ")
    }

    var numbers: [(number: Int, prefix: String)] {
        var found: [(Int, String)] = []
        var index = bytes.startIndex
        while index < bytes.endIndex, found.count < 100 {
            guard (0x30...0x39).contains(bytes[index]) else {
                index += 1
                continue
            }
            var (number, end) = (0, index)
            while end < bytes.endIndex, (0x30...0x39).contains(bytes[end]), end - index <= 7 {
                number = number * 10 + Int(bytes[end] - 0x30)
                end += 1
            }
            let isPart = index > bytes.startIndex && Self.isLetter(bytes[index - 1])
            if end - index <= 6, !isPart, end == bytes.endIndex || !Self.isLetter(bytes[end]) {
                let start = max(bytes.startIndex, index - 30)
                found.append((number, String(decoding: bytes[start..<index], as: UTF8.self)))
            }
            while end < bytes.endIndex, (0x30...0x39).contains(bytes[end]) { end += 1 }
            index = end
        }
        return found
    }

    private func place(behind text: String) -> Int? {
        guard !knownPhrases.contains(text) || phrases.contains(text) else { return nil }
        let wanted = Array(text.utf8)
        guard let first = wanted.first else { return nil }
        var start = bytes.startIndex
        while let place = bytes[start...].firstIndex(of: first) {
            guard place + wanted.count <= bytes.endIndex else { return nil }
            if bytes[place..<(place + wanted.count)].elementsEqual(wanted) {
                return place + wanted.count
            }
            start = place + 1
        }
        return nil
    }

    private static let quotes = Array("'\"` ".utf8) + [0xE2, 0x80, 0x98, 0x9C]

    private static func isPartOfWord(_ byte: UInt8) -> Bool {
        isLetter(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: ".")
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F
    }
}
