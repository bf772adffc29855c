import Momtool

/// The example of README, word for word between the lines that mark it; nothing but the front door is imported.
func readmeExample() throws {
    // Example
    let migrator = try Migrator(Model("Shop.xcdatamodeld"))
    let store = try Store("Shop.sqlite")
    for step in try migrator.migration(of: store).steps { print(step.title, step.statements) }
    for loss in try migrator.losses(of: store) { print(loss.message, loss.advice) }
    let allowed: [Advice] = [.allowLoss("Notice"), .allowLoss("Book.notes")]
    try migrator.migrate(store, to: "Migrated.sqlite", following: allowed)
    // End
}
