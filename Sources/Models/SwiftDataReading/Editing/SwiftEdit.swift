/// A change of the declarations of one Swift file; all of the file that it does not name stays byte for byte.
///
/// Declarations are named by the byte at which their name begins, as the marks of entities and attributes say it.
package enum SwiftEdit: Sendable, Hashable {
    /// Writes the inverse of a relationship, a property of a class.
    case writeInverse(propertyAt: Int, class: String, property: String)
    /// Replaces a type with all that is in it; the text is indented by four spaces, and gets the indentation of the file.
    case replaceType(at: Int, with: String)
    /// Adds a version to the list of a migration plan, and a stage that leads to it.
    case addToPlan(at: Int, version: String, from: String)
    /// Imports a module, where the file does not yet.
    case importModule(String)
    /// Makes aliases and the schemas of containers name another version.
    case retarget(String, to: String)
}

/// Why a Swift file cannot be edited.
package struct SwiftEditFault: Error, Sendable, Hashable {
    /// What is wrong; lower case, no final period.
    package var message: String

    package init(_ message: String) {
        self.message = message
    }
}

/// Returns a Swift file after edits, each of which is about the file as it is given.
///
/// - Throws: ``SwiftEditFault`` for what is not there, and for a file that is no Swift.
package func edited(
    swift source: SwiftSource,
    _ edits: [SwiftEdit]
) throws(SwiftEditFault) -> [UInt8] {
    #if SwiftData
        return try withSyntax(of: source) { file throws(SwiftEditFault) in
            for edit in edits { try file.apply(edit) }
            return file.result
        }
    #else
        throw SwiftEditFault(noParser)
    #endif
}

/// A version that is made from another by copying its declarations.
package struct SwiftSchemaCopy: Sendable, Hashable {
    /// The name of the version that is copied.
    package var name: String
    /// The name of the new version.
    package var newName: String
    /// The numbers of the new version.
    package var identifier: [Int]
    /// Classes of other versions that the version lists, of which the new one gets copies.
    package var borrowed: [BorrowedClass] = []

    /// Creates the order to copy a version.
    package init(_ name: String, as newName: String, identifier: [Int]) {
        (self.name, self.newName, self.identifier) = (name, newName, identifier)
    }
}

/// A class that a version lists and another one declares.
package struct BorrowedClass: Sendable, Hashable {
    /// The name of the class.
    package var name: String
    /// The name of the version that declares it.
    package var owner: String
    /// Its declaration, as it stands there.
    package var text: String

    /// Creates a class that is borrowed.
    package init(_ name: String, of owner: String, text: String) {
        (self.name, self.owner, self.text) = (name, owner, text)
    }
}

/// Returns the declaration of a type as it is written, without the comments before it.
package func text(ofTypeAt offset: Int, in source: SwiftSource) throws(SwiftEditFault) -> String {
    #if SwiftData
        return try withSyntax(of: source) { file throws(SwiftEditFault) in
            file.text(of: try file.declaration(at: offset))
        }
    #else
        throw SwiftEditFault(noParser)
    #endif
}

/// Returns what a file indents one step by: the blanks of its first line that begins with some; four where none does.
package func indentation(of source: SwiftSource) -> String {
    var isStart = true
    var blanks: [UInt8] = []
    for byte in source.bytes {
        switch byte {
        case 0x0A: (isStart, blanks) = (true, [])
        case 0x20, 0x09: if isStart { blanks.append(byte) }
        // A comment over several lines is indented by one.
        case UInt8(ascii: "*") where isStart && blanks.count < 2: isStart = false
        case 0x0D: continue
        default:
            if isStart, !blanks.isEmpty { return String(decoding: blanks, as: UTF8.self) }
            isStart = false
        }
    }
    return "    "
}

/// Returns a text that is indented by four spaces with another indentation.
package func indented(_ text: String, by unit: String) -> String {
    guard unit != "    " else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
        let count = line.prefix { $0 == " " }.count / 4
        return String(repeating: unit, count: count) + line.dropFirst(count * 4)
    }.joined(separator: "\n")
}

/// Returns the declarations of a version in a file as those of another one, and the lines that import what they need.
///
/// A version inside another type is copied into an extension of that type.
///
/// - Returns: the declarations, none where the file has nothing of the version.
/// - Throws: ``SwiftEditFault`` for a file that is no Swift.
package func declarations(
    copying copy: SwiftSchemaCopy,
    in source: SwiftSource
) throws(SwiftEditFault) -> (imports: [String], texts: [String]) {
    #if SwiftData
        return try withSyntax(of: source) { file throws(SwiftEditFault) in try file.copied(copy) }
    #else
        throw SwiftEditFault(noParser)
    #endif
}

/// Returns the bytes at which a name stands in a file, as it is written in code.
package func mentions(of name: String, in source: SwiftSource) throws(SwiftEditFault) -> [Int] {
    #if SwiftData
        return try withSyntax(of: source) { file throws(SwiftEditFault) in file.mentions(of: name) }
    #else
        throw SwiftEditFault(noParser)
    #endif
}

/// Returns the names of the types around the type whose name begins at a byte, the innermost first.
package func typesAround(
    typeAt offset: Int,
    in source: SwiftSource
) throws(SwiftEditFault) -> [String] {
    #if SwiftData
        return try withSyntax(of: source) { file throws(SwiftEditFault) in
            try file.declaration(at: offset).typesAround
        }
    #else
        throw SwiftEditFault(noParser)
    #endif
}

#if !SwiftData
    private let noParser = "this build reads no Swift sources; build it with the trait SwiftData"
#endif
