import Momtool

/// The example of README, word for word between the lines that mark it; nothing but the front door is imported.
func readmeExample() throws {
    // Example
    let model = try ModelPlace("Shop.xcdatamodeld").read().value
    let store = try StoreFile(path: "Shop.sqlite")
    let migration = try Migrator(models: [model]).migration(of: store)
    for program in migration.programs { print(program.steps.map(\.sql)) }
    for finding in try migration.findings(in: store) { print(finding) }
    let target = MigrationTarget(store: store.path, output: "Migrated.sqlite")
    let options = MigrationOptions(acceptsLosses: ["Notice", "Book.notes"])
    try migration.run(from: store, to: target, options: options)
    // End
}
