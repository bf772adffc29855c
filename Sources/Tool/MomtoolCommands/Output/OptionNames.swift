import ArgumentParser
import Diagnostics
import Essentials

/// The long options of a command, to find faults in its arguments.
struct OptionNames {
    private let names: Set<String>

    /// Reads the options of a command from its help: only the help lists those of its groups.
    init(of command: any ParsableCommand.Type) {
        let lines = command.helpMessage().split(separator: "\n").map(\.trimmed)
        let options = lines.filter { $0.hasPrefix("-") }.flatMap { line in
            line.split { !($0.isLetter || $0.isNumber || $0 == "-") }.map(String.init)
                .filter { $0.hasPrefix("--") }
        }
        names = Set(options)
    }

    /// Options that people may expect of a command that lacks them, with what to use instead.
    private static let foreign = [
        "plan --model": "name the model first, as in plan MODEL --store STORE",
        "migrate --dry-run": "momtool plan MODEL --store STORE shows what it would do",
        "migrate --from":
            "the store determines the version; momtool plan MODEL --from VERSION shows a step without a store",
        "repair --in-place": "repair does not change the store; name the repaired copy with -o",
    ]

    /// The unknown option among the arguments, and the intended one; `nil` for none.
    func unknownOption(in words: some Sequence<String>, of command: String) -> String? {
        var previous = ""
        for word in words.prefix(while: { $0 != "--" }) {
            defer { previous = word }
            let name = name(of: word)
            guard word.hasPrefix("--"), !names.contains(name),
                !SettingOptions.texts.contains(previous)
            else { continue }
            return "unknown option '\(name.onOneLine)'" + advice(for: name, of: command)
        }
        return nil
    }

    private func advice(for name: String, of command: String) -> String {
        if let advice = Self.foreign["\(command) \(name)"] { return "; \(advice)" }
        let setting =
            command.hasPrefix("model ") ? SettingOptions.advice(forSetting: name, among: names) : ""
        return setting.isEmpty ? suggestion(for: name, among: names.sorted()) : setting
    }

    /// The option with any text whose value is another option; `nil` for none.
    func missingValue(in words: some Sequence<String>, _ texts: Set<String>) -> String? {
        let words = Array(words.prefix { $0 != "--" })
        for (option, value) in zip(words, words.dropFirst())
        where texts.contains(option) && names.contains(name(of: value)) {
            return "missing value for '\(option)'; write a value that looks like an option as"
                + " \(option)=\(value)"
        }
        return nil
    }

    /// The option with `=` and nothing after it, where the parser would take the next word for its value.
    func emptyValue(in words: some Sequence<String>) -> String? {
        for word in words.prefix(while: { $0 != "--" }) where word.hasSuffix("=") {
            let name = String(word.dropLast())
            let isSetting =
                names.contains("--set")
                && SettingOptions.shortNames.contains(String(name.dropFirst(2)))
            guard names.contains(name) || isSetting else { continue }
            return "there is no value after '\(word)'; give one, or leave out the option"
        }
        return nil
    }

    /// The fault that a command takes one model and got several, of which the parser would keep the last; otherwise `nil`.
    static func repeatedModel(
        in words: some Sequence<String>,
        of command: any ParsableCommand.Type
    ) -> String? {
        let count = words.prefix { $0 != "--" }
            .count { $0 == "--model" || $0.hasPrefix("--model=") }
        guard count > 1 else { return nil }
        let isLone = Mirror(reflecting: command.init()).children.contains {
            $0.label == "_model" && $0.value is Option<String?>
        }
        return isLone ? "--model is given \(count) times, but this command takes one model" : nil
    }

    private func name(of word: String) -> String { String(word.prefix { $0 != "=" }) }
}
