import Diagnostics

extension RecordSchema {
    /// The schema in the text form, as CloudKit exports one that mirroring made.
    ///
    /// Everything is sorted by the bytes of the names, whether quoted or not.
    package var text: String {
        let types = recordTypes.sorted { $0.name.precedesByCodeUnits($1.name) }
        return (["DEFINE SCHEMA"] + types.map(\.text)).joined(separator: "\n\n") + "\n\n"
    }
}

extension RecordType {
    fileprivate var text: String {
        let fields = fields.sorted { $0.name.precedesByCodeUnits($1.name) }
        let width = fields.map { quotedName($0.name).count }.max() ?? 0
        let lines = fields.map { $0.text(width: width) } + Self.grants
        let items = lines.map { "        \($0)" }.joined(separator: ",\n")
        return "    RECORD TYPE \(quotedName(name)) (\n\(items)\n    );"
    }

    /// The grants of mirroring in its record types.
    private static let grants = [
        #"GRANT WRITE TO "_creator""#, #"GRANT CREATE TO "_icloud""#, #"GRANT READ TO "_world""#,
    ]
}

extension RecordField {
    fileprivate func text(width: Int) -> String {
        let name = quotedName(name)
        let padding = String(repeating: " ", count: max(0, width - name.count))
        return ([name + padding, typeText] + options.map(\.rawValue)).joined(separator: " ")
    }
}

private let reservedWords: Set<String> = [
    "grant", "preferred", "queryable", "searchable", "sortable",
]

/// Whether the text form takes a name without quotes, apart from reserved words.
func isPlainName(_ name: String) -> Bool {
    guard let first = name.utf8.first, isLetter(first) else { return false }
    return name.utf8.allSatisfy(isNameByte)
}

func isNameByte(_ byte: UInt8) -> Bool {
    isLetter(byte) || (0x30...0x39).contains(byte) || byte == 0x5F
}

private func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
}

private func quotedName(_ name: String) -> String {
    isPlainName(name) && !reservedWords.contains(name.lowercased()) ? name : "\"\(name)\""
}
