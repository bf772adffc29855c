package import Diagnostics
package import LogReading

extension Words { package static let command = Words("command", \.commandWords) }

extension Wording { package var commandWords: String { text(in: .command) } }

extension Diagnostic {
    package var worded: Diagnostic { worded(in: .command) }

    package var commandWords: String { description(in: .command) }
}

extension Hint {
    /// The words of the command line; every hint has some.
    var commandWords: String { projectWords ?? modelWords ?? storeWords ?? "" }

    private var projectWords: String? {
        switch self {
        case .advice(let advice): advice.commandWords
        case .lock: "momtool lock"
        case .relocking(let path): "momtool lock \(shellWord(path)) --relock"
        case .unlocking(let path, let version):
            "momtool lock \(shellWord(path)) --unshipped \(shellWord(version))"
        case .baseline: "--write-baseline"
        case .rules: "momtool rules"
        case .recording: "write it, or record it with --record"
        case .writingCase(let folder, let path):
            "momtool test \(shellWord(folder)) --write-case --model \(path == "." ? path : shellWord(path))"
        case .acceptance: "the program of momtool accept kit"
        case .recordingCorpus(let folder, let model):
            "momtool test --corpus \(shellWord(folder))"
                + (model.map { " --model \(shellWord($0))" } ?? "") + " --record"
        case .matrix(let model): "momtool test --matrix \(shellWord(model))"
        default: nil
        }
    }

    private var modelWords: String? {
        switch self {
        case .settings: "options such as --optional take yes or no"
        case .editExample: "momtool help model apply shows one"
        case .setting: "model set"
        case .optional(let name, let path):
            "momtool model set \(Self.model(path)) \(shellWord(name)) --optional"
        case .defaultOrOptional(let name, let path):
            "momtool model set \(Self.model(path)) \(shellWord(name)) --default \(shellWord(Placeholder.value)), or --optional"
        case .renaming(let identifier, let name, let path):
            "momtool model set \(shellWord(path)) \(name.utf8.contains(UInt8(ascii: ".")) ? "" : "entity ")"
                + "\(shellWord(name)) --renaming-id \(shellWord(identifier))"
        case .hashModifier(let value, let entity, let path):
            "momtool model set \(shellWord(path)) entity \(shellWord(entity)) --hash-modifier \(shellWord(value))"
        case .fitting(let sources):
            "momtool hash\(sources.map { " \(shellWord($0))" } ?? "") --fit STORE"
        case .conditions: "set true conditions with --define, and the system with --platform"
        case .ownClasses(let version, let place, let file):
            "momtool generate --swiftdata --frozen \(shellWord(version)) --from "
                + "\(shellWord("\(place ?? "SOURCES")#\(version)")) -o \(file.map(shellWord) ?? "FILE")"
        case .frozenClasses(let version):
            "momtool generate --swiftdata --frozen \(shellWord(version)) writes one with its own copies"
        case .merging: "momtool model merge"
        case .mergingSides(let path):
            "git show \(shellWord(":2:./" + path)) > ours, git show \(shellWord(":3:./" + path)) > theirs, then "
                + "momtool model merge BASE ours theirs -o \(shellWord(path)), where BASE is the contents of the previous "
                + "version if both sides added this one"
        case .bringingOver(let path, let source):
            "momtool diff \(shellWord("HEAD:" + path)) --format edits=ours.yml, then git checkout --theirs -- "
                + "\(shellWord(source)), then momtool model apply \(shellWord(path)) ours.yml, "
                + "with --new-version if theirs shipped"
        case .conversion(let path):
            path.map { "momtool decompile \(shellWord($0)) -o FOLDER" }
                ?? "'momtool decompile MODEL -o FOLDER'"
        case .namingCurrent(let path, let version):
            "momtool model set-current \(shellWord(path)) \(shellWord(version))"
        case .source: "momtool decompile gives the source to edit"
        case .newVersion(let path):
            "momtool model new-version" + (path.map { " \(shellWord($0))" } ?? "")
        case .freezing(let path, let tag):
            "momtool model new-version \(shellWord(path)) --as-of \(shellWord(tag ?? "TAG"))"
        case .bridging(let path, let old, let new):
            "momtool model new-version \(shellWord(path)) --bridge "
                + [old, new].map(shellWord).joined(separator: " ")
        case .settling: "run this without --dry-run, which undoes that"
        case .elementReferences: "--with-references, or withReferences: YES in a list of edits,"
        case .schemaExample: "momtool cloudkit schema MODEL writes one"
        default: nil
        }
    }

