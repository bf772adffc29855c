import Diagnostics
import Momtool

/// The library's main jobs, each in at most five lines from a path to its result.
func hash() throws {
    let model = try Model("Shop.xcdatamodeld")
    for version in model.versions { print(version.name, try version.versionChecksum) }
}

func plan() throws -> [Advice] {
    let migrator = try Migrator(Model("Shop.xcdatamodeld"))
    let store = try Store("Shop.sqlite")
    for step in try migrator.migration(of: store).steps { print(step.title, step.statements.count) }
    return try migrator.losses(of: store).flatMap(\.advice)
}

func migrate(following advice: [Advice]) throws -> Task<[Diagnostic], any Error> {
    let migrator = try Migrator(Model("Shop.xcdatamodeld"))
    let store = try Store("Shop.sqlite")
    return Task {
        try await inBackground {
            try migrator.migrate(store, to: "New.sqlite", following: advice) {
                print($0.title, $0.done)
            }
        }
    }
}

func lint() throws {
    for finding in try Linter().findings(in: "Shop.xcdatamodeld") { print(finding) }
}

Progress(of: "hash, lint, plan and migrate").tell()
try hash()
try lint()
let advice = try plan()
let cancelled = try migrate(following: advice)
cancelled.cancel()
do {
    _ = try await cancelled.value
    fatalError("it was not cancelled")
} catch {
    print(error)
}
print("allowed losses:", try await migrate(following: advice).value.count)
