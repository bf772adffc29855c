/// A rule of mirroring to CloudKit that a model breaks, by the words of Core Data.
package enum CloudKitDemand: String, Sendable, Hashable, CaseIterable {
    case optionalAttributes = "requires that all attributes be optional"
    case optionalRelationships = "requires that all relationships be optional"
    case inverses = "requires that all relationships have an inverse"
    case noOrder = "does not support ordered relationships"
    case noConstraints = "does not support unique constraints"
    case noRenaming = "forbids renaming"
}

/// The text of a message over several lines: real ones, or `\n` where it was printed as a string.
struct MessageText {
    /// The limit of a message in bytes.
    static let limit = 16384

    /// The lines, the first of them without what precedes the message.
    private let lines: [Substring]

    /// Takes the message after a phrase; `nil` where the text does not have the phrase.
    init?(beginning phrase: String, in text: ArraySlice<UInt8>) {
        let text = String(decoding: text.prefix(Self.limit), as: UTF8.self)
            .replacing("\\n", with: "\n").replacing("\r\n", with: "\n")
        guard let start = text.firstRange(of: phrase)?.upperBound else { return nil }
        lines = text[start...].split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// The properties that a rule of CloudKit names, as `Entity: first, second` in the lines after it.
    var properties: [String] {
        var found: [String] = []
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, let entity = parts[0].name else { break }
            let names = parts[1].split(separator: ",").map(\.name)
            guard !names.isEmpty, !names.contains(nil) else { break }
            found += names.compactMap { $0.map { "\(entity).\($0)" } }
        }
        return found
    }

    /// The attributes of a constraint, in parentheses and separated by commas.
    var constraint: [String] {
        let text = lines.joined(separator: " ")
        guard let open = text.firstIndex(of: "("), text[..<open].allSatisfy(\.isWhitespace),
            let close = text[open...].firstIndex(of: ")")
        else { return [] }
        return text[text.index(after: open)..<close].split(separator: ",").compactMap(\.name)
    }
}

extension Substring {
    /// The text without spaces and quotes around it; `nil` if it is not a name.
    fileprivate var name: String? {
        let isAround = { (character: Character) in
            character.isWhitespace || character == "\"" || character == "\\"
        }
        let name = drop(while: isAround).reversed().drop(while: isAround).reversed()
        let isName =
            !name.isEmpty && name.count <= 256
            && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
        return isName ? String(name) : nil
    }
}
