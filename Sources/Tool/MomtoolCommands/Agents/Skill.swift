/// The text that `momtool skill` prints and the server gives as a resource.
///
/// Each line of a block that begins with `momtool` is run by a test.
let skill = """
    ---
    name: momtool
    description: Change Core Data and SwiftData models, migrate and examine their SQLite stores, without Xcode or a Mac. Use for any .xcdatamodeld, .momd, .mom, @Model sources, migration crash or Core Data .sqlite file.
    ---

    # Changing a Core Data model

    Versions that shipped wrote the stores in the field. Never edit a version that shipped:
    add a version, edit that, find out what the step does to rows, prove it with a case.

    ## The loop

    1. Look. `current` is the version that the app uses.

       ```sh
       momtool inspect Shop.xcdatamodeld --format json
       momtool check Shop.xcdatamodeld
       ```

    2. Add a version, unless the current one has not shipped yet: there is a `Shop.xcdatamodeld.lock` that does not
       list it. If there is no lock, assume that every version in git has shipped, and ask the person to lock those that
       are in the field (`momtool lock`). The warning `unlocked-edit` means that you edited one: undo the edit.

       ```sh
       momtool model new-version Shop.xcdatamodeld
       momtool model undo-version Shop.xcdatamodeld --dry-run
       ```

       The second line undoes it with its edits; for Swift sources, use git.
       First convert a version in the format of Xcode 3: `momtool decompile`.

    3. Edit. First try it with `--dry-run --plan`, then without. The last line is the verdict of the step.

       ```sh
       momtool model rename Shop.xcdatamodeld Book.title caption --dry-run --plan
       momtool model rename Shop.xcdatamodeld Book.title caption
       momtool model add Shop.xcdatamodeld attribute Book.rating Double --default 0
       momtool model add Shop.xcdatamodeld entity Tag
       momtool model set Shop.xcdatamodeld Book.title --optional yes --unset defaultValueString
       momtool model remove Shop.xcdatamodeld entity Order --with-references
       momtool model apply Shop.xcdatamodeld edits.yml
       ```

    4. Plan from every version that shipped, and against a real store if there is one.

       ```sh
       momtool plan Shop.xcdatamodeld --from V1
       momtool plan Shop.xcdatamodeld --store Shop.sqlite --format json
       ```

    5. Write a case, fill in its rows, run it. A case with `before.json` but without `after.json` fails;
       `--record` writes the result as `after.json`: read it before you trust it.

       ```sh
       momtool test MigrationCases --new notes --model Shop.xcdatamodeld --from V1
       momtool test MigrationCases
       ```

    6. Check everything, also against the committed state. Status 1 means findings: read each.

       ```sh
       momtool check --format json
       momtool check --against HEAD
       momtool diff Shop.xcdatamodeld --format markdown
       ```

    7. Lock the version when the person says that it ships.

       ```sh
       momtool lock Shop.xcdatamodeld --dry-run
       ```

    The tools of `momtool mcp` do the same: `new_version`, `undo_version`, `preview_edit`, `edit_model`,
    `plan`, `write_case`, `run_cases`, `check`, `lock`. For Swift sources they only add versions; edit
    classes by hand. `repair` and statements for `sqlite3` in messages are for a person in a terminal.

    ## What never to do

    - Never edit `contents` by hand or by `sed`: inverses, renaming identifiers, `.xccurrentversion` and the
      project file change together. Use `momtool model`.
    - Never edit, rename, remove or reorder a version in the lock, and never delete the lock. If `check` says
      `locked-version-edited`, undo the edit and make it in a new version.
    - Never rename by removing and adding: the values are lost. `momtool model rename` writes the renaming identifier.
    - Never add `losses:` to `.momtool.yml`, `--allow-data-loss` or `momtool.ignore` to make a finding go away.
      Say what would be lost, how many rows, and ask the person.
    - Never migrate the only copy of a store. Use `-o NEW`.
    - Never put a version into both a lightweight and a custom stage as its start:
      `NSLightweightMigrationStage([V1, V2])` followed by a custom stage V2 → V3 raises
      "Duplicate version checksums". Write `[V1]` and V2 → V3, or see the page on stages.
    - Never answer "Core Data does it automatically" from memory. `momtool plan` says which rule decides.

    ## Reading a verdict

    | verdict | what it means | what to do |
    | --- | --- | --- |
    | no effect on the hash | stores open without migration | nothing |
    | lightweight | Core Data infers the step | write a case |
    | lightweight though undocumented | Core Data infers the step: apps show it, but Apple does not document it | write a case |
    | depends on the rows | a value may be missing or duplicated | check the rows: plan with --store |
    | loses data | values or rows are dropped | rename, or ask the person |
    | needs a custom stage or mapping | Core Data cannot infer the step | a stages file, or a version in between |
    | impossible | no migration leads there | edit differently |

    ## Reading a refusal

    `path:line:column: error: message [rule-id]`: where, what, and the rule. The lines below say what to do, and
    `momtool rules` why, or what the ID means. Apply the printed advice, in the version that has not shipped.

    ```sh
    momtool rules missing-inverse
    momtool rules
    ```

    Statuses: 0 done · 1 findings · 2 differences · 3 refused before anything was written ·
    4 failed, the store is unchanged · 64 wrong call · 65 bad input · 66 no input · 73, 74 output.

    ## When a store does not open

    ```sh
    momtool doctor Shop.sqlite --model Shop.xcdatamodeld
    momtool identify Shop.sqlite --model Shop.xcdatamodeld
    momtool migrate Shop.sqlite --model Shop.xcdatamodeld -o Migrated.sqlite
    momtool export Shop.sqlite -o Rows.json
    ```

    `doctor` names the version that wrote the store, what Core Data does with it and with which error, and the
    commands that help. It takes a crash log too.

    ## JSON

    `--format json` gives a report with `formatVersion`; failures give findings in the same form. The shape of each:

    ```sh
    momtool schema
    momtool schema plan
    ```
    """
