/// Mutations of how models are laid out, locked, merged and read.
extension Mutation {
    static let models = layouts + locks + merges + sources

    private static let numberedModel = "Stores/StoreFormat/Layout/NumberedModel.swift"
    private static let numbered = "entities-are-numbered-by-hierarchy"
    private static let composites = "composites-are-kept-by-their-elements"
    private static let editedLock = "locks-tell-what-was-edited"
    private static let namedLock = "locks-know-versions-by-their-hashes"
    private static let soundLock = "locks-hold-only-what-is-sound"
    private static let contradiction = "merges-tell-contradictions"
    private static let joinedChange = "merges-put-changes-together"
    private static let swiftSource = "swift-sources-are-read-for-a-platform"
    private static let cloudSchema = "cloudkit-schemas-follow-the-model"

    private static let layouts = [
        Mutation(
            "entities are numbered with capital letters first",
            in: numberedModel,
            "$0.name.lowercased().utf16",
            becomes: "$0.name.utf16",
            caughtBy: numbered
        ),
        Mutation(
            "sub-entities are numbered backwards",
            in: numberedModel,
            "below.reversed()",
            becomes: "below",
            caughtBy: numbered
        ),
        Mutation(
            "the elements of a composite stand backwards",
            in: numberedModel,
            "type.namedElements",
            becomes: "type.namedElements.reversed()",
            caughtBy: composites
        ),
        Mutation(
            "the column of an element has the name of its attribute",
            in: "Stores/StoreFormat/Layout/TableLayout.swift",
            "leaf.attribute.name",
            becomes: "leaf.name",
            caughtBy: composites
        ),
        Mutation(
            "what an element requires must be there without its composite",
            in: "Stores/StoreFormat/Verifying/RowChecks.swift",
            "leaf.path.isEmpty",
            becomes: "true",
            caughtBy: composites
        ),
        Mutation(
            "the hash of a composite follows the order of its elements",
            in: "Models/ModelHashing/EntityHashing.swift",
            "precedes($0.name, $1.name)",
            becomes: "false",
            within: "in elements.sorted(by: { precedes($0.name, $1.name) })",
            caughtBy: composites
        ),
        Mutation(
            "history has no columns for inherited values",
            in: "Stores/StoreFormat/Layout/HistoryLayout.swift",
            "numbered.parent(of: position).map { counts[$0] } ?? 0",
            becomes: "0",
            caughtBy: keptInHistory
        ),
        Mutation(
            "history gets no columns for what a new version keeps",
            in: system,
            "missing.map { .schema(.addTombstone($0)) }",
            becomes: "[]",
            caughtBy: keptInHistory
        ),
    ]

    private static let locks = [
        Mutation(
            "a locked version that was edited is not noticed",
            in: "Judgement/ModelChecking/LockChecking.swift",
            "version.hashes != known.hashes",
            becomes: "false",
            caughtBy: editedLock
        ),
        Mutation(
            "the settings of a locked entity are not compared",
            in: "Judgement/ModelChecking/LockedVersionEdits.swift",
            "before.settings != now.settings",
            becomes: "false",
            caughtBy: editedLock
        ),
        Mutation(
            "a property of a locked version that was renamed is taken for a new one",
            in: "Judgement/ModelChecking/LockedVersionEdits.swift",
            "search.isRename(of: property, from: candidate)",
            becomes: "false",
            caughtBy: editedLock
        ),
        Mutation(
            "a locked version is known by its name only",
            in: "Judgement/ModelChecking/ModelLock.swift",
            "version.hashes == locked.hashes",
            becomes: "false",
            caughtBy: namedLock
        ),
        Mutation(
            "a new version may come before those that are locked",
            in: "Judgement/ModelChecking/LockChecking.swift",
            "!known.contains(version.name)",
            becomes: "false",
            caughtBy: namedLock
        ),
        Mutation(
            "the checksums of a lock are not checked",
            in: "Judgement/ModelChecking/ModelLock+Text.swift",
            "version.checksum != version.hashes.checksum",
            becomes: "false",
            caughtBy: soundLock
        ),
        Mutation(
            "a version whose step loses something is locked",
            in: "Library/Momtool/Checking/LockUpdate.swift",
            "losses.isEmpty",
            becomes: "true",
            caughtBy: soundLock
        ),
    ]

