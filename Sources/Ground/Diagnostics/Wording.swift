/// A text with hints about what to do, each in the reader's words: for code or for the command line.
///
/// ```swift
/// Diagnostic.Note(saying: "run \(.lock) when it ships")
/// ```
///
/// It is deliberately no `CustomStringConvertible`: a text is made for some reader, by ``text(in:)``.
package struct Wording: Sendable, Hashable {
    package enum Piece: Sendable, Hashable {
        case text(String)
        case hint(Hint)
    }

    package private(set) var pieces: [Piece]

    /// Creates a wording that is the same for every reader.
    package init(_ text: String) { pieces = text.isEmpty ? [] : [.text(text)] }

    package init(_ hint: Hint) { pieces = [.hint(hint)] }

    /// Adjacent texts are merged, so that equal texts are equal values.
    private init(pieces: [Piece]) {
        self.pieces = []
        for piece in pieces {
            guard case .text(let text) = piece else {
                self.pieces.append(piece)
                continue
            }
            if case .text(let start)? = self.pieces.last {
                self.pieces[self.pieces.count - 1] = .text(start + text)
            } else if !text.isEmpty {
                self.pieces.append(piece)
            }
        }
    }

    /// The text in the given words, with each hint on one line.
    package func text(in words: Words) -> String {
        if pieces.count == 1, case .text(let text) = pieces[0] { return text }
        return pieces.reduce(into: "") { result, piece in
            switch piece {
            case .text(let text): result += text
            case .hint(let hint): result += words.say(hint).onOneLine
            }
        }
    }

    package var onOneLine: Wording {
        Wording(
            pieces: pieces.map { piece in
                if case .text(let text) = piece { .text(text.onOneLine) } else { piece }
            }
        )
    }

    /// The advice in it, in order of appearance.
    package var advice: [Advice] {
        pieces.compactMap { if case .hint(.advice(let advice)) = $0 { advice } else { nil } }
    }

    /// The wording with a text replaced; hints stay.
    package func replacing(_ old: String, with new: String) -> Wording {
        Wording(
            pieces: pieces.map { piece in
                if case .text(let text) = piece {
                    .text(text.replacing(old, with: new))
                } else {
                    piece
                }
            }
        )
    }

    package func worded(in words: Words) -> Wording { Wording(text(in: words)) }

    package static func + (left: Wording, right: Wording) -> Wording {
        Wording(pieces: left.pieces + right.pieces)
    }

    package static func += (left: inout Wording, right: Wording) { left = left + right }
}

extension [Wording] {
    package func joined(separator: String) -> Wording {
        guard var result = first else { return Wording("") }
        for wording in dropFirst() { result += Wording(separator) + wording }
        return result
    }
}

extension Wording: ExpressibleByStringInterpolation {
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var pieces: [Piece] = []

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) { pieces.append(.text(literal)) }

        package mutating func appendInterpolation(_ hint: Hint) { pieces.append(.hint(hint)) }

        package mutating func appendInterpolation(_ wording: Wording) { pieces += wording.pieces }

        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            pieces.append(.text(value.description))
        }
    }

    package init(stringLiteral value: String) { self.init(value) }

    package init(stringInterpolation: StringInterpolation) {
        self.init(pieces: stringInterpolation.pieces)
    }
}

extension String.StringInterpolation {
    /// Prevents a wording from becoming a text for no particular reader.
    @available(*, deprecated, message: "say in whose words: text(in:)")
    package mutating func appendInterpolation(_ wording: Wording) {
        appendInterpolation(wording.text(in: .code))
    }
}

/// The words of a kind of reader; two are equal if they have the same name.
package struct Words: Sendable {
    package let name: String
    package let say: @Sendable (Hint) -> String

    package init(_ name: String, _ say: @escaping @Sendable (Hint) -> String) {
        (self.name, self.say) = (name, say)
    }

    package static let code = Words("code", \.codeWords)

    package func agreeing(
        in place: String,
        _ agreement: @escaping @Sendable (_ name: String) -> String
    ) -> Words {
        Words("\(name), \(place)") { [say] hint in
            if case .advice(.allowLoss(let loss)) = hint { agreement(loss) } else { say(hint) }
        }
    }
}

extension Words: Hashable {
    package static func == (left: Words, right: Words) -> Bool { left.name == right.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
