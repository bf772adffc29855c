extension Mutation {
    static let all = [
        Mutation.of(
            "Judgement/LogReading/HashFragment.swift",
            ("matches", .negate(2), "LogReadingTests")
        ),
        Mutation.of(
            "Judgement/LogReading/SQLiteCode.swift",
            ("known", .negate(2), "LogReadingTests")
        ),
        Mutation.of(
            "Judgement/LogReading/SymptomReading.swift",
            ("codes", .negate(2), "LogReadingTests"),
            ("codes", .negate(6), "LogReadingTests"),
            ("symptoms", .negate(5), "LogReadingTests")
        ),
        Mutation.of(
            "Judgement/MappingInference/AttributeInference.swift",
            ("isMissing", .negate(1), "attribute-added-mandatory-without-default"),
            ("map", .negate(1), "optional-becomes-mandatory-with-default")
        ),
        Mutation.of(
            "Judgement/MappingInference/RelationshipInference.swift",
            ("relationshipMappings", .negate(4), "to-one-added-mandatory")
        ),
        Mutation.of(
            "Judgement/ModelChecking/LockChecking.swift",
            ("lockFindings", .negate(1), "Lock"),
            ("orderFindings", .negate(4), "Lock")
        ),
        Mutation.of(
            "Judgement/ModelChecking/LockedVersionEdits.swift",
            ("describe", .negate(3), "Lock"),
            ("entityFindings", .negate(2), "Lock")
        ),
        Mutation.of(
            "Judgement/ModelChecking/ModelLock+Text.swift",
            ("finishVersion", .negate(3), "Lock")
        ),
        Mutation.of("Judgement/ModelChecking/ModelLock.swift", ("isSame", .negate(1), "Lock")),
        Mutation.of(
            "Judgement/ModelDiffing/WriterChoice.swift",
            ("init", .negate(4), "ModelDiffingTests"),
            ("init", .negate(6), "ModelDiffingTests")
        ),
        Mutation.of(
            "Library/Diagnosing/Diagnosing.swift",
            ("ownModel", .negate(2), "DiagnosisTests"),
            ("writers", .negate(1), "DiagnosisTests"),
            ("writers", .negate(5), "DiagnosisTests")
        ),
        Mutation.of("Library/Diagnosing/FileDamage.swift", ("words", .negate(5), "DiagnosisTests")),
        Mutation.of("Library/Diagnosing/WaysOut.swift", ("waysOut", .negate(19), "DiagnosisTests")),
        Mutation.of(
            "Library/Momtool/Checking/LockUpdate.swift",
            ("require", .negate(1), "TranscriptTests")
        ),
        Mutation.of(
            "Models/CloudKitSchema/SchemaPredictor.swift",
            ("add", .negate(2), "CloudKitSchemaTests"),
            ("add", .negate(3), "CloudKitSchemaTests")
        ),
        Mutation.of(
            "Models/ModelEditing/EditDifference.swift",
            ("rename", .change(3), "ModelEditingTests")
        ),
        Mutation.of(
            "Models/ModelEditing/FreshElements.swift",
            ("freshAttribute", .change(16), "ModelEditingTests"),
            ("freshRelationship", .negate(3), "ModelEditingTests")
        ),
        Mutation.of(
            "Models/ModelEditing/SourceEditor+Renaming.swift",
            ("relationships", .negate(1), "ModelEditingTests"),
            ("rename", .change(5), "ModelEditingTests"),
            ("rename", .negate(7), "ModelEditingTests"),
            ("renameMentions", .negate(3), "ModelEditingTests"),
            ("renameMentions", .negate(4), "ModelEditingTests")
        ),
        Mutation.of(
            "Models/ModelEditing/SourceEditor+Setting.swift",
            ("completed", .drop(4), "ModelEditingTests"),
            ("completed", .negate(9), "ModelEditingTests")
        ),
        Mutation.of(
            "Models/ModelEditing/SourceEditor.swift",
            ("remove", .negate(5), "ModelEditingTests"),
            ("remove", .negate(6), "ModelEditingTests")
        ),
        Mutation.of(
            "Models/ModelEditing/SourcePlacement.swift",
            ("insert", .change(3), "ModelEditingTests")
        ),
        Mutation.of(
            "Models/ModelMerging/AttributeMerge.swift",
            ("sideOfValue", .negate(8), "ModelMergingTests")
        ),
        Mutation.of(
            "Models/ModelMerging/ChildMerge.swift",
            ("kept", .negate(1), "ModelMergingTests")
        ),
        Mutation.of(
            "Models/ModelMerging/VersionAdvice.swift",
            ("mergeCurrentVersion", .negate(5), "ModelMergingTests")
        ),
        Mutation.of(
            "Models/ModelMerging/Renaming.swift",
            ("renamed", .change(6), "ModelMergingTests")
        ),
        Mutation.of(
            "Models/ModelMerging/Vocabulary.swift",
            ("entangled", .negate(2), "ModelMergingTests")
        ),
        Mutation.of(
            "Models/SwiftDataReading/Properties/EntityReading.swift",
            ("add", .negate(2), "SwiftDataReadingTests")
        ),
        Mutation.of(
            "Stores/RowExchange/Queries/ExpressionTranslation.swift",
            ("collectionValue", .drop(1), "derived-count-added")
        ),
        Mutation.of(
            "Stores/StoreFormat/Files/WorkFile.swift",
            ("copyExternalData", .negate(1), "large-binary-kept-in-its-file")
        ),
        Mutation.of(
            "Stores/StoreFormat/Layout/HistoryLayout.swift",
            ("tombstoneCount", .change(1), "StoreFormatTests")
        ),
        Mutation.of(
            "Stores/StoreFormat/Layout/NumberedModel.swift",
            ("walk", .drop(5), "StoreFormatTests")
        ),
        Mutation.of(
            "Stores/StoreFormat/Verifying/HandedOutKeys.swift",
            ("handedOutKeys", .change(2), "StoreFormatTests"),
            ("handedOutKeys", .negate(1), "StoreFormatTests"),
            ("handedOutKeys", .negate(2), "StoreFormatTests")
        ),
        Mutation.of(
            "Stores/StoreFormat/Verifying/RowChecks.swift",
            ("addValueChecks", .negate(2), "StoreFormatTests")
        ),
        Mutation.of(
            "Stores/StoreMigration/Asking/LinkLosses+Room.swift",
            ("crowding", .negate(2), "to-many-becomes-to-one-with-links-to-lose")
        ),
        Mutation.of(
            "Stores/StoreMigration/Building/EntityCorrespondence.swift",
            (
                "namingRelationships", .negate(3),
                "self-many-to-many-keeps-the-side-that-names-its-table"
            )
        ),
        Mutation.of(
            "Stores/StoreMigration/Building/LinkPlan+Counts.swift",
            ("kept", .negate(5), "many-to-many-named-by-its-other-side"),
            ("kept", .negate(6), "many-to-many-becomes-ordered-on-its-other-side"),
            ("kept", .negate(7), "many-to-many-becomes-ordered")
        ),
        Mutation.of(
            "Stores/StoreMigration/Building/LinkPlan.swift",
            ("survival", .negate(1), "many-to-many-loses-links-to-a-removed-sub-entity")
        ),
        Mutation.of(
            "Stores/StoreMigration/Building/MappedLinks.swift",
            ("restlessEntities", .negate(1), "stages-a-map-leaves-out-friends")
        ),
        Mutation.of(
            "Stores/StoreMigration/Building/ProgramBuilder+Maps.swift",
            ("greatestKey", .change(2), "stages-a-map-makes-two-objects-of-one"),
            ("resolvingExpressions", .negate(1), "stages-a-map-makes-homes-of-city-names")
        ),
        Mutation.of(
            "Stores/StoreMigration/Building/SystemTransfer.swift",
            ("cloudTables", .negate(1), "history-and-mirroring-follow-the-entity-numbers"),
            ("historySteps", .change(2), "history-and-mirroring-follow-the-entity-numbers"),
            ("renumberingSteps", .negate(3), "history-and-mirroring-follow-the-entity-numbers")
        ),
        Mutation.of(
            "Stores/StoreMigration/Building/TableTransfer.swift",
            ("updates", .negate(1), "attribute-replaced-by-another-of-its-type")
        ),
        Mutation.of(
            "Stores/StoreMigration/Repair/RepairScan+Entities.swift",
            ("isPossible", .drop(1), "Repair"),
            ("isPossible", .negate(6), "Repair"),
            ("scanNumbers", .negate(3), "Repair"),
            ("scanNumbers", .negate(4), "Repair")
        ),
        Mutation.of(
            "Stores/StoreMigration/Repair/RepairScan+Links.swift",
            ("scanLostLinks", .negate(1), "Repair")
        ),
        Mutation.of(
            "Stores/StoreMigration/Repair/RepairScan+Records.swift",
            ("scanHistory", .negate(5), "Repair"),
            ("scanMetadata", .negate(5), "Repair")
        ),
        Mutation.of(
            "Stores/StoreMigration/Repair/RepairScan+Schema.swift",
            ("create", .negate(1), "Repair"),
            ("scanObjects", .negate(2), "Repair")
        ),
        Mutation.of(
            "Stores/StoreMigration/Repair/RepairScan+Values.swift",
            ("scanMissing", .negate(1), "Repair")
        ),
        Mutation.of(
            "Stores/StoreMigration/Repair/RepairPlanner.swift",
            ("takeSteps", .drop(11), "Repair")
        ),
        Mutation.of(
            "Stores/StoreMigration/Running/MigrationFiles.swift",
            ("workOnCopy", .negate(1), "StoreFileTests")
        ),
        Mutation.of(
            "Stores/StoreMigration/Running/MigrationRoute.swift",
            ("steps", .drop(3), "stages-index-what-the-next-rebuilds")
        ),
        Mutation.of(
            "Stores/StoreMigration/Running/MigrationRun.swift",
            ("explained", .negate(7), "uniqueness-added-over-duplicates")
        ),
        Mutation.of(
            "Stores/StoreMigration/Running/VersionWriting.swift",
            ("writeVersion", .drop(1), "attribute-renamed"),
            (
                "writeVersion", .drop(3),
                "version-identifiers-and-model-cache-are-those-of-the-new-version"
            )
        ),
        Mutation.of(
            "Stores/StoreMigration/Steps/CellSource.swift",
            ("cell", .change(2), "entity-added"),
            ("unlessRemoved", .negate(1), "link-to-a-removed-sub-entity"),
            ("value", .drop(1), "stages-split-a-name-by-a-map")
        ),
        Mutation.of(
            "Stores/StoreMigration/Steps/DerivedValues.swift",
            ("derivedValues", .negate(1), "derived-value-added")
        ),
        Mutation.of(
            "Stores/StoreMigration/Steps/RowChange.swift",
            ("linkSQL", .change(1), "to-many-becomes-to-one-agreed"),
            ("linkSQL", .change(2), "one-to-one-inverse-added-over-shared-links"),
            ("write", .change(1), "five-changes-at-once"),
            ("write", .drop(7), "to-many-becomes-to-one-of-a-hierarchy"),
            ("write", .drop(9), "ordered-many-to-many-becomes-one-to-many")
        ),
    ].flatMap { $0 }
}
