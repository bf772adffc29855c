import Essentials

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
    /// Any of these parts of a line; case-sensitive.
    package var phrases: [String]
    /// The codes of the Cocoa domain with that meaning, though no header names them.
    package var codes: [Int]
    /// A heading.
    package var title: String
    /// Lower case, no final period.
    package var meaning: String
    /// What to try first; imperative.
    package var advice: String
    /// A command that helps, with `STORE` and `MODEL` for the user's.
    package var command: HelpfulCommand?
    package var evidence: Evidence

    package static let all: [KnownMessage] = models + opening + swiftData + cloudKit + objects

    /// Reads messages: `NAME: TITLE`; what they say and mean; what to try, and to run; codes; the evidence.
    static func read(_ text: String) -> [KnownMessage] {
        TextRow.rows(of: text).map { row in
            let fields = row.fields("says", "codes", "means", "try", "run", "by")
            return KnownMessage(
                name: row.name,
                phrases: fields["says", default: ""].split { "«»".contains($0) }.map(String.init)
                    .filter { $0 != " " },
                codes: fields["codes", default: ""].split(separator: " ").flatMap { range in
                    let ends = range.split(separator: "-").compactMap { Int($0) }
                    return Array(ends[0]...ends[ends.count - 1])
                },
                title: row.title,
                meaning: fields["means", default: ""],
                advice: fields["try", default: ""],
                command: fields["run"].flatMap(HelpfulCommand.named),
                evidence: fields["by"].flatMap(Evidence.init) ?? .reported
            )
        }
    }

    private static let models = read(
        """
        model-loaded-twice: one class in several loaded models
          says: «Multiple NSEntityDescriptions claim» «Failed to find a unique match for an NSEntityDescription»
          means: the model is loaded more than once, often by a second container; the store is not affected
          try: load one NSManagedObjectModel, keep it in a static constant, and give it to every container
        class-without-entity: no loaded model has an entity of this class
          says: «No NSEntityDescriptions in any model claim»
            «must have a valid NSEntityDescription»
            «is not a legal NSManagedObjectContext»
            «is not a legal NSPersistentStoreCoordinator»
          means: the container is not loaded yet, or the entity has another class or module
          try: load the stores before the first use of the class, and compare class and module in the model
        nil-model: no model was found
          says: «with a nil model» «Failed to find a model with name» «Failed to load model named»
          means: the searched bundle does not contain the compiled model, or it has another name
          try: check that the target compiles the model and that its name and bundle are right; in a package it is in
          Bundle.module
        no-current-version: Xcode finds no current version of the model
          says: «No current version for model at path»
          means: .xccurrentversion is missing beside the versions, or names a version that does not exist, for example
          after a merge
          try: set the current version again, and commit the file .xccurrentversion beside the versions
          run: lint
        class-not-found: the class of an entity is not found
          says: «Unable to load class named»
          means: objects are plain NSManagedObject: the module or the generated class is missing; the store is not
          affected
          try: set the module to that of the app, or generate the class
          run: generate
        no-such-key-path: a fetch names a property that its entity lacks
          says: «not found in entity»
          means: the entity has no property of that name; the store is not affected
          try: compare predicates and sort descriptors with the current version of the model
        """
    )

    private static let opening = read(
        """
        no-store-loaded: no store is loaded
          says: «has no persistent stores»
          means: loading the stores failed before, or has not ended; nothing is saved or fetched
          try: look for the error that loading the stores gave: it names the reason
        file-not-opened: a file could not be opened
          says: «” couldn’t be opened» «" couldn't be opened»
          means: the system's text for another error: the file is missing, locked, unreadable or not a database, or a
          table or column of the model is missing in the store
          try: look for an error code or a line of SQLite nearby, and verify a copy of the store
          run: verify
        history-tracking-off: persistent history was on for this store and is now off
          says: «opened without NSPersistentHistoryTrackingKey»
          means: Core Data opens it read-only, because another process may rely on its history
          try: set NSPersistentHistoryTrackingKey in every process that opens the store; to stop history tracking on
          purpose, first delete the history while the key is set, with
          NSPersistentHistoryChangeRequest.deleteHistory(before:)
        history-truncated: persistent history ends at a removed entity
          says: «has to be truncated due to the following entities being removed»
          means: a migration removed an entity, and Core Data deletes the history before it; the objects of others are
          kept
          try: let every reader of the history read all objects again when its token has expired
          run: inspect --history
        current-version-not-listed: 134504: no stage lists the app's current model
          says: «unknown coordinator model version»
          means: the app opens the store with a model that its stages do not list: a version that was added without a
          stage, or other classes than those of the plan's last version; the store is not at fault
          try: list the current version in the last stage, and give the container the classes of the plan's last
          version
          run: lint
        equal-stage-versions: a custom stage leads from a version to itself
          says: «current model reference and the next model reference cannot be equal»
          means: both model references of the stage have one checksum: the versions have equal hashes
          try: name two versions that differ, or give one entity a version hash modifier
          run: lint
        migration-off: automatic migration is off
          says: «NSMigratePersistentStoresAutomaticallyOption = 0» «NSMigratePersistentStoresAutomaticallyOption = NO»
          means: the store is opened with options that forbid migration: a store of any other version fails with
          134100
          try: set shouldMigrateStoreAutomatically and shouldInferMappingModelAutomatically of the description
          by: documented
        store-added-twice: one file is added twice to a coordinator
          says: «Can't add the same store twice»
          codes: 134081
          means: the stores are loaded twice, or two descriptions have one URL; the data is not touched
          try: load the stores once, and give each description its own URL
        save-failed: 134030 NSPersistentStoreSaveError
          says: «NSPersistentStoreSaveError»
          codes: 134030
          means: a save failed; the underlying error says why
          try: look at the underlying error, often one of SQLite
          by: documented
        history-token-expired: 134301 NSPersistentHistoryTokenExpiredError
          says: «NSPersistentHistoryTokenExpiredError»
          codes: 134301
          means: the history that a stored token points to was deleted, or belongs to another store
          try: discard the token, read all objects again, and continue from the current token
          by: documented
        lock-while-suspended: 0xdead10cc
          says: «0xdead10cc» «0xDEAD10CC»
          means: the system ended the app because it held a file lock in a shared folder while suspended; the file is
          not damaged
          try: finish writes, or protect them with a background task, before the app is suspended
          by: documented
        other-store-type: a store of encrypted-core-data
          says: «no such table: ecd»
          means: the names of its tables begin with 'ecd': Core Data's own SQLite stores do not look like this
          try: use that library's own tools; momtool cannot work on this file
        """
    )

    private static let cloudKit = read(
        """
        no-account: 134400: not signed in to iCloud
          says: «without an iCloud account» «CKAccountStatusNoAccount»
          codes: 134400
          means: the store works locally and is mirrored once the user signs in; the model is not at fault
          try: do not show it as an error; watch for a change of the account
        store-removed: 134407: the store was removed during a request
          says: «because the store was removed from the coordinator»
          codes: 134407
          means: a follow-up error: two containers share the store, or one was loaded twice
          try: keep one container alive for as long as the app runs
        mirroring: mirroring to CloudKit reports an error
          says: «Failed to set up CloudKit integration»
          codes: 134401-134406 134408-134422
          means: an internal error of mirroring (134400 to 134422); the text and the underlying error name it
          try: read the underlying CKError, and check that only one container mirrors the store
        not-queryable: a field of CloudKit has no queryable index
          says: «is not marked queryable»
          means: a query in the console or in code needs the index; mirroring itself does not
          try: add a queryable index to the field of this record type in CloudKit Console
        """
    )

    private static let objects = read(
        """
        missing-object: an object refers to a deleted row
          says: «could not fulfill a fault»
          codes: 133000
          means: the row was deleted elsewhere while the object was in use, or a link leads to a missing row
          try: check the store for links to missing rows
          run: verify
        row-without-value: a row has no value for a mandatory attribute
          says: «is missing mandatory »
          means: the column is NULL, often since a migration or a write past Core Data; the object can be neither read
          nor saved as the model says
          try: count such rows, and give them a value in a stage before the attribute is read
          run: verify --validate
        length-only: version hashes without their bytes
          says: «: 32 bytes»
          means: Swift prints only the length of a hash, so it cannot be compared
          try: get the store itself, or print base64EncodedString() of each hash
        no-entities: the store was made with an empty model
          says: «NSStoreModelVersionHashes = { };» «NSStoreModelVersionHashes = {};»
          means: it has no entity, so it cannot hold an object
          try: load the model before you add the first store, then delete this file and create it again
        """
    )
}
