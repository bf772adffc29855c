import Diagnostics

extension Rule {
    /// The rules about versions in the field, by ID; those with a check of their own have files beside it.
    static let versions: [Rule] = table(
        .versions,
        """
        changed-since (note, project): Differences from a revision are reported
          With `--against`, `momtool check` lists what differs between the current version at that revision and the
          present one, for the review. If the revision has no lock of a model, a version removed or edited since is
          a warning, and so is a removed model. What the revision has too is counted in one note.
        container-drops-classes (warning): Containers with different classes have separate files
          SwiftData migrates a store to the classes of the container that opens it. A second container for the same
          file with fewer classes drops the tables of the others, with their rows; one with classes of another
          version drops what these lack, or does not open it. So does Core Data with another model. A file that is
          chosen at run time is not compared.
        container-list-differs (error): A container is opened with the last version of its plan
          The stages of a plan lead to its last version. A container with the plan and a list of other classes needs
          a version that no stage leads to. Give it `Schema(versionedSchema:)` of the last version, or add a version
          with the classes of the list. It is a note if the plan has no stage: an app that shipped this way is known
          to open its stores.
        corpus-incomplete (warning, project): The corpus has a store of every shipped version
          A folder with `corpus.json` holds a store of each version that users have, so that every change is tested
          on all of them (`momtool test --corpus`). A version of the lock without a store there is not tested.
        current-version-not-last
        current-version-not-locked (note, lock): The current version is locked once it ships
          The current version ships next. Lock it with `momtool lock` when it does, so that it cannot change from
          then on. With `--release`, for release branches and tags, it is an error.
        empty-submodule (warning, project): The submodules of a project are checked out
          git leaves the folder of a submodule empty until `git submodule update --init` runs, for example in a
          clone on a CI machine. Its models are then not checked, and the check passes without them. GitHub's
          checkout action takes `submodules: true`.
        unseen-part (warning, project): All folders and models of a project can be read
          A folder that cannot be read, or whose name is not UTF-8, may contain models, and so may the part that a
          sparse checkout leaves out; of two models whose names differ only in case, a Mac's disk has one. The check
          passes without them.
        encoded-value-changed (warning, lock): Codable values stored as data keep their members
          SwiftData keeps arrays and dictionaries of structs and enums as encoded data. Their members are not part
          of any hash, so no migration notices that one was added, was removed or has another type. If a row holds
          data that the new type cannot decode, the app crashes when it reads it. Make a new member optional, keep
          the type of an old one, or decode both in an `init(from:)`, which is not checked.
        enum-case-removed (warning, lock): A stored enum keeps the raw values that rows may have
          The cases of an enum with raw values are not part of any hash, so no migration notices that one was
          removed or has another raw value. If a row still has the old value, the app crashes when it reads it, or
          takes it for the case that has the value now. Keep the case, give a renamed one its old raw value (`case
          top = "high"`), or change the rows in a custom stage before the case is removed. `momtool verify --model`
          and `momtool plan --store` count the rows of a store.
        equal-checksums
        frozen-version-reaches-live-type (warning): A version that shipped contains all its types
          A `VersionedSchema` that lists or uses a class or struct outside itself changes whenever that type is
          edited. Until then, the version has the hashes of the stores that it wrote, and the app launches; after
          the next edit no store has these hashes, and the app fails with 134504 at every launch. A lock detects an
          edit that has happened (`locked-version-edited`), and `stages-fail` detects two versions that the type
          makes equal. A type in a separate namespace, which developers use for such copies, is a note.
        identifier-reused (error): Each version has its own identifier
          People cannot distinguish two versions with the same identifier, and there are reports of problems if the
          plan and a store disagree about it.
        index-only-version
        inverse-not-written
        invalid-lock (error, lock): A lock that can be read
          The lock is a text file that `momtool lock` writes. After a merge conflict keep the blocks of all versions
          that shipped; if both sides have different versions of the same name, one of them needs another name. As
          git's merge driver, `momtool model merge` keeps the versions of both sides automatically.
        locked-entity-open (warning, lock): A lock has all entities that momtool understands
          An entity was not understood when its version was locked, so the lock has only its name. It is understood
          now, as `types:` or `inverses:` supply what was missing, but momtool cannot compare it yet. `momtool lock`
          records it and changes nothing else; before you run it, the entity must be as it shipped.
        locked-version-edited (error, lock): A locked version has the hashes of its lock
          A version that shipped was edited: Core Data no longer finds the model of the stores in the field (134130;
          134504 for a SwiftData plan). Restore the version from version control and make the edit in a new version;
          for Swift sources `momtool model new-version --as-of TAG` keeps the edit, and freezes before it what
          shipped. If it never shipped, lock it again with `momtool lock --relock`. An addition that needs no value,
          to SwiftData sources without a migration plan, is a note: SwiftData infers that step automatically.
        locked-version-removed (error, lock): A locked version is in the bundle
          Stores of a removed version can no longer be migrated: Core Data needs their model (134130). Restore it
          from version control. `momtool check --against` finds a model that was deleted together with its lock; a
          moved one is recognized by its hashes. If no store has a version any more, say so in the lock with a line
          `pruned DAY` below its checksum, also if the whole model was removed. A SwiftData version that the
          migration plan no longer lists counts as removed: SwiftData cannot open its stores (134504).
        locked-version-renamed
        locked-versions-reordered (error, lock): Locked versions are in the order of their lock
          New versions come after those that shipped, which are in the order of their lock. One whose number is
          lower than that of a locked one comes before it, which changes what the previous version of each step is:
          give it another name, or list the versions under `order:` in `.momtool.yml`. A version that shipped but is
          missing in the lock counts as new: restore its block there.
        map-beyond-core-data (warning, stages): A custom stage does what Core Data's stages can do
          A map is momtool's own: Core Data's stages run code before and after a lightweight step, and have no value
          expressions. If the step is not lightweight, an app with these stages fails with 134140 and needs a
          mapping model. If it is, only the app's own code can do what the map says; this is a note. A map that
          reads what its own step drops is a warning: the values are gone before `didMigrate` runs.
        missing-lock (warning, project): A lock stays as long as its model does
          `momtool check --against` compares with the locks of the revision too. If one of them was removed but its
          model still exists, nothing protects the shipped versions from edits. The same holds for a version that
          exists but is no longer in any lock, unless it is listed under `lock: unshipped:` in `.momtool.yml`.
        plan-not-used (warning): A container is opened with the declared migration plan
          A plan takes effect only if a container gets it: `ModelContainer(for:migrationPlan:configurations:)`. The
          modifier `modelContainer(for:)` takes none; create the container and pass it to `modelContainer(_:)`.
          Containers in memory do not count, and conditions of `#if` hold as in a release.
        released-otherwise (note, project): A version has the contents that its releases had
          If a model has no lock, the tags of its repository show what shipped; `releases:` in `.momtool.yml` says
          which tags are releases. A version that was edited after a release has left stores behind that match no
          version any more. `momtool lock` records what each release had, so that `momtool doctor` and `momtool
          identify` recognize such stores.
        stage-fetches-other-type (error): The functions of a stage fetch classes of its versions
          While willMigrate runs, the store has the classes of the old version; while didMigrate runs, those of the
          new one. A fetch of any other class, such as the one that the app uses now, crashes the app.
        stage-missing (error): A plan has a stage for each step
          Without a stage between two versions of the list, the plan cannot migrate from the older one. If a plan
          has no stages at all, SwiftData infers each step, which is a note.
        stage-order (error): Each stage is a step of the list of versions
          Stages lead from a version of `schemas` to the next one, in the order of the list. Stores cannot take a
          stage that skips a version, leads back, or names a version that is not listed; a stage that comes before
          those of older versions is passed over by their stores, or fails with 134506. Where all stages are
          lightweight, their order is a note.
        stages-fail (error, stages): A list of stages leads from every version to the last
          A SwiftData plan, or a stages file that `.momtool.yml` names under `stages`, is followed as Core Data
          follows it, from every version. A finding means that the app fails at launch: a version that no stage
          lists (134504), a step that is not lightweight (134140), or two versions with equal hashes, for which
          `NSInvalidArgumentException` is raised: Duplicate version checksums across stages detected. Where it is
          unknown whether Core Data infers a step, it is a warning.
        unread-lock (warning, project): Every lock is compared with a model
          The name of a lock says what it covers: `X.lock` the sources at `X`, `SwiftData.lock` those of its folder.
          If no model is there, for example after a folder or a bundle was moved, nothing is compared with it, and
          an edit of a version that shipped goes unnoticed. The hashes of its versions show where they are now.
        version-not-in-plan (warning): A plan lists every version
          A store of a version that the plan does not list fails with 134504, Cannot use staged migration with an
          unknown model version. Add the version to `schemas`, or remove its source if it never shipped.
        model-copied (warning, project): A package lets its models be compiled
          `.copy` in a `Package.swift` takes a model as it is; Xcode 27 no longer compiles it, and the app finds
          none. `.process` has it compiled.
        models-share-entity (warning, project): Models that code merges have no entity in common
          Where code merges models, as `mergedModel(from:)` does, Core Data raises an exception: Can't merge models
          with two different entities named. Load one by its URL. What becomes of equal entities is not documented.
        model-not-in-target
        other-current-version-in-project
        unreadable-project
        version-not-in-project
        """,
        with: [
            currentVersionNotLast, equalChecksums, indexOnlyVersion,
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
    )
}
