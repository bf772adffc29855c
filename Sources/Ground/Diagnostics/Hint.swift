/// What to do, as part of a ``Wording``: a value, which each reader is told in other words.
///
/// Here stand the words of code. Those of the command line are in the module `Reporting`, which knows options.
package enum Hint: Sendable, Hashable {
    /// What lets something go on that was refused.
    case advice(Advice)

    /// What tells several spellings of a setting, where a value was taken for a part of a name.
    case settings
    /// An example of a list of edits.
    case editExample
    /// What changes an element that is there.
    case setting
    /// How an attribute or a relationship comes to be optional, in the model at a path.
    case optional(String, of: String?)
    /// How an attribute comes to have a default, or to be optional, in the model at a path.
    case defaultOrOptional(String, of: String?)
    /// What gives an entity a version hash modifier, in the model at a path.
    case hashModifier(String, of: String, to: String)
    /// What finds the inverses that SwiftData chooses, by a store of the app.
    case fitting(of: String?)
    /// How the conditions of `#if` are said.
    case conditions
    /// What gives a version of Swift sources copies of the types that it reaches, in the file that declares it.
    case ownClasses(of: String, in: String?, file: String?)
    /// What writes a version of Swift sources with copies of all its classes.
    case frozenClasses(of: String)
    /// What merges versions.
    case merging
    /// What makes our changes of a version that both sides added on top of theirs, in the model at a path.
    case bringingOver(path: String, source: String)
    /// What writes a model in today's format, of a path.
    case conversion(of: String?)
    /// What says which version is current.
    case currentVersion
    /// What names the current version of the model at a path.
    case namingCurrent(path: String, version: String)
    /// What gives the source of a compiled model.
    case source
    /// What makes a new version, of the model at a path.
    case newVersion(of: String?)
    /// What writes a version between two others, of the model at a path.
    case bridging(String, from: String, to: String)
    /// What takes back what a killed process left.
    case settling
    /// What removes an element of a model with all that refers to it.
    case elementReferences
    /// What writes a schema of CloudKit.
    case schemaExample

    /// What records the versions that shipped.
    case lock
    /// What records anew what a version is, of the model at a path.
    case relocking(String)
    /// What writes the list of findings that are let be.
    case baseline
    /// What lists the rules.
    case rules
    /// What writes the expectation of a case.
    case recording
    /// What writes a case, into a folder, of the model at a path.
    case writingCase(folder: String, model: String)
    /// The program that writes a report of acceptance.
    case acceptance

    /// What exports the rows too that others cannot do without.
    case requiredRows
    /// What migrates stores.
    case migrator
    /// What says what a migration would do, and does it.
    case planning
    /// Where a new store is written.
    case elsewhere
    /// What lets stages run the programs that they name.
    case programs
    /// What takes the place of the functions of a custom stage, of a name, that are Swift of an app.
    case stageCode(String)
    /// What names the model that wrote a store, before the one that it should get.
    case olderModel
    /// What says after which relationship Core Data names a join table.
    case joinTable(String)
    /// What names the model of a store.
    case model
    /// What says which version wrote a store.
    case identify
    /// What says which version wrote the store at a path, among all commits of the model at another.
    case identifying(String, model: String)
    /// What says what is wrong with a store.
    case examine
    /// What says what is wrong with the store at a path, with the path of its model.
    case examining(String, model: String?)
    /// What finds what is wrong with a store.
    case verify
    /// What repairs a store.
    case repair
    /// What shows what a repair would do.
    case rehearsal
    /// What repairs the store at a path, with the path of its model and what is decided.
    case repairing(String, model: String?, following: [Advice])
    /// What verifies the store at a path, with the path of its model.
    case verifying(String, model: String?)
    /// What changes a store by a statement of SQL.
    case statement(String, store: String)
}

extension Hint {
    /// The words of code; every hint has some.
    var codeWords: String { projectWords ?? modelWords ?? storeWords ?? "" }

    private var projectWords: String? {
        switch self {
        case .advice(let advice): advice.description
        case .lock: "Lock.update()"
        case .relocking: "Lock.update(isAnew: true)"
        case .baseline: "momtool"
        case .rules: "the page of rules"
        case .recording: "write it"
        case .writingCase: "write one, or a test with expectMigration"
        case .acceptance: "the program of an acceptance kit"
        default: nil
        }
    }

    private var modelWords: String? {
        switch self {
        case .settings: "settings are given apart from the name"
        case .editExample: "'- remove: entity Order' is another"
        case .setting: "set(_:_:)"
        case .optional(let name, _): ".setOptional(\"\(name)\", true)"
        case .defaultOrOptional(let name, _):
            ".setDefault(\"\(name)\", VALUE), or .setOptional(\"\(name)\", true)"
        case .hashModifier(let value, let entity, _):
            "set(\"entity \(entity)\", [\"versionHashModifier\": \"\(value)\"])"
        case .fitting: "the command line"
        case .conditions: "say which conditions hold below swift: in .momtool.yml"
        case .ownClasses(let version, _, _): "enum \(version): VersionedSchema { … }"
        case .frozenClasses: "give it copies of its own of those"
        case .merging: "a merge by elements"
        case .bringingOver:
            "take their version, and apply the edits to it that lead from the version before to ours"
        case .conversion: "saving it in Xcode"
        case .currentVersion: ".xccurrentversion"
        case .namingCurrent(_, let version): "\(version).xcdatamodel in .xccurrentversion"
        case .source: "name the source that it was compiled from"
        case .newVersion: "startVersion()"
        case .bridging(_, let old, let new):
            "an editor of models, asked for a version between '\(old)' and '\(new)',"
        case .settling: "edit and write it again, which takes that back"
        case .elementReferences: "withReferences: true"
        case .schemaExample: "the console of CloudKit exports one"
        default: nil
        }
    }

    private var storeWords: String? {
        switch self {
        case .requiredRows: "Rows(…, withRequired: true) exports these rows too"
        case .migrator, .planning: "a Migrator"
        case .elsewhere: "to:"
        case .programs: "give the stage handlers instead"
        case .stageCode(let stage):
            "give them as handlers: [\"\(stage)\": StageHandlers(…)], or their effect in a stages file"
        case .olderModel: "name the model that wrote it, before the other"
        case .joinTable(let name): ".nameJoinTable(\"\(name)\")"
        case .model: "Doctor(model)"
        case .identify, .identifying: "Store.version(in:)"
        case .examine, .examining: "Doctor.examine(_:)"
        case .verify: "Store.verify(against:)"
        case .repair: "Doctor.repair(_:to:)"
        case .rehearsal: "into a copy"
        case .repairing(_, _, let advice):
            "Doctor.repair(_:to:\(advice.isEmpty ? "" : "following: [\(advice.map(\.call).joined(separator: ", "))]"))"
        case .verifying: "Store.verify(against:)"
        case .statement(let statement, _): statement
        default: nil
        }
    }
}

extension Advice {
    /// The advice alone, without what its description says before it.
    fileprivate var call: String { String(description.drop { $0 != "." }) }
}
