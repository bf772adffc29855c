package import Diagnostics

/// A helpful command: calls of the program, and lines for a shell between them.
///
/// A call names its action and operands. The code that shows it chooses the names of commands and options.
package struct HelpfulCommand: Sendable, Hashable {
    package enum Verb: Sendable, Hashable {
        case checkSchema, create, decompile, doctor, generate, hash, identify, inspect, lint
        case lock, migrate, plan, repair, verify
    }

    /// A word of a call, quoted for a shell.
    package enum Word: Sendable, Hashable, ExpressibleByStringLiteral {
        case text(String)
        case model(String)
        case version(String)
        case store(String)
        case stages(String)
        case history
        case output(String)
        /// The store whose hashes tell.
        case fitting(String)
        /// The version of the model at a path that the store is assumed to have, if it does not say.
        case taking(version: String, model: String)
        case following(Advice)
        case allVersions, inRepository, validating
        /// The classes of SwiftData that a store was written with, as a version of this name.
        case frozen(name: String, store: String)

        package init(stringLiteral value: String) { self = .text(value) }
    }

    /// A part, which runs when the one before it succeeded.
    package enum Part: Sendable, Hashable {
        case call(Verb, [Word])
        case shell(String)
    }

    package private(set) var parts: [Part]

    package static func call(_ verb: Verb, _ words: Word...) -> HelpfulCommand {
        HelpfulCommand(parts: [.call(verb, words)])
    }

    package static func call(_ verb: Verb, _ words: [Word]) -> HelpfulCommand {
        HelpfulCommand(parts: [.call(verb, words)])
    }

    package static func shell(_ line: String) -> HelpfulCommand {
        HelpfulCommand(parts: [.shell(line)])
    }

    package static func + (left: HelpfulCommand, right: HelpfulCommand) -> HelpfulCommand {
        HelpfulCommand(parts: left.parts + right.parts)
    }

    /// Whether it begins with this call.
    package func begins(with verb: Verb) -> Bool {
        if case .call(verb, _)? = parts.first { true } else { false }
    }

    /// Returns the command with a further model in its calls, which has the version of the store; a call that takes one
    /// model gets it instead of the app's.
    package func adding(older: String, to model: String) -> HelpfulCommand {
        HelpfulCommand(
            parts: parts.map { part in
                guard case .call(let verb, let words) = part else { return part }
                let all = words.flatMap { word -> [Word] in
                    switch (verb, word) {
                    case (.plan, .text(model)): [.text(older), word]
                    case (.migrate, .model(model)): [.model(older), word]
                    case (_, .model(model)): [.model(older)]
                    default: [word]
                    }
                }
                return .call(verb, all)
            }
        )
    }

    package func mappingWords(_ transform: (Word) -> Word?) -> HelpfulCommand {
        HelpfulCommand(
            parts: parts.map { part in
                guard case .call(let verb, let words) = part else { return part }
                return .call(verb, words.compactMap(transform))
            }
        )
    }
}
