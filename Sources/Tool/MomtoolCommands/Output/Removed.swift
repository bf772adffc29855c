/// Removed commands, options and values of options, with their replacements.
package struct Removed: Sendable {
    /// The command, the option and its value, such as `docs`, `test --shard`, `graph --format svg`; without a command
    /// it is an option of any.
    package var words: String
    /// The replacement, in the form of a sentence after a semicolon.
    package var instead: String

    /// All of them; the first that fits counts, and the last ones are options that many commands had.
    package static let rows = text.split(separator: "\n").map { line in
        let parts = line.split(separator: " = ", maxSplits: 1).map(String.init)
        return Removed(words: parts[0], instead: parts[1])
    }

    private static let text = """
        accept-kit = 'momtool accept kit' writes the kit
        accept-report = 'momtool accept report' reads the report
        check --seed = 'momtool test --matrix MODEL --seed N' takes one
        cloudkit check --config = the nearest .momtool.yml counts
        config --config = the nearest .momtool.yml counts
        compile --tools-version = --xcode-version records the compiler
        compile --without-fetch-indexes = a link named 'momc' to momtool takes '--iphoneos-deployment-target 10.0'
        docs = 'momtool graph' draws a model, 'momtool inspect' lists it
        explain = 'momtool rules NAME' tells of a rule
        generate --mapping-model = write a map in YAML; test --write-case starts the case of a step
        graph --clusters = 'momtool graph --entity NAME' draws a part
        graph --format html = 'momtool graph MODEL --format dot | dot -Tsvg' draws it
        graph --format svg = 'momtool graph MODEL --format dot | dot -Tsvg' draws it
        model --of = name it as 'attribute Book.title / userInfo KEY'
        model convert = momtool decompile MODEL -o FOLDER writes it in the current format
        model prune = a line 'pruned DAY' below the checksum marks a version in the lock
        join-reports = awk 1 joins journals, and jq reads them
        test --shard = name folders of cases, or a part of them with --filter
        test --merge-junit = CI services accept several JUnit files
        decompile --like = 'momtool decompile' extracts the model of a store that has one
        decompile --seconds = 'momtool decompile' extracts the model of a store that has one
        export --anonymize = rows contain what users wrote: choose what others may see with --entity and --where
        history = 'momtool inspect STORE --history' counts it
        create --like = 'momtool create' gives every store the layout of a new one
        --format html = --format markdown has the same content
        --format checkstyle = --format junit and sarif have the same content
        --format xcode = -q leaves out the total in text
        --format tap = --format junit has the same content
        --shard = split -n r/8 splits a list, and --from-list takes a part
        --retry-failed = run the same command with --from-list and --skip-done to finish
        """

    private var command: ArraySlice<String> { parts.prefix { !$0.hasPrefix("-") } }

    private var parts: [String] { words.split(separator: " ").map(String.init) }

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
            guard option.count > 1 else { return true }
            return value.split(separator: "=", maxSplits: 1).first.map(String.init) == option.last
        }
    }
}
