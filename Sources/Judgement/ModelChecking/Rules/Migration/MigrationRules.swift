package import Diagnostics

extension Rule {
    /// The rules about steps and what they lose, by ID; those with a check of their own have files beside it.
    static let migration: [Rule] = [
        ambiguousRenamingIdentifier,
        Rule(
            .named("composite-too-large", .migration, .error, by: .planning),
            summary: "A composite attribute has a bounded number of values",
            rationale: "Larger ones are not compared; no real model comes near this limit."
        ),
        Rule(
            .named(.customStageNotRun, .migration, .note, by: .stages),
            summary: "Every custom stage of a plan can be tested",
            rationale: """
                A custom stage of a `SchemaMigrationPlan` runs Swift code that only the app can run: momtool cannot \
                tell what it keeps, fills or drops. `migrate --stages`, or a `Migrator` with `stages:`, refuses a \
                store that needs such a stage unless handlers replace its functions; elsewhere it is a note. The \
                losses of the step are reported once, and do not keep a version from being locked. Write its effect in \
                SQL or as a map in a stages file, or test the step with a case; intended losses can still be allowed \
                under `losses:`. A stages file with work for a step that the plan takes without code does not count, \
                which is a warning.
                """
        ),
        dataLoss,
        entityChangesStore,
        Rule(
            .named("incompatible-attribute-types", .migration, .error, by: .planning),
            summary: "The types of an attribute before and after are compatible",
            rationale: """
                Core Data does not convert between these types (134190, "Source and destination attribute types are \
                incompatible"). Add a new attribute and convert in a custom stage.
                """
        ),
        Rule(
            .named("mandatory-relationship-added", .migration, .error, by: .planning),
            summary: "A mandatory relationship keeps its destination",
            rationale: """
                Existing objects have no destination if it leads to another entity. Make it optional, or fill it in a \
                custom stage.
                """
        ),
        Rule(
            .named(.mappingModelNotRun, .migration, .note, by: .project),
            summary: "Every mapping model of a step can be tested",
            rationale: """
                A mapping model exists for the step, but its migration of generated objects was not run: it calls code \
                of the app, or has parts that momtool cannot read. The app will run it. Describe its policies under \
                `policies:` in `.momtool.yml`, and `momtool check` runs it. The app does not run one whose path to a \
                version leads nowhere, such as one from before a rename: correct its paths.
                """
        ),
        Rule(
            .named(.mappingModelSkipsVersions, .migration, .warning, by: .stages),
            summary: "No mapping model skips versions if the app migrates version by version",
            rationale: """
                `migration: stepwise` says that the app's own code migrates stores version by version. A mapping model \
                that skips a version is then never used, and Core Data infers the skipped steps, which may drop what \
                it keeps. Add a mapping model for each of these steps, or delete the unused one. If the app's code \
                uses the mapping model, remove the setting.
                """
        ),
        Rule(
            .named("merged-hierarchies", .migration, .error, by: .planning),
            summary: "Root entities keep separate hierarchies",
            rationale: """
                "Cannot merge multiple root entity source tables into one destination entity root table": Core Data \
                raises an exception.
                """
        ),
        Rule(
            .named("migration-off", .migration, .warning, by: .project),
            summary: "The app lets older stores migrate",
            rationale: """
                A store that is opened with `shouldMigrateStoreAutomatically = false`, or the option of that name, fails \
                with 134100 if any other version wrote it; without inference it fails where no mapping model leads. The \
                rule looks at models with several versions, at sources that open no store read-only, and only where no \
                code migrates stores itself. A store of an older version that code opens read-only from the app's bundle \
                cannot be migrated there either.
                """
        ),
        Rule(
            .named("migration-test-failed", .migration, .error, by: .project),
            summary: "Cases and migrations of generated objects give the expected result",
            rationale: """
                A case failed, or the migration of generated objects from a version to the current one drops data \
                without permission or differs from what its mapping predicts. `momtool test` runs the same and shows \
                more.
                """
        ),
        Rule(
            .named("migrations-not-run", .migration, .note, by: .project),
            summary: "The migration of every version is tested with generated objects",
            rationale: """
                `check` generates at most 6,000 objects for a model, so that a long history does not delay a pull \
                request. It migrates the previous version and the oldest one first, then from new to old, and says how \
                many are left; `momtool test --matrix` migrates all.
                """
        ),
        Rule(
            .named("migrator-in-code", .migration, .note, by: .project),
            summary: "The settings say how the app's code migrates stores",
            rationale: """
                Code that calls `NSMigrationManager`, or chooses a mapping model itself, most likely migrates stores \
                version by version; Core Data takes one step. Set `migration: stepwise` or `migration: direct` in \
                `.momtool.yml`. Stages that code gives to `NSStagedMigrationManager` belong in a stages file.
                """
        ),
        missingRenamingIdentifier,
        Rule(
            .named("model-too-large", .migration, .error, by: .planning),
            summary: "A model has at most a million properties, including inherited ones",
            rationale: "Larger ones are not compared; no real model comes near this limit."
        ),
        newRequiredWithoutDefault, oldNameTaken, oneDefaultForAll,
        Rule(
            .named("relationship-destination-changed", .migration, .warning, by: .planning),
            summary: "A relationship keeps its destination",
            rationale: """
                Core Data migrates it, but drops links to objects that do not belong to the new destination. Declare \
                the destination as renamed if it was, or move the links in a custom stage.
                """
        ),
        Rule(
            .named(.severalMappingModels, .migration, .warning, by: .stages),
            summary: "A step has only one mapping model",
            rationale: """
                Core Data looks for a mapping model by the hashes of both versions and uses one; which of several it \
                uses is not documented. If the app's own code runs several in turn, write the step as a custom stage \
                in a stages file; else delete what is left over, or name the right one under `mappingModels:` in \
                `.momtool.yml`.
                """
        ),
        Rule(
            .named(.severalSteps, .migration, .warning, by: .stages),
            summary: "Stores migrate to the current version in one step",
            rationale: """
                No mapping model leads from an older version to the current one, and Core Data cannot infer the step; \
                several mapping models in turn do. Core Data takes one step and looks for one mapping model. If the \
                app's own code takes the steps, set `migration: stepwise` in `.momtool.yml`. Without such code stores \
                of the version do not open.
                """
        ),
        silentDefaultChange, silentIndexChange, silentTransformerChange, staleRenamingIdentifier,
        stepNotInferable,
        Rule(
            .named("store-deleted", .migration, .warning, by: .project),
            summary: "A store that does not open is kept",
            rationale: """
                Code that removes the store when loading fails turns each failed migration into the loss of all data. \
                Move the store aside instead, or leave it and report the error. The rule finds \
                `destroyPersistentStore` and `removeItem` in a `catch`, where an error or a result is examined, or \
                behind an attempt that would have returned, after a call that opens stores; code inside `#if DEBUG` is \
                left out.
                """
        ),
        undeclaredRename, valueTypeChangesHash,
        Rule(
            .named("version-cannot-open", .migration, .error, by: .stages),
            summary: "Stores of every version can migrate to the current one",
            rationale: """
                Core Data refuses the step from an older version to the current one, there is no mapping model for it, \
                and no list of stages leads there. Users of that version cannot update. A chain of steps through other \
                versions, as `momtool migrate` takes it, helps only an app whose own code takes it: set `migration: \
                stepwise` in `.momtool.yml`. `momtool plan` shows the step and what would make it legal. A finding \
                that rests on a guess is a warning. List versions that no user has any more under `lint: ignore:`.
                """
        ),
    ]
}

extension RuleID {
    package static let customStageNotRun: RuleID = "custom-stage-not-run"
    package static let mappingModelNotRun: RuleID = "mapping-model-not-run"
    package static let mappingModelSkipsVersions: RuleID = "mapping-model-skips-versions"
    package static let severalMappingModels: RuleID = "several-mapping-models"
    package static let severalSteps: RuleID = "several-steps"
}
