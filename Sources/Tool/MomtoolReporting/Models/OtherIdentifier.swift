import Diagnostics
import StoreFormat

/// An ID in brackets that is not a lint rule: that of a refusal, or of a finding in a store.
package struct OtherIdentifier: Sendable, TextReport {
    static let shape = "meaning = report { rule: string, summary: string, rationale: string }"
    private let rule: String
    private let summary: String
    private let rationale: String

    /// Looks an ID up; `nil` for an unknown one.
    package init?(_ rule: String) {
        guard let summary = Self.meanings[rule] else { return nil }
        (self.rule, self.summary) = (rule, summary)
        let help = Damage.all[RuleID(rawValue: rule)].map { "What helps: \(Self.help($0))." }
        rationale =
            "Not a lint rule: it cannot be configured or ignored. "
            + (help ?? "The message says what is wrong, and the lines below it what helps.")
    }

    /// What helps against a damage, in any store; lower case, no final period.
    private static func help(_ damage: Damage) -> String {
        switch damage {
        case .repair, .repairing, .lostLinks: "momtool repair"
        case .value, .history, .file, .entity: "momtool repair, which asks for what it cannot know"
        case .list: "make the values different"
        case .folder, .person: damage.correction(ofStore: "STORE")
        }
    }

    package var text: String { "\(rule)\n\n\(summary)\n\n\(wrapped(rationale))" }

    package static let meanings = others.merging(
        Damage.all.map { ($0.key.rawValue, $0.value.summary) }
    ) { other, _ in other }

    private static let others: [String: String] = [
        "backward-migration": "The version of the store is newer than the version to migrate to.",
        "backward-stage":
            "A stage leads to an older version, or follows one that starts from a newer one.",
        "broken-case": "A file of a migration case is not valid.",
        "cannot-create": "Nothing can be created at this path.",
        "collapsed-stages": "Core Data does not follow the stages as they are written.",
        "contradicting-links": "The two sides of a relationship contradict each other in the rows.",
        "damaged-metadata": "The metadata of the store cannot be read.",
        "damaged-model-cache": "The model in the store cannot be read.",
        "damaged-store": "The store has damage that prevents the migration.",
        "damaged-value": "A stored value does not have the form of its type.",
        "dangling-name": "A name in the model refers to no entity, property or composite type.",
        "dangling-row-reference": "A reference in the rows refers to a missing row.",
        "duplicate-mapping": "A mapping model has two entity mappings with the same name.",
        "duplicate-row-id": "Two rows of an entity have the same @id.",
        "duplicate-row-value": "The given rows violate a uniqueness constraint.",
        "duplicate-stage-checksum": "Two stages, or two versions, have the same checksum.",
        "edited-version":
            "A version that shipped was changed, or would be: its hashes differ from the lock.",
        "existing-case": "A case with this name already exists.", "failure": "The command failed.",
        "file-exists": "The file already exists and is not replaced.",
        "hard-linked-store": "The file of the store has several names.",
        "house-rule-example": "An example of a house rule does not give the expected result.",
        "impossible-edit": "This change of the model is not possible, or not now.",
        "inaccessible-file": "The system does not allow reading or writing the file.",
        "incomplete-model":
            "momtool does not understand a part of the model, so its classes are incomplete.",
        "inexpressible-in-source": "Something in the compiled model cannot be written in a source.",
        "interrupted": "The command was interrupted; the store is unchanged.",
        "invalid-baseline": "The file of known findings is not valid.",
        "invalid-configuration": "The settings in .momtool.yml are not valid.",
        "invalid-json": "The text is not JSON.",
        "invalid-stages-file": "A stages file or a map is not valid.",
        "kept-order":
            "Links have an order that Core Data drops when a relationship becomes many-to-many.",
        "left-out-of-kit": "Something was left out of the kit.",
        "malformed-property-list": "A property list is not valid.",
        "mapping-policy": "A mapping model has a custom policy class for an entity.",
        "migration-check": "A check after the migration failed; the store is unchanged.",
        "missing-row-value": "A required property is left out of the rows.",
        "needless-custom-stage": "A custom stage has no work to do.",
        "no-cases": "There is no case to run, and no example to try.",
        "no-model": "No model is named, and none is found.",
        "no-plan": "The Swift sources have no SchemaMigrationPlan, or not the named one.",
        "no-room": "There is not enough space on the disk.",
        "no-stages": "Something is for custom stages, but there are none.",
        "no-stores": "The list names no store.", "no-such-file": "The file does not exist.",
        "not-a-database": "The file is not an SQLite database.",
        "not-a-mapping-model": "The file is not a mapping model.",
        "not-a-report": "The file is not a report that can be used here.",
        "not-a-store": "The database is not a Core Data store.",
        "not-compiled": "momtool does not compile this version.",
        "nothing-asked": "The report of the Mac confirms nothing.",
        "nothing-recognized": "The text has no error, message or hash of Core Data.",
        "nothing-to-ask": "There are neither models nor cases for a kit.",
        "nothing-to-check": "There is no model here.",
        "object-in-the-way":
            "A table, view or index of the app has a name that the migration needs, or uses something that is removed.",
        "other-mapping-model": "The mapping model is not for this step.",
        "output-is-input": "The output would replace something that the command reads.",
        "program-not-allowed": "A stage runs a program without permission.",
        "read-only-store": "The store cannot be written.",
        "repair-needs-decision": "A repair needs your decision about a loss.",
        "repeated-output": "Two outputs have the same path.",
        "repeated-store": "A store is named twice.",
        "report-too-long": "The report is longer than a message may be.",
        "row-value-out-of-range": "A number in the rows does not fit into its attribute's type.",
        "rows-at-stake": "Rows prevent a migration, or would be changed or lost.",
        "rows-left-out": "Rows of an export have links to rows outside it.",
        "shared-generated-class":
            "Two entities have the same class, so only one could be generated.",
        "sqlite-error": "SQLite reported an error.",
        "stage-branch":
            "Two custom stages start from the same version, or lead to the same version.",
        "stage-check": "A check of a stage found forbidden rows.",
        "stage-gap": "No lightweight step leads from one stage to the next.",
        "stage-handler": "A function of a custom stage failed.",
        "stage-not-lightweight": "A step that is said to be lightweight is not.",
        "stage-script": "A script of a stage failed.",
        "stale-stage-checksum": "The checksum in a stage differs from the model.",
        "store-without-checksum": "A store has no version checksum in its metadata.",
        "swiftdata-hash-differs": "The @Model classes could not open the stores of their source.",
        "swiftdata-inexpressible": "@Model classes cannot express something in the model.",
        "transient-inverse": "A relationship is stored, and its inverse is transient.",
        "truncated-store": "The file of the store ends too early.",
        "unbounded-composite": "Composite types contain themselves, or grow without limit.",
        "unexpected-error": "Something failed unexpectedly.",
        "unexpected-layout": "The tables of the store differ from those of Core Data.",
        "unexpected-rows-shape": "The JSON does not have the shape of rows.",
        "unknown-configuration": "The model has no configuration of this name.",
        "unknown-entity": "The model has no entity of this name.",
        "unknown-index-form": "The form of an index in SQLite is unknown, so it is left out.",
        "unknown-mapped-entity": "A mapping model names an entity that its model does not have.",
        "unknown-property": "The entity stores no property of this name.",
        "unknown-relationship": "There is no many-to-many relationship of this name.",
        "unknown-row-entity": "Rows are given for an entity that the model does not have.",
        "unknown-row-property":
            "A row names a property that its entity does not have, or that is not stored.",
        "unknown-policy": "No mapping model calls a migration policy of this name.",
        "unknown-stage": "There is no custom stage of this name.",
        "unknown-stage-version": "A stage names a version without a model.",
        "unknown-store-version": "No version of the model has the hashes of the store.",
        "unknown-version": "The model has no version of this name, or none that wrote the store.",
        "unknown-version-hash": "The hash of an entity of the new version is unknown.",
        "unlisted-version": "A version of the model is in no stage.",
        "unlocked-edit": "A committed version was edited, and no lock says whether it shipped.",
        "unproven-compiled-form":
            "No known file shows how Apple compiles this; it is written as public interfaces suggest.",
        "unread-store-version": "No readable version wrote the store; an unreadable one may have.",
        "unreadable-mapping-value": "A value of a mapping model is not valid.",
        "unregistered-policy": "No Swift policy is registered under the name in a mapping.",
        "unsuitable-output": "The input cannot become a file of this kind.",
        "unsupported-map": "momtool cannot run a mapping.",
        "unusable-case": "A migration case cannot be run.",
        "unusable-name": "No class, property or function can have this name.",
        "unusable-predicate": "A predicate is not valid, or cannot be evaluated in a store.",
        "unverified-store": "The store could not be verified.",
        "unwritable-folder": "The folder cannot be created or written.",
        "unwritable-output": "The output cannot be written.",
        "usage": "The command line, or the call of a tool, is wrong.",
        "version-added-twice": "Both branches added a version with the same name.",
        "wrong-row-value": "A value in the rows is not of its attribute's type.",
        "wrong-value": "A value is not of its attribute's type.",
    ]
}
