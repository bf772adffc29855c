/// An ID in brackets that is no rule of lint: that of a refusal, or of a finding in a store.
package struct OtherIdentifier: Sendable, Encodable, Rendering {
    private let rule: String
    private let summary: String
    private let rationale: String

    /// Looks an ID up; `nil` for an unknown one.
    package init?(_ rule: String) {
        guard let summary = Self.meanings[rule] else { return nil }
        (self.rule, self.summary) = (rule, summary)
        rationale =
            "No rule of lint: it cannot be set or ignored. The message says what is wrong, and the lines below it "
            + "what helps."
    }

    package func rendered(as format: ReportFormat) -> String {
        format == .json ? json(self) : "\(rule)\n\n\(summary)\n\n\(wrapped(rationale))"
    }

    package static let meanings: [String: String] = [
        "abstract-entity-row": "A row of the store is of an abstract entity.",
        "backward-migration":
            "The version of the store comes after the one that it was to be migrated to.",
        "backward-stage":
            "A stage leads to an older version, or follows one that starts from a newer one.",
        "broken-case": "A file of a migration case is not understood.",
        "broken-inverse-pair":
            "The two sides of a one-to-one relationship do not point at each other.",
        "cannot-create": "Nothing can be created at this path.",
        "cascade-orphan":
            "A row was left behind when the owner that should have taken it along was deleted.",
        "collapsed-stages": "Core Data walks the stages otherwise than they read.",
        "contradicting-links": "The two sides of a relationship say different things in the rows.",
        "damaged-database": "SQLite's own check of the file found a fault.",
        "damaged-metadata": "The metadata of the store cannot be read.",
        "damaged-model-cache": "The model in the store cannot be read.",
        "damaged-store": "The store has damage that stands against the migration.",
        "damaged-value": "A stored value is not of the form that its type has.",
        "dangling-name": "A name in the model leads to no entity, property or composite type.",
        "dangling-reference":
            "A row points at an object that does not exist, or is of another entity.",
        "dangling-row-reference": "A reference in the rows leads to no row.",
        "deny-violated":
            "An object was deleted although rows that should have prevented it point at it.",
        "destination-count":
            "A to-many relationship has fewer or more destinations than the model allows.",
        "duplicate-link": "A join table has a link more than once.",
        "duplicate-mapping": "A mapping model has two entity mappings of one name.",
        "duplicate-row-id": "Two rows of an entity have one @id.",
        "duplicate-row-value": "Given rows share values that a uniqueness constraint keeps apart.",
        "duplicate-stage-checksum": "Two stages, or two versions, have one checksum.",
        "duplicate-value":
            "Rows of the store share values that a uniqueness constraint keeps apart.",
        "edited-version":
            "A version that shipped is changed, or was: it has other hashes than in the lock.",
        "entity-numbers": "The store numbers its entities otherwise than the model.",
        "enum-value-unknown": "No case of the enum that an attribute holds has the value.",
        "existing-case": "There is a case of this name already.",
        "failure": "The command failed.",
        "file-exists": "There is a file already, and it is not replaced.",
        "foreign-entity-number":
            "A row has the number of an entity that does not live in its table.",
        "guessed-join-table": "Core Data may look for a join table under another name.",
        "hard-linked-store": "The file of the store has several names.",
        "heavy-history": "Most of the file is persistent history.",
        "house-rule-example": "An example of a house rule does not do what it says.",
        "impossible-edit": "The model cannot be changed like this, or not now.",
        "inaccessible-file": "The system does not let the file be read or written.",
        "incomplete-model":
            "A part of the model is not understood, and so its classes are not whole.",
        "inexpressible-in-source":
            "A source of a model has no place for something in the compiled model.",
        "interrupted": "The command was interrupted; a store is as it was.",
        "invalid-baseline": "The file of known findings is not understood.",
        "invalid-configuration": "The settings in .momtool.yml are not understood.",
        "invalid-external-value":
            "A value that may live beside the store does not say where it lives.",
        "invalid-json": "The text is no JSON.",
        "invalid-stages-file": "A stages file or a map is not understood.",
        "invalid-text": "A stored text is not UTF-8.",
        "kept-order":
            "Links kept an order that Core Data loses where a relationship becomes many-to-many.",
        "key-above-maximum": "A key is greater than the greatest one that was handed out.",
        "left-out-of-kit": "Something is not part of the kit.",
        "malformed-property-list": "A property list is not understood.",
        "mapping-policy": "A mapping model hands an entity to a class of its own.",
        "migration-check": "A check after the migration failed; the store is as it was.",
        "missing-column": "A column that the model needs is not in the store.",
        "missing-destination": "A required relationship has no destination.",
        "missing-external-file": "A value points at a file beside the store that is not there.",
        "missing-index": "An index that the model needs is not in the store.",
        "missing-primary-key":
            "A table of a many-to-many relationship has no primary key, so that it may have a link twice.",
        "missing-row-value": "A required property is left out of the rows.",
        "missing-table": "A table that the model needs is not in the store.",
        "missing-trigger": "A trigger that the model needs is not in the store.",
        "missing-uuid": "The metadata have no UUID of the store.",
        "missing-value": "A required attribute has no value.",
        "needless-custom-stage": "A custom stage has no work to do.",
        "no-cases": "There is no case to run, and no example to try.",
        "no-model": "No model is named, and none is found.",
        "no-plan": "The Swift sources hold no SchemaMigrationPlan, or not the one that is named.",
        "no-room": "There is not enough room on the disk.",
        "no-rows": "A store has no rows, and may have lost them.",
        "no-stages": "Something is meant for custom stages, and there are none.",
        "no-stores": "The list names no store.",
        "no-such-file": "There is no such file.",
        "not-a-database": "The file is no SQLite database.",
        "not-a-mapping-model": "The file is no mapping model.",
        "not-a-report": "The file is no report that can be used here.",
        "not-a-store": "The database is no store of Core Data.",
        "not-compiled": "A version is not compiled here.",
        "nothing-asked": "The report of the Mac decides nothing.",
        "nothing-recognized": "Nothing in the text was said by Core Data.",
        "nothing-to-ask": "There are neither models nor cases to make a kit of.",
        "nothing-to-check": "There is no model here.",
        "object-in-the-way":
            "A table, view or index of the app has a name that the migration needs, or names what goes.",
        "order-key":
            "A row of an ordered relationship has no order key, or shares it with another.",
        "orphaned-change":
            "A change in persistent history has no transaction, or no entity of the model.",
        "other-mapping-model": "The mapping model is not for this step.",
        "other-model": "The store is not one of this model.",
        "output-is-input": "The output would replace something that the command reads.",
        "ownerless-row": "A row belongs to no object that would delete it with itself.",
        "pattern-not-checked": "A pattern of the model is none, or takes too long.",
        "pattern-not-matched": "A text does not match the pattern that the model sets.",
        "program-not-allowed": "A stage starts a program, and that was not allowed.",
        "read-only-store": "The store cannot be written.",
        "removed-command":
            "A command, an option or a value was removed, and something else serves.",
        "repair-needs-decision": "What a repair would lose is yours to decide.",
        "repeated-output": "Two outputs have one path.",
        "repeated-store": "A store is named twice.",
        "report-too-long": "The report is longer than a message may be.",
        "row-value-out-of-range": "A number in the rows does not fit its attribute's type.",
        "rows-at-stake": "Rows stand against a migration, or would lose something.",
        "rows-left-out": "Rows of an export have links to rows that it leaves out.",
        "shared-external-file":
            "A file beside the store belongs to two values, and goes with either.",
        "shared-generated-class":
            "Two entities have one class, of which only one could be generated.",
        "sqlite-error": "SQLite could not do what it was asked.",
        "stage-branch": "Two custom stages start from one version, or lead to one.",
        "stage-check": "A check of a stage found rows that it must not find.",
        "stage-gap": "No lightweight step leads from one stage to the next.",
        "stage-handler": "A function of a custom stage failed.",
        "stage-not-lightweight": "A step that is said to be lightweight is not.",
        "stage-script": "A script of a stage failed.",
        "stale-entity-name":
            "The store knows an entity by the name that it had before a migration.",
        "stale-stage-checksum": "The checksum that a stage names is not that of the model.",
        "store-in-use": "Another process has the store open.",
        "store-without-checksum": "A store has no version checksum in its metadata.",
        "surplus-column": "The store has a column that the model does not explain.",
        "surplus-external-file": "A file beside the store belongs to no value.",
        "surplus-index": "The store has an index that the model does not explain.",
        "surplus-table": "The store has a table that the model does not explain.",
        "surplus-trigger": "The store has a trigger that the model does not explain.",
        "swiftdata-hash-differs":
            "The @Model classes would open no store of what they were written from.",
        "swiftdata-inexpressible": "@Model classes cannot say something that is in the model.",
        "transient-inverse": "A relationship is stored, and its inverse is transient.",
        "truncated-store": "The file of the store ends too early.",
        "unbounded-composite": "Composite types contain themselves, or multiply without measure.",
        "unexpected-error": "Something failed that nothing was prepared for.",
        "unexpected-layout": "The tables of the store are not as Core Data makes them.",
        "unexpected-rows-shape": "The JSON has another shape than rows have.",
        "unknown-configuration": "The model has no configuration of this name.",
        "unknown-entity": "The model has no entity of this name.",
        "unknown-index-form": "The form of an index in SQLite is not known, and it is left out.",
        "unknown-mapped-entity": "A mapping model names an entity that its model does not have.",
        "unknown-property": "The entity stores no property of this name.",
        "unknown-relationship": "There is no many-to-many relationship of this name.",
        "unknown-row-entity": "Rows are given for an entity that the model does not have.",
        "unknown-row-property":
            "A row names a property that its entity does not have, or that is not stored.",
        "unknown-policy": "No mapping model calls a migration policy of this name.",
        "unknown-stage": "There is no custom stage of this name.",
        "unknown-stage-version": "A stage names a version that there is no model of.",
        "unknown-store-version": "No version of the model has the hashes of the store.",
        "unknown-version": "The model has no version of this name, or none that wrote the store.",
        "unknown-version-hash": "The hash of an entity of the new version is not known.",
        "unlisted-version": "A version of the model is in no stage.",
        "unlocked-edit":
            "A version that is committed was edited, and no lock says whether it has shipped.",
        "unproven-compiled-form":
            "No known file shows how Apple compiles this; it is written as public interfaces suggest.",
        "unread-store-version":
            "The store is of no version that can be read, and may be of one that cannot.",
        "unreadable-mapping-value": "A value of a mapping model is not understood.",
        "unregistered-policy": "No Swift policy is registered under the name that a mapping has.",
        "unsuitable-output": "The input does not become a file of this kind.",
        "unsupported-map": "A mapping cannot be carried out.",
        "untold-settings": "A store does not tell everything of its model.",
        "unusable-case": "A migration case cannot be run.",
        "unusable-name": "No class, property or function can have this name.",
        "unusable-predicate": "A predicate is not understood, or cannot be asked of a store.",
        "unverified-store": "The store could not be verified.",
        "unwritable-folder": "The folder cannot be created or written.",
        "unwritable-output": "The output cannot be written.",
        "usage": "The command line, or the call of a tool, is wrong.",
        "value-outside-limits": "A value is outside of the limits that the model sets.",
        "version-added-twice": "Both branches added a version of one name.",
        "wrong-entity-column":
            "The entity number beside a to-one key is not that of the destination.",
        "wrong-row-value": "A value in the rows is not of its attribute's type.",
        "wrong-type": "A stored value is not of its attribute's type.",
        "wrong-value": "A value is not of its attribute's type.",
    ]
}
