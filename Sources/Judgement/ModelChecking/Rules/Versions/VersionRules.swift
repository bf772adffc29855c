import Diagnostics

extension Rule {
    /// The rules about versions in the field, by ID; those with a check of their own have files beside it.
    static let versions: [Rule] = [
        Rule(
            .named("changed-since", .versions, .note, by: .project),
            summary: "Differences from a revision are reported",
            rationale: """
                With `--against`, `momtool check` lists what differs between the current version at that revision and \
                the present one, for the review. If the revision has no lock of a model, a version removed or edited \
                since is a warning, and so is a removed model. What the revision has too is counted in one note.
                """
        ),
        Rule(
            .named("container-drops-classes", .versions, .warning),
            summary: "Containers with different classes have separate files",
            rationale: """
                SwiftData migrates a store to the classes of the container that opens it. A second container for the \
                same file with fewer classes drops the tables of the others, with their rows; one with classes of \
                another version drops what these lack, or does not open it. So does Core Data with another model. A \
                file that is chosen at run time is not compared.
                """
        ),
        Rule(
            .named("container-list-differs", .versions, .error),
            summary: "A container is opened with the last version of its plan",
            rationale: """
                The stages of a plan lead to its last version. A container with the plan and a list of other classes \
                needs a version that no stage leads to. Give it `Schema(versionedSchema:)` of the last version, or add \
                a version with the classes of the list. It is a note if the plan has no stage: an app that shipped \
                this way is known to open its stores.
                """
        ),
        Rule(
            .named("corpus-incomplete", .versions, .warning, by: .project),
            summary: "The corpus has a store of every shipped version",
            rationale: """
                A folder with `corpus.json` holds a store of each version that users have, so that every change is \
                tested on all of them (`momtool test --corpus`). A version of the lock without a store there is not \
                tested.
                """
        ),
        currentVersionNotLast,
        Rule(
            .named("current-version-not-locked", .versions, .note, by: .lock),
            summary: "The current version is locked once it ships",
            rationale: """
                The current version ships next. Lock it with `momtool lock` when it does, so that it cannot change \
                from then on. With `--release`, for release branches and tags, it is an error.
                """
        ),
        Rule(
            .named("empty-submodule", .versions, .warning, by: .project),
            summary: "The submodules of a project are checked out",
            rationale: """
                git leaves the folder of a submodule empty until `git submodule update --init` runs, for example in a \
                clone on a CI machine. Its models are then not checked, and the check passes without them. GitHub's \
                checkout action takes `submodules: true`.
                """
        ),
        Rule(
            .named("unseen-part", .versions, .warning, by: .project),
            summary: "All folders and models of a project can be read",
            rationale: """
                A folder that cannot be read, or whose name is not UTF-8, may contain models, and so may the part that \
                a sparse checkout leaves out; of two models whose names differ only in case, a Mac's disk has one. The \
                check passes without them.
                """
        ),
        Rule(
            .named("encoded-value-changed", .versions, .warning, by: .lock),
            summary: "Codable values stored as data keep their members",
            rationale: """
                SwiftData keeps arrays and dictionaries of structs and enums as encoded data. Their members are not \
                part of any hash, so no migration notices that one was added, was removed or has another type. If a \
                row holds data that the new type cannot decode, the app crashes when it reads it. Make a new member \
                optional, keep the type of an old one, or decode both in an `init(from:)`, which is not checked.
                """
        ),
        Rule(
            .named("enum-case-removed", .versions, .warning, by: .lock),
            summary: "A stored enum keeps the raw values that rows may have",
            rationale: """
                The cases of an enum with raw values are not part of any hash, so no migration notices that one was \
                removed or has another raw value. If a row still has the old value, the app crashes when it reads it, \
                or takes it for the case that has the value now. Keep the case, give a renamed one its old raw value \
                (`case top = "high"`), or change the rows in a custom stage before the case is removed. `momtool \
                verify --model` and `momtool plan --store` count the rows of a store.
                """
        ),
        equalChecksums,
        Rule(
            .named("frozen-version-reaches-live-type", .versions, .warning),
            summary: "A version that shipped contains all its types",
            rationale: """
                A `VersionedSchema` that lists or uses a class or struct outside itself changes whenever that type is \
                edited. Until then, the version has the hashes of the stores that it wrote, and the app launches; \
                after the next edit no store has these hashes, and the app fails with 134504 at every launch. A lock \
                detects an edit that has happened (`locked-version-edited`), and `stages-fail` detects two versions \
                that the type makes equal. A type in a separate namespace, which developers use for such copies, is a \
                note.
                """
        ),
        Rule(
            .named("identifier-reused", .versions, .error),
            summary: "Each version has its own identifier",
            rationale: """
                People cannot distinguish two versions with the same identifier, and there are reports of problems if \
                the plan and a store disagree about it.
                """
        ),
        indexOnlyVersion,
        Rule(
            .named("inverse-not-written", .versions, .warning),
            summary: "Swift sources name the inverses of relationships",
            rationale: """
                If neither side names the other, SwiftData pairs relationships by their spelling, and the inverse is \
                part of the hash: only here the sources alone do not decide it. It is a note if they are paired. Two \
                sides with `@Relationship` stay apart, and each keeps its own links, which is a warning. Write \
                `inverse:` on one side.
                """,
            fix: .keepingHash("writes the inverse that SwiftData finds")
        ),
        Rule(
            .named("invalid-lock", .versions, .error, by: .lock),
            summary: "A lock that can be read",
            rationale: """
                The lock is a text file that `momtool lock` writes. After a merge conflict keep the blocks of all \
                versions that shipped; if both sides have different versions of the same name, one of them needs \
                another name. As git's merge driver, `momtool model merge` keeps the versions of both sides \
                automatically.
                """
        ),
        Rule(
            .named("locked-entity-open", .versions, .warning, by: .lock),
            summary: "A lock has all entities that momtool understands",
            rationale: """
                An entity was not understood when its version was locked, so the lock has only its name. It is \
                understood now, as `types:` or `inverses:` supply what was missing, but momtool cannot compare it yet. \
                `momtool lock` records it and changes nothing else; before you run it, the entity must be as it \
                shipped.
                """
        ),
        Rule(
            .named("locked-version-edited", .versions, .error, by: .lock),
            summary: "A locked version has the hashes of its lock",
            rationale: """
                A version that shipped was edited: Core Data no longer finds the model of the stores in the field \
                (134130; 134504 for a SwiftData plan). Restore the version from version control and make the edit in a \
                new version; for Swift sources `momtool model new-version --as-of TAG` keeps the edit, and freezes \
                before it what shipped. If it never shipped, lock it again with `momtool lock --relock`. An addition \
                that needs no value, to SwiftData sources without a migration plan, is a note: SwiftData infers that \
                step automatically.
                """
        ),
        Rule(
            .named("locked-version-removed", .versions, .error, by: .lock),
            summary: "A locked version is in the bundle",
            rationale: """
                Stores of a removed version can no longer be migrated: Core Data needs their model (134130). Restore \
                it from version control. `momtool check --against` finds a model that was deleted together with its \
                lock; a moved one is recognized by its hashes. If no store has a version any more, say so in the lock \
                with a line `pruned DAY` below its checksum, also if the whole model was removed. A SwiftData version \
                that the migration plan no longer lists counts as removed: SwiftData cannot open its stores (134504).
                """
        ),
        Rule(
            .named("locked-version-renamed", .versions, .note, by: .lock),
            summary: "A locked version keeps its name",
            rationale: """
                A version is identified by its hashes: under another name it opens the same stores, for example if \
                models of SwiftData became those of `SchemaV1`. `momtool lock` records the new name, and the version \
                keeps its position in the order of the lock. Lists of stages and mapping models that use the old name \
                must change too.
                """,
            fix: .keepingHash("writes the new name into the lock")
        ),
        Rule(
            .named("locked-versions-reordered", .versions, .error, by: .lock),
            summary: "Locked versions are in the order of their lock",
            rationale: """
                New versions come after those that shipped, which are in the order of their lock. One whose number is \
                lower than that of a locked one comes before it, which changes what the previous version of each step \
                is: give it another name, or list the versions under `order:` in `.momtool.yml`. A version that \
                shipped but is missing in the lock counts as new: restore its block there.
                """
        ),
        Rule(
            .named("map-beyond-core-data", .versions, .warning, by: .stages),
            summary: "A custom stage does what Core Data's stages can do",
            rationale: """
                A map is momtool's own: Core Data's stages run code before and after a lightweight step, and have no \
                value expressions. If the step is not lightweight, an app with these stages fails with 134140 and \
                needs a mapping model. If it is, only the app's own code can do what the map says; this is a note. A \
                map that reads what its own step drops is a warning: the values are gone before `didMigrate` runs.
                """
        ),
        Rule(
            .named("missing-lock", .versions, .warning, by: .project),
            summary: "A lock stays as long as its model does",
            rationale: """
                `momtool check --against` compares with the locks of the revision too. If one of them was removed but \
                its model still exists, nothing protects the shipped versions from edits. The same holds for a version \
                that exists but is no longer in any lock, unless it is listed under `lock: unshipped:` in \
                `.momtool.yml`.
                """
        ),
        Rule(
            .named("plan-not-used", .versions, .warning),
            summary: "A container is opened with the declared migration plan",
            rationale: """
                A plan takes effect only if a container gets it: `ModelContainer(for:migrationPlan:configurations:)`. \
                The modifier `modelContainer(for:)` takes none; create the container and pass it to \
                `modelContainer(_:)`. Containers in memory do not count, and conditions of `#if` hold as in a release.
                """
        ),
        Rule(
            .named("released-otherwise", .versions, .note, by: .project),
            summary: "A version has the contents that its releases had",
            rationale: """
                If a model has no lock, the tags of its repository show what shipped; `releases:` in `.momtool.yml` \
                says which tags are releases. A version that was edited after a release has left stores behind that \
                match no version any more. `momtool lock` records what each release had, so that `momtool doctor` and \
                `momtool identify` recognize such stores.
                """
        ),
        Rule(
            .named("stage-fetches-other-type", .versions, .error),
            summary: "The functions of a stage fetch and make objects of its versions",
            rationale: """
                While willMigrate runs, the store has the classes of the old version; while didMigrate runs, those of \
                the new one. A fetch of any other class, such as the one that the app uses now, crashes the app, as does an \
                object of it that is made there.
                """
        ),
        Rule(
            .named("stage-missing", .versions, .error),
            summary: "A plan has a stage for each step",
            rationale: """
                Without a stage between two versions of the list, the plan cannot migrate from the older one. If a \
                plan has no stages at all, SwiftData infers each step, which is a note.
                """
        ),
        Rule(
            .named("stage-order", .versions, .error),
            summary: "Each stage is a step of the list of versions",
            rationale: """
                Stages lead from a version of `schemas` to the next one, in the order of the list. Stores cannot take \
                a stage that skips a version, leads back, or names a version that is not listed; a stage that comes \
                before those of older versions is passed over by their stores, or fails with 134506. Where all \
                stages are lightweight, their order is a note.
                """
        ),
        Rule(
            .named("stages-fail", .versions, .error, by: .stages),
            summary: "A list of stages leads from every version to the last",
            rationale: """
                A SwiftData plan, or a stages file that `.momtool.yml` names under `stages`, is followed as Core Data \
                follows it, from every version. A finding means that the app fails at launch: a version that no stage \
                lists (134504), a step that is not lightweight (134140), or two versions with equal hashes, for which \
                `NSInvalidArgumentException` is raised: Duplicate version checksums across stages detected. Where \
                it is unknown whether Core Data infers a step, it is a warning.
                """
        ),
        Rule(
            .named("unread-lock", .versions, .warning, by: .project),
            summary: "Every lock is compared with a model",
            rationale: """
                The name of a lock says what it covers: `X.lock` the sources at `X`, `SwiftData.lock` those of its \
                folder. If no model is there, for example after a folder or a bundle was moved, nothing is compared \
                with it, and an edit of a version that shipped goes unnoticed. The hashes of its versions show where \
                they are now.
                """
        ),
        Rule(
            .named("version-not-in-plan", .versions, .warning),
            summary: "A plan lists every version",
            rationale: """
                A store of a version that the plan does not list fails with 134504, Cannot use staged migration with \
                an unknown model version. Add the version to `schemas`, or remove its source if it never shipped.
                """
        ),
        Rule(
            .named("model-copied", .versions, .warning, by: .project),
            summary: "A package lets its models be compiled",
            rationale: """
                `.copy` in a `Package.swift` takes a model as it is; Xcode 27 no longer compiles it, and the app finds \
                none. `.process` has it compiled.
                """
        ),
        Rule(
            .named("models-share-entity", .versions, .warning, by: .project),
            summary: "Models that code merges have no entity in common",
            rationale: """
                Where code merges models, as `mergedModel(from:)` does, Core Data raises an exception: Can't merge models \
                with two different entities named. Load one by its URL. What becomes of equal entities is not documented.
                """
        ),
        modelNotInTarget, otherCurrentVersionInProject,
        Rule(
            .named("unreadable-project", .versions, .warning),
            summary: "Projects around the model can be read",
            rationale: """
                The project's entries for the model are compared with the model. A project that cannot be read, such \
                as one with merge conflict markers, is skipped.
                """,
            passing: .inProject(),
            failing: RuleExample(
                "<entity name='A'/>",
                "<entity name='A'/>",
                project: """
                    // !$*UTF8*$!
                    { objects = {
                        A0 = {isa = XCVersionGroup; children = (V1, V2);
                    ◀<<<<<<< HEAD
                            currentVersion = V1;
                    =======
                            currentVersion = V2;
                    >>>>>>> login
                            path = M.xcdatamodeld; sourceTree = SOURCE_ROOT; };
                    }; }
                    """
            )
        ),
        versionNotInProject,
    ]
}