    private var storeWords: String? {
        switch self {
        case .requiredRows: "--with-required exports these rows too"
        case .migrator: "momtool migrate"
        case .planning: "momtool plan and migrate"
        case .elsewhere: "-o"
        case .stageCode:
            "write the effect in SQL or as a map in a stages file, which plan --stages drafts for you"
        case .programs: "allow that with --allow-programs"
        case .olderModel: "name the model that wrote it first, with another --model"
        case .joinTable(let name): "--join-table \(shellWord(name))"
        case .model: "--model"
        case .identify: "momtool identify"
        case .identifying(let path, let model):
            "momtool identify \(shellWord(path))\(Self.option(model)) --git"
        case .examine: "momtool doctor"
        case .examining(let path, let model):
            "momtool doctor \(shellWord(path))\(Self.option(model))"
        case .verify: "momtool verify"
        case .repair: "momtool repair"
        case .rehearsal: "without -o, it only prints what it would do"
        case .repairing(let path, let model, let advice):
            "momtool repair \(shellWord(path))\(Self.option(model))"
                + advice.map { " \($0.option())" }.joined() + " -o Repaired.sqlite"
        case .verifying(let path, let model):
            "momtool verify \(shellWord(path))\(Self.option(model))"
        case .statement(let statement, let path):
            "sqlite3 \(shellWord(path)) \(shellWord(statement))"
        default: nil
        }
    }

    /// The path of a model quoted for a shell, or a placeholder.
    private static func model(_ path: String?) -> String { path.map(shellWord) ?? "MODEL" }

    private static func option(_ model: String?) -> String {
        model.map { " --model \(shellWord($0))" } ?? ""
    }
}

extension Advice {
    var commandWords: String {
        switch self {
        case .allowLoss, .allowAllLosses: "allow this with \(option(all: " '*'"))"
        case .allowBackward: "migrate backwards with \(option())"
        case .allowTime: "allow more time with \(option())"
        case .force: "\(option()) would write it"
        case .startVersion:
            "momtool model new-version adds a version to change, and \(option()) does so first"
        case .nameModel: "name a model here or with \(option())"
        case .nameOlderModel:
            "if another model has its version, name that one first, with another \(option())"
        case .nameVersion: "name the version with \(option()) to lock the hashes of the store"
        case .nameBothVersions: "name two with \(option())"
        case .nameJoinTable: "choose with \(option())"
        case .clearLinks: "remove such links with \(option())"
        default: option()
        }
    }

    /// The option with its value, quoted for a shell; `all` follows an option with optional names if none is given.
    func option(all: String = "") -> String {
        switch self {
        case .allowLoss(let name): "--allow-data-loss \(shellWord(name))"
        case .allowAllLosses: "--allow-data-loss\(all)"
        case .allowBackward: "--allow-backward"
        case .allowTime: "--timeout"
        case .force: "--force"
        case .startVersion: "--new-version"
        case .nameModel, .nameOlderModel: "--model"
        case .nameVersion: "--version"
        case .nameBothVersions: "--from and --to"
        case .nameJoinTable(let name): "--join-table \(shellWord(name))"
        case .clearLinks: "--clear-links"
        case .convertValues: "--convert"
        case .createEmptyTables: "--allow-data-loss"
        case .setValue(let name, let value): "--set \(shellWord("\(name)=\(value)"))"
        case .clearValues(let name): "--clear-values \(shellWord(name))"
        case .nameValue(let name): "--set \(shellWord("\(name)=\(Placeholder.value)"))"
        case .dropOwnerless(let entity): "--drop-ownerless \(shellWord(entity))"
        case .pruneHistory(let days):
            "--prune-history \(Int(exactly: days).map(String.init) ?? "\(days)")"
        case .nameHistoryAge: "--prune-history \(shellWord(Placeholder.days))"
        case .takeVersion(let name): "--model \(shellWord("MODEL#\(name)"))"
        case .removeFiles: "--drop-files"
        case .compact: "--compact"
        }
    }
}

extension HelpfulCommand {
    package var commandWords: String {
        parts.map { part in
            switch part {
            case .call(let verb, let words):
                (["momtool", verb.commandWords] + words.map(\.commandWords)).joined(separator: " ")
            case .shell(let line): line
            }
        }.joined(separator: " && ")
    }
}

extension HelpfulCommand.Verb {
    fileprivate var commandWords: String {
        if case .checkSchema = self { "cloudkit check" } else { "\(self)" }
    }
}

extension HelpfulCommand.Word {
    fileprivate var commandWords: String {
        switch self {
        case .text(let text): text
        case .model(let path): "--model \(path)"
        case .version(let name): "--version \(name)"
        case .store(let path): "--store \(path)"
        case .stages(let path): "--stages \(path)"
        case .history: "--history"
        case .output(let path): "-o \(path)"
        case .fitting(let path): "--fit \(path)"
        case .taking(let version, let path): "--model \(shellWord("\(path)#\(version)"))"
        case .following(let advice): advice.option()
        case .allVersions: "--all-versions"
        case .inRepository: "--git"
        case .validating: "--validate"
        case .frozen(let name, let store): "--swiftdata --frozen \(name) --from \(store)"
        }
    }
}
