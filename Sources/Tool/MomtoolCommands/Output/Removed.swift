import Diagnostics
import Essentials

/// What was typed before it was removed, with what serves instead: commands, their options, and values of options.
///
/// The table is looked at only where arguments were not understood.
package struct Removed: Sendable {
    /// The command, the option and its value, such as `docs`, `test --shard`, `graph --format svg`; without a command it is
    /// an option of any.
    package var words: String
    /// What serves instead, as a sentence goes on behind a semicolon.
    package var instead: String

    /// All of them; of several that fit, the first counts.
    package static let rows = commands + options

    private static let commands = [
        Removed(words: "accept-kit", instead: "'momtool accept kit' writes the kit"),
        Removed(words: "accept-report", instead: "'momtool accept report' reads the report"),
        Removed(words: "check --seed", instead: "'momtool test --matrix MODEL --seed N' takes one"),
        Removed(words: "cloudkit check --config", instead: "the nearest .momtool.yml counts"),
        Removed(words: "config --config", instead: "the nearest .momtool.yml counts"),
        Removed(words: "compile --tools-version", instead: "--xcode-version records the compiler"),
        Removed(
            words: "compile --without-fetch-indexes",
            instead: "a link 'momc' to momtool takes '--iphoneos-deployment-target 10.0'"
        ),
        Removed(
            words: "docs",
            instead: "'momtool graph' draws a model, 'momtool inspect' lists it"
        ),
        Removed(words: "explain", instead: "'momtool rules NAME' tells of a rule"),
        Removed(
            words: "generate --mapping-model",
            instead: "write a map in YAML; test --write-case begins the case of a step"
        ),
        Removed(words: "graph --clusters", instead: "'momtool graph --entity NAME' draws a part"),
        Removed(
            words: "graph --format html",
            instead: "'momtool graph MODEL --format dot | dot -Tsvg' draws it"
        ),
        Removed(
            words: "graph --format svg",
            instead: "'momtool graph MODEL --format dot | dot -Tsvg' draws it"
        ),
        Removed(words: "model --of", instead: "name it as 'attribute Book.title / userInfo KEY'"),
        Removed(
            words: "model convert",
            instead: "momtool decompile MODEL -o FOLDER writes it in today's format"
        ),
        Removed(
            words: "model prune",
            instead: "a line 'pruned DAY' below the checksum marks a version in the lock"
        ),
        Removed(words: "join-reports", instead: "cat joins journals, and jq reads them"),
        Removed(
            words: "test --shard",
            instead: "name folders of cases, or a part of them by --filter"
        ),
        Removed(words: "test --merge-junit", instead: "services of CI take several files of JUnit"),
        Removed(
            words: "decompile --like",
            instead: "'momtool decompile' takes the model out of a store that has one"
        ),
        Removed(
            words: "decompile --seconds",
            instead: "'momtool decompile' takes the model out of a store that has one"
        ),
        Removed(
            words: "export --anonymize",
            instead:
                "rows hold what users wrote: choose what others may see by --entity and --where"
        ),
        Removed(words: "history", instead: "'momtool inspect STORE --history' counts it"),
        Removed(
            words: "create --like",
            instead: "'momtool create' lays every store out as a new one"
        ),
    ]

    /// Options that many commands had.
    private static let options = [
        Removed(words: "--format html", instead: "--format markdown says the same"),
        Removed(words: "--format checkstyle", instead: "--format junit and sarif say the same"),
        Removed(words: "--format xcode", instead: "-q leaves the sum out of text"),
        Removed(words: "--format tap", instead: "--format junit says the same"),
        Removed(
            words: "--shard",
            instead: "split -n r/8 splits a list, and --from-list takes a part"
        ),
        Removed(
            words: "--retry-failed",
            instead: "the same command with --from-list and --skip-done does what is left"
        ),
    ]

    /// The command that the words begin with; empty for an option of any.
    private var command: ArraySlice<String> { parts.prefix { !$0.hasPrefix("-") } }

    private var parts: [String] { words.split(separator: " ").map(String.init) }

    /// The error about what was removed among the arguments of a call; `nil` where nothing was.
    static func failure(in arguments: [String]) -> CommandFailure? {
        let words = Array(arguments.drop { $0 == "help" }.prefix { $0 != "--" })
        return rows.first { $0.isMeant(by: words) }.map { row in
            let name = row.command.isEmpty ? row.words : "momtool \(row.words)"
            return CommandFailure(
                .usage,
                ["error: '\(name)' was removed; \(row.instead) [removed-command]"]
            )
        }
    }

    private func isMeant(by arguments: [String]) -> Bool {
        guard arguments.starts(with: command) else { return false }
        let option = parts.dropFirst(command.count)
        guard let name = option.first else { return true }
        return arguments.indices.contains { index in
            let value: Substring
            if arguments[index] == name {
                value = arguments.dropFirst(index + 1).first?[...] ?? ""
            } else if arguments[index].hasPrefix(name + "=") {
                value = arguments[index].dropFirst(name.count + 1)
            } else {
                return false
            }
            // A format may have a path behind it.
            guard option.count > 1 else { return true }
            return value.split(separator: "=", maxSplits: 1).first.map(String.init) == option.last
        }
    }
}
