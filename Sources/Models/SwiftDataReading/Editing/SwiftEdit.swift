/// A change of the declarations of one Swift file; everything that it does not name stays byte for byte.
///
/// Declarations are identified by the first byte of their names, as in the marks of entities and attributes.
package enum SwiftEdit: Sendable, Hashable {
    case writeInverse(propertyAt: Int, class: String, property: String)
    /// Replaces a type with its contents; the text is indented by four spaces, and gets the indentation of the file.
    case replaceType(at: Int, with: String)
    /// Adds a version to the list of a migration plan, and a stage that leads to it.
    case addToPlan(at: Int, version: String, from: String)
    /// Puts a version before another one of a migration plan; the stage that led there leads from it, or to it where that
    /// is what shipped.
    case enterInPlan(at: Int, version: String, before: String, after: String?, leadsToIt: Bool)
    /// Imports a module, unless the file already does.
    case importModule(String)
    /// Makes aliases and the schemas of containers name another version.
    case retarget(String, to: String)
}

package struct SwiftEditFault: Error, Sendable, Hashable {
    /// What is wrong; lower case, no final period.
    package var message: String

    package init(_ message: String) { self.message = message }
}

/// Returns a Swift file after edits, each of which refers to the original file.
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
    package var name: String
    package var newName: String
    package var identifier: [Int]
    /// Listed classes of other versions, which are copied into the new one.
    package var borrowed: [BorrowedClass] = []

    package init(_ name: String, as newName: String, identifier: [Int]) {
        (self.name, self.newName, self.identifier) = (name, newName, identifier)
    }
}

/// A class that one version lists and another one declares.
package struct BorrowedClass: Sendable, Hashable {
    package var name: String
    /// The name of the version that declares it.
    package var owner: String
    /// Its declaration in that version.
    package var text: String

    package init(_ name: String, of owner: String, text: String) {
        (self.name, self.owner, self.text) = (name, owner, text)
    }
}

/// Returns the source text of a type's declaration, without the comments before it.
package func text(ofTypeAt offset: Int, in source: SwiftSource) throws(SwiftEditFault) -> String {
    #if SwiftData
        return try withSyntax(of: source) { file throws(SwiftEditFault) in
            file.text(of: try file.declaration(at: offset))
        }
    #else
        throw SwiftEditFault(noParser)
    #endif
}

/// Returns a file's unit of indentation: the blanks of its first indented line; four where there is none.
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

/// Returns the declarations of a version in a file under the name of another one, with the necessary imports; none if the
/// file has no declaration of the version.
///
/// A version inside another type is copied into an extension of that type.
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

/// Returns the offsets of a name in the code of a file.
package func mentions(of name: String, in source: SwiftSource) throws(SwiftEditFault) -> [Int] {
    #if SwiftData
        return try withSyntax(of: source) { file throws(SwiftEditFault) in file.mentions(of: name) }
    #else
        throw SwiftEditFault(noParser)
    #endif
}

/// Returns the names of the types around the type whose name begins at an offset, the innermost first.
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
    private let noParser = "this build cannot read Swift sources; build it with the trait SwiftData"
#endif