    private static let merging = "Models/ModelMerging/"

    private static let merges = [
        Mutation(
            "a type and a default that contradict each other are both merged",
            in: merging + "Vocabulary.swift",
            #"element == "attribute""#,
            becomes: "false",
            caughtBy: contradiction
        ),
        Mutation(
            "what one side changed is gone as the other removed it",
            in: merging + "ChildMerge.swift",
            "isSame || Vocabulary.layout.contains(element.name)",
            becomes: "true",
            caughtBy: contradiction
        ),
        Mutation(
            "sides that do not fit together are merged without a word",
            in: merging + "ContentsMerging.swift",
            "misfits(in: text.bytes, of: sides, path: path)",
            becomes: "[]",
            caughtBy: contradiction
        ),
        Mutation(
            "a merge does not know what was renamed",
            in: merging + "Renaming.swift",
            #"element["elementID"].flatMap({ gone[$0] })"#,
            becomes: "nil",
            caughtBy: joinedChange
        ),
        Mutation(
            "of two tools a merge takes the earlier one",
            in: merging + "AttributeMerge.swift",
            "isLater(two, than: one)",
            becomes: "isLater(one, than: two)",
            caughtBy: joinedChange
        ),
        Mutation(
            "a merge puts later versions of a lock first",
            in: merging + "LockMerging.swift",
            "isVersion(LockBlocks.plain($0), before: LockBlocks.plain($1))",
            becomes: "isVersion(LockBlocks.plain($1), before: LockBlocks.plain($0))",
            caughtBy: joinedChange
        ),
        Mutation(
            "of two current versions a merge takes the earlier one",
            in: merging + "CurrentVersionMerging.swift",
            "isVersion(ours, before: theirs)",
            becomes: "isVersion(theirs, before: ours)",
            caughtBy: joinedChange
        ),
    ]

    private static let sources = [
        Mutation(
            "the original name of a Swift property is not read",
            in: "Models/SwiftDataReading/Properties/EntityDraft.swift",
            "options.originalName",
            becomes: "nil",
            within:
                "isOptional: form.isOptional,\n            renamingIdentifier: options.originalName",
            caughtBy: "swiftdata-attribute-renamed"
        ),
        Mutation(
            "a unique Swift property makes no constraint",
            in: "Models/SwiftDataReading/Properties/EntityDraft.swift",
            "options.isUnique",
            becomes: "false",
            caughtBy: swiftSource
        ),
        Mutation(
            "a Swift source is for all platforms at once",
            in: "Models/SwiftDataReading/Syntax/Conditions.swift",
            "Self.names(platform).contains(name)",
            becomes: "true",
            caughtBy: swiftSource
        ),
        Mutation(
            "an encrypted field of CloudKit has indexes",
            in: "Models/CloudKitSchema/SchemaPredictor.swift",
            "isEncrypted ? [] : options(of: type)",
            becomes: "options(of: type)",
            caughtBy: cloudSchema
        ),
        Mutation(
            "large values have no field in CloudKit",
            in: "Models/CloudKitSchema/SchemaPredictor.swift",
            "attribute.type.row.isVariableLength",
            becomes: "false",
            caughtBy: cloudSchema
        ),
        Mutation(
            "a line of CloudKit's server that is gone is a lost field",
            in: "Models/CloudKitSchema/SchemaComparison.swift",
            "SystemNames.isSystemField(from.name)",
            becomes: "false",
            caughtBy: cloudSchema
        ),
    ]
}
