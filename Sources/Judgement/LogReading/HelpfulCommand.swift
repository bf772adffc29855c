package import Diagnostics

/// A command that helps: calls of the program, and lines for a shell between them.
///
/// A call says what it does and to what. How the program names its commands and options is up to whoever shows it.
package struct HelpfulCommand: Sendable, Hashable {
    /// What a call does.
    package enum Verb: Sendable, Hashable {
        case checkSchema, create, decompile, doctor, generate, hash, identify, inspect, lint
        case lock, migrate, plan, repair, verify
    }

    /// A word of a call, as a shell takes it.
    package enum Word: Sendable, Hashable, ExpressibleByStringLiteral {
        /// What the call is about.
        case text(String)
        /// The model.
        case model(String)
        /// The version of the model.
        case version(String)
        /// The store.
        case store(String)
        /// The stages file.
        case stages(String)
        /// The persistent history is counted.
        case history
        /// Where the result goes.
        case output(String)
        /// The store whose hashes tell.
        case fitting(String)
        /// The version of the model at a path that a store is taken to be of, where it does not say.
        case taking(version: String, model: String)
        /// What is agreed to or decided.
        case following(Advice)
        /// All versions are looked at.
        case allVersions
        /// Every commit is looked at.
        case inRepository
        /// The rules of the model are checked too.
        case validating

        package init(stringLiteral value: String) { self = .text(value) }
    }

    /// A part, which runs when the one before it succeeded.
    package enum Part: Sendable, Hashable {
        /// A call of the program.
        case call(Verb, [Word])
        /// A line for a shell.
        case shell(String)
    }

    /// The parts, in order.
    package private(set) var parts: [Part]

    /// A call of the program.
    package static func call(_ verb: Verb, _ words: Word...) -> HelpfulCommand {
        HelpfulCommand(parts: [.call(verb, words)])
    }

    /// A call of the program with several words.
    package static func call(_ verb: Verb, _ words: [Word]) -> HelpfulCommand {
        HelpfulCommand(parts: [.call(verb, words)])
    }

    /// A line for a shell.
    package static func shell(_ line: String) -> HelpfulCommand {
        HelpfulCommand(parts: [.shell(line)])
    }

    /// Runs one command when the other succeeded.
    package static func + (left: HelpfulCommand, right: HelpfulCommand) -> HelpfulCommand {
        HelpfulCommand(parts: left.parts + right.parts)
    }

    /// Whether it begins with a call that does something.
    package func begins(with verb: Verb) -> Bool {
        if case .call(verb, _)? = parts.first { true } else { false }
    }

    /// Returns the command with a further model in its calls, which has the version of the store; where a call takes one model
    /// only, in place of the app's.
    ///
    /// - Parameters:
    ///   - older: the further model, as a shell takes it.
    ///   - model: the model of the app, as a shell takes it.
    /// - Returns: the command.
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

    /// Returns the command with other words in its calls.
    package func mappingWords(_ transform: (Word) -> Word?) -> HelpfulCommand {
        HelpfulCommand(
            parts: parts.map { part in
                guard case .call(let verb, let words) = part else { return part }
                return .call(verb, words.compactMap(transform))
            }
        )
    }
}
