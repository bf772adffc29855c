/// A message of Core Data, SwiftData, CloudKit or the system, with its meaning and a first advice.
package struct KnownMessage: Sendable, Hashable {
    package enum Evidence: String, Sendable, Hashable {
        /// Apple's or SQLite's documentation says so.
        case documented
        /// Developers who had the message say so in public threads.
        case reported
    }

    /// A short name, which never changes its meaning.
    package var name: String
    /// Any of these parts of a line, or both sides of ` … ` in one; case-sensitive.
    package var phrases: [String]
    /// The codes of the Cocoa domain with that meaning, though no header names them.
    package var codes: [Int] = []
    /// A heading.
    package var title: String
    /// Lower case, no final period.
    package var meaning: String
    /// What to try first; imperative.
    package var advice: String
    /// A command that helps, with `STORE` and `MODEL` for the user's.
    package var command: HelpfulCommand?
    package var evidence = Evidence.reported

    package static let all: [KnownMessage] = models + opening + swiftData + cloudKit + objects

    private static let models: [KnownMessage] = [
        KnownMessage(
            name: "model-loaded-twice",
            phrases: [
                "Multiple NSEntityDescriptions claim",
                "Failed to find a unique match for an NSEntityDescription",
                "appears to be from a different NSManagedObjectModel",
            ],
            title: "one class in several loaded models",
            meaning:
                "the model is loaded more than once, often by a second container; the store is not affected",
            advice:
                "load one NSManagedObjectModel, keep it in a static constant, and give it to every container"
        ),
        KnownMessage(
            name: "class-without-entity",
            phrases: [
                "No NSEntityDescriptions in any model claim",
                "must have a valid NSEntityDescription", "is not a legal NSManagedObjectContext",
                "is not a legal NSPersistentStoreCoordinator", "fetch request must have an entity",
            ],
            title: "no loaded model has an entity of this class",
            meaning: "the container is not loaded yet, or the entity has another class or module",
            advice:
                "load the stores before the first use of the class, and compare class and module in the model"
        ),
        KnownMessage(
            name: "nil-model",
            phrases: [
                "with a nil model", "Failed to find a model with name",
                "Failed to load model named",
            ],
            title: "no model was found",
            meaning:
                "the searched bundle does not contain the compiled model, or it has another name",
            advice:
                "check that the target compiles the model and that its name and bundle are right;"
                + " in a package it is in Bundle.module"
        ),
        KnownMessage(
            name: "no-current-version",
            phrases: ["No current version for model at path"],
            title: "Xcode finds no current version of the model",
            meaning:
                ".xccurrentversion is missing beside the versions, or names a version that does not exist, for example after a merge",
            advice: "set the current version again, and commit .xccurrentversion",
            command: .call(.lint, "MODEL")
        ),
        KnownMessage(
            name: "class-not-found",
            phrases: ["Unable to load class named", "match the Swift Array Element type"],
            title: "the class of an entity is not found",
            meaning:
                "objects are plain NSManagedObject: the module or the generated class is missing; the store is not affected",
            advice: "set the module to that of the app, or generate the class",
            command: .call(.generate, "MODEL", .output("Classes"))
        ),
        KnownMessage(
            name: "no-such-key-path",
            phrases: ["not found in entity", "UndefinedKey:]: the entity "],
            title: "a fetch or a key names a property that its entity lacks",
            meaning: "the entity has no property of that name",
            advice: "compare predicates, sort descriptors and keys with the current model"
        ),
        KnownMessage(
            name: "to-many-key",
            phrases: ["to-many key not allowed here"],
            title: "a predicate or sort order goes through a to-many relationship",
            meaning: "SQL needs one value for each object there, and the relationship has many",
            advice: "use ANY, ALL, SUBQUERY or an aggregate such as @count, or sort after the fetch"
        ),
        KnownMessage(
            name: "class-generated-twice",
            phrases: ["Multiple commands produce … +CoreData"],
            title: "a class exists twice",
            meaning: "Xcode generates the class of an entity that the target has as a file too",
            advice: "set the entity's code generation to manual, or delete the file"
        ),
        KnownMessage(
            name: "model-not-compiled",
            phrases: ["cdtool cannot compile"],
            title: "Xcode does not compile the model",
            meaning: "the model compiler failed without naming the reason",
            advice: "undo the last changes of the model one by one, and check it",
            command: .call(.lint, "MODEL")
        ),
        KnownMessage(
            name: "class-not-allowed",
            phrases: ["not among allowed top level class list"],
            title: "a transformable value has a class that its transformer does not allow",
            meaning: "reading or saving the value ends the app; the stored bytes are kept",
            advice: "register a subclass of NSSecureUnarchiveFromDataTransformer that allows it"
        ),
    ]

    private static let opening: [KnownMessage] = [
        KnownMessage(
            name: "no-store-loaded",
            phrases: ["has no persistent stores"],
            title: "no store is loaded",
            meaning:
                "loading the stores failed before, or has not ended; nothing is saved or fetched",
            advice: "look for the error that loading the stores gave: it names the reason"
        ),
        KnownMessage(
            name: "file-not-opened",
            phrases: ["” couldn’t be opened", "\u{22} couldn't be opened"],
            title: "a file could not be opened",
            meaning:
                "the system's text for another error: the file is missing, locked, unreadable or not a database, or"
                + " lacks a table or column of the model",
            advice:
                "look for an error code or a line of SQLite nearby, and verify a copy of the store",
            command: .call(.verify, "STORE", .model("MODEL"))
        ),
        KnownMessage(
            name: "history-tracking-off",
            phrases: ["opened without NSPersistentHistoryTrackingKey"],
            title: "persistent history was on for this store and is now off",
            meaning:
                "Core Data opens it read-only, because another process may rely on its history",
            advice:
                "set NSPersistentHistoryTrackingKey in every process that opens the store; to stop history tracking,"
                + " first delete the history while the key is set, with NSPersistentHistoryChangeRequest.deleteHistory(before:)"
        ),
        KnownMessage(
            name: "history-truncated",
            phrases: ["has to be truncated due to the following entities being removed"],
            title: "persistent history ends at a removed entity",
            meaning:
                "a migration removed an entity, and Core Data deletes the history before it; the objects of others are kept",
            advice:
                "let every reader of the history read all objects again when its token has expired",
            command: .call(.inspect, "STORE", .history)
        ),
        KnownMessage(
            name: "current-version-not-listed",
            phrases: ["unknown coordinator model version"],
            title: "134504: no stage lists the app's current model",
            meaning:
                "the app opens the store with a model that its stages do not list: a version that was added without a stage,"
                + " or other classes than those of the plan's last version; the store is not at fault",
            advice:
                "list the current version in the last stage, and give the container the classes of the plan's last version",
            command: .call(.lint, "MODEL")
        ),
        KnownMessage(
            name: "equal-stage-versions",
            phrases: ["current model reference and the next model reference cannot be equal"],
            title: "a custom stage leads from a version to itself",
            meaning:
                "both model references of the stage have one checksum: the versions have equal hashes",
            advice: "name two versions that differ, or give one entity a version hash modifier",
            command: .call(.lint, "MODEL")
        ),
        KnownMessage(
            name: "migration-off",
            phrases: [
                "NSMigratePersistentStoresAutomaticallyOption = 0",
                "NSMigratePersistentStoresAutomaticallyOption = NO",
            ],
            title: "automatic migration is off",
            meaning:
                "the store is opened with options that forbid migration: a store of any other version fails with 134100",
            advice:
                "set shouldMigrateStoreAutomatically and shouldInferMappingModelAutomatically of the description",
            evidence: .documented
        ),
        KnownMessage(
            name: "store-added-twice",
            phrases: ["Can't add the same store twice"],
            codes: [134081],
            title: "one file is added twice to a coordinator",
            meaning:
                "the stores are loaded twice, or two descriptions have one URL; the data is not touched",
            advice: "load the stores once, and give each description its own URL"
        ),
        KnownMessage(
            name: "save-failed",
            phrases: ["NSPersistentStoreSaveError"],
            codes: [134030],
            title: "134030 NSPersistentStoreSaveError",
            meaning: "a save failed; the underlying error says why",
            advice: "look at the underlying error, often one of SQLite",
            evidence: .documented
        ),
        KnownMessage(
            name: "history-token-expired",
            phrases: ["NSPersistentHistoryTokenExpiredError"],
            codes: [134301],
            title: "134301 NSPersistentHistoryTokenExpiredError",
            meaning:
                "the history that a stored token points to was deleted, or belongs to another store",
            advice:
                "discard the token, read all objects again, and continue from the current token",
            evidence: .documented
        ),
        KnownMessage(
            name: "lock-while-suspended",
            phrases: ["0xdead10cc", "0xDEAD10CC"],
            title: "0xdead10cc",
            meaning:
                "the system ended the app because it held a file lock in a shared folder while suspended; the file is not damaged",
            advice:
                "finish writes, or protect them with a background task, before the app is suspended",
            evidence: .documented
        ),
        KnownMessage(
            name: "other-store-type",
            phrases: ["no such table: ecd"],
            title: "a store of encrypted-core-data",
            meaning: "the names of its tables begin with 'ecd'",
            advice: "use that library's own tools; momtool cannot work on this file"
        ),
    ]

    private static let cloudKit: [KnownMessage] = [
        KnownMessage(
            name: "no-account",
            phrases: ["without an iCloud account", "CKAccountStatusNoAccount"],
            codes: [134400],
            title: "134400: not signed in to iCloud",
            meaning:
                "the store works locally and is mirrored once the user signs in; the model is not at fault",
            advice: "do not show it as an error; watch for a change of the account"
        ),
        KnownMessage(
            name: "store-removed",
            phrases: ["because the store was removed from the coordinator"],
            codes: [134407],
            title: "134407: the store was removed during a request",
            meaning: "a follow-up error: two containers share the store, or one was loaded twice",
            advice: "keep one container alive for as long as the app runs"
        ),
        KnownMessage(
            name: "mirroring",
            phrases: ["Failed to set up CloudKit integration"],
            codes: Array(134401...134406) + Array(134408...134422),
            title: "mirroring to CloudKit reports an error",
            meaning:
                "an internal error of mirroring (134400 to 134422); the text and the underlying error name it",
            advice:
                "read the underlying CKError, and check that only one container mirrors the store"
        ),
        KnownMessage(
            name: "not-queryable",
            phrases: ["is not marked queryable"],
            title: "a field of CloudKit has no queryable index",
            meaning: "a query in the console or in code needs the index; mirroring itself does not",
            advice: "add a queryable index to the field of this record type in CloudKit Console"
        ),
    ]

    private static let objects: [KnownMessage] = [
        KnownMessage(
            name: "missing-object",
            phrases: ["could not fulfill a fault"],
            codes: [133000],
            title: "an object refers to a deleted row",
            meaning:
                "the row was deleted elsewhere while the object was in use, or a link leads to a missing row",
            advice: "check the store for links to missing rows",
            command: .call(.verify, "STORE", .model("MODEL"))
        ),
        KnownMessage(
            name: "row-without-value",
            phrases: ["is missing mandatory "],
            title: "a row has no value for a mandatory attribute",
            meaning:
                "the column is NULL, often since a migration or a write past Core Data; the object can be neither read nor saved",
            advice:
                "count such rows, and give them a value in a stage before the attribute is read",
            command: .call(.verify, "STORE", .model("MODEL"), .validating)
        ),
        KnownMessage(
            name: "length-only",
            phrases: [": 32 bytes"],
            title: "version hashes without their bytes",
            meaning: "Swift prints only the length of a hash, so it cannot be compared",
            advice: "get the store itself, or print base64EncodedString() of each hash"
        ),
        KnownMessage(
            name: "no-entities",
            phrases: ["NSStoreModelVersionHashes = { };", "NSStoreModelVersionHashes = {};"],
            title: "the store was made with an empty model",
            meaning: "it has no entity, so it cannot hold an object",
            advice:
                "load the model before you add the first store, then delete this file and create it again"
        ),
    ]
}
