import Momtool

/// The example of README, word for word between the lines that mark it; nothing but the front door is imported.
func readmeExample() throws {
    // Example
    let model = try ModelPlace("Shop.xcdatamodeld").read().value
    let store = try StoreFile(path: "Shop.sqlite")
    let way = try Migrator(models: [model]).way(of: store)
    if case .direct(let migration) = way {
        print(migration.program.steps.map(\.sql))
    }
    for finding in try way.findings(in: store) { print(finding) }
    let target = MigrationTarget(store: store.path, output: "Migrated.sqlite")
    try way.run(from: store, to: target, options: .agreeing(to: ["Notice", "Book.notes"]))
    // End
}
