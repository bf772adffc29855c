/// What to do, as part of a ``Wording``: a value that is worded for each reader.
///
/// The words for code are here; those for the command line are in the module `Reporting`, which has the options.
package enum Hint: Sendable, Hashable {
    case advice(Advice)

    /// Lists the spellings of a setting that was mistaken for part of a name.
    case settings
    case editExample
    /// Changes an existing element.
    case setting
    /// Makes an attribute or a relationship optional, in the model at a path.
    case optional(String, of: String?)
    /// Gives an attribute a default, or makes it optional, in the model at a path.
    case defaultOrOptional(String, of: String?)
    /// Gives an element a renaming identifier, in the model at a path.
    case renaming(String, of: String, to: String)
    /// Gives an entity a version hash modifier, in the model at a path.
    case hashModifier(String, of: String, to: String)
    /// Finds the inverses that SwiftData chooses, by a store of the app.
    case fitting(of: String?)
    case conditions
    /// Gives a version of Swift sources copies of the types that it reaches, in the file that declares it.
    case ownClasses(of: String, in: String?, file: String?)
    /// Writes a version of Swift sources with copies of all its classes.
    case frozenClasses(of: String)
    case merging
    /// Merges both sides of a version again that git left in conflict.
    case mergingSides(of: String)
    /// Puts our changes of a version that both sides added on top of theirs, in the model at a path.
    case bringingOver(path: String, source: String)
    /// Writes the model at a path in today's format.
    case conversion(of: String?)
    case namingCurrent(path: String, version: String)
    /// Recovers the source of a compiled model.
    case source
    /// Makes a new version of the model at a path.
    case newVersion(of: String?)
    /// Freezes what Swift sources at a path had in a release, before their edited version.
    case freezing(of: String, asOf: String?)
    /// Writes a version between two others of the model at a path.
    case bridging(String, from: String, to: String)
    /// Takes back what a killed process left.
    case settling
    case elementReferences
    case schemaExample

    /// Records the versions that shipped.
    case lock
    /// Records a changed version of the model at a path again.
    case relocking(String)
    /// Takes a version that has not shipped out of the lock of the model at a path.
    case unlocking(String, version: String)
    /// Writes the list of accepted findings.
    case baseline
    case rules
    /// Writes the expectation of a case.
    case recording
    case writingCase(folder: String, model: String)
    case acceptance
    /// Makes the stores that a corpus lacks.
    case recordingCorpus(String, model: String? = nil)
    /// Migrates generated objects of every version.
    case matrix(String)

    /// Exports the required rows of others too.
    case requiredRows
    case migrator
    /// Says what a migration would do, and does it.
    case planning
    /// Another path for a new store.
    case elsewhere
    /// Lets stages run the programs that they name.
    case programs
    /// Replaces the functions of a custom stage of a name that are Swift code of an app.
    case stageCode(String)
    /// Names the model that wrote a store, in addition to the target model.
    case olderModel
    /// Says after which relationship Core Data names a join table.
    case joinTable(String)
    case model
    /// Says which version wrote a store.
    case identify
    /// Says which version wrote the store at a path, among all commits of the model at another.
    case identifying(String, model: String)
    /// Says what is wrong with a store.
    case examine
    /// Says what is wrong with the store at a path, with the path of its model.
    case examining(String, model: String?)
    case verify
    case repair
    /// Shows what a repair would do.
    case rehearsal
    /// Repairs the store at a path, with the path of its model and the decisions.
    case repairing(String, model: String?, following: [Advice])
    case verifying(String, model: String?)
    case statement(String, store: String)

    var codeWords: String { projectWords ?? modelWords ?? storeWords ?? "" }

    private var projectWords: String? {
        switch self {
        case .advice(let advice): advice.description
        case .lock: "Lock.update()"
        case .relocking: "Lock.update(isAnew: true)"
        case .unlocking(_, let version): "Lock.update(unshipped: [\"\(version)\"])"
        case .baseline: "momtool"
        case .rules: "the page of rules"
        case .recording: "write it"
        case .writingCase: "write one, or a test with expectMigration"
        case .acceptance: "the program of an acceptance kit"
        case .recordingCorpus: "recording the corpus again"
        case .matrix: "the matrix of all versions"
        default: nil
        }
    }

    private var modelWords: String? {
        switch self {
        case .settings: "give settings separately from the name"
        case .editExample: "'- remove: entity Order' is another"
        case .setting: "set(_:_:)"
        case .optional(let name, _): ".setOptional(\"\(name)\", true)"
        case .defaultOrOptional(let name, _):
            ".setDefault(\"\(name)\", VALUE), or .setOptional(\"\(name)\", true)"
        case .renaming(let identifier, let name, _):
            "set(\"\(name)\", [\"elementID\": \"\(identifier)\"])"
        case .hashModifier(let value, let entity, _):
            "set(\"entity \(entity)\", [\"versionHashModifier\": \"\(value)\"])"
        case .fitting: "the command line"
        case .conditions: "list the true conditions under swift: in .momtool.yml"
        case .ownClasses(let version, _, _): "enum \(version): VersionedSchema { … }"
        case .frozenClasses: "give it its own copies of them"
        case .merging: "a merge by elements"
        case .mergingSides:
            "a merge by elements, with the previous version as the base where both sides added it"
        case .bringingOver:
            "take their version, and apply to it the edits from the previous version to ours"
        case .conversion: "saving it in Xcode"
        case .namingCurrent(_, let version): "\(version).xcdatamodel in .xccurrentversion"
        case .source: "name the source that it was compiled from"
        case .newVersion: "startVersion()"
        case .freezing: "freeze what the release had before it"
        case .bridging(_, let old, let new):
            "a model editor, asked for a version between '\(old)' and '\(new)',"
        case .settling: "edit and write it again, which undoes that"
        case .elementReferences: "withReferences: true"
        case .schemaExample: "the CloudKit console exports one"
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
    /// The advice without its verb.
    fileprivate var call: String { String(description.drop { $0 != "." }) }
}
