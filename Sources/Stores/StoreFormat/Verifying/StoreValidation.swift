package import Diagnostics
package import ObjectModel
package import SQLiteAccess

/// Checks the values of all rows against the limits, lengths and patterns of the model.
///
/// Core Data checks them when it saves an object, not when it opens a store, so faults stay undetected until then. What the
/// model always requires of values and links is checked by ``verify(_:against:notesJoinTables:progress:)``. There are no
/// findings if the store's entity numbers differ, which `verify` reports.
package func validate(
    _ file: StoreFile,
    against model: ManagedObjectModel
) throws(StoreError) -> [Diagnostic] {
    try findings(in: file, against: model) { $0.addRules() }
}

/// Checks the values of all rows against the cases of the enums that an app's sources declare.
///
/// There are no findings if the store's entity numbers differ.
package func enumFindings(
    in file: StoreFile,
    against model: ManagedObjectModel
) throws(StoreError) -> [Diagnostic] {
    try findings(in: file, against: model) { $0.addCases() }
}

private func findings(
    in file: StoreFile,
    against model: ManagedObjectModel,
    _ add: (inout RowChecks) -> Void
) throws(StoreError) -> [Diagnostic] {
    let schema = try file.schema()
    let layout = storedLayout(of: model, try file.metadata(), schema)
    guard numberFindings(layout, try file.primaryKeys()).isSame else { return [] }
    let columns = try columnNames(on: file.connection)
    var checks = RowChecks(model: model, layout: layout, columns: columns)
    add(&checks)
    try ValueRule.registerFunctions(on: file.connection)
    return try checks.run(on: file.connection)
}

extension RowChecks {
    /// Adds the check that an element of a composite has a value if another one has: all of them may be absent.
    mutating func addElementCheck(
        of leaf: NumberedModel.Leaf,
        among leaves: [NumberedModel.Leaf],
        _ entity: String,
        _ table: String
    ) {
        guard !leaf.attribute.isOptional, !leaf.path.isEmpty else { return }
        func values(_ leaves: [NumberedModel.Leaf]) -> [String] {
            leaves.compactMap { layout.column(of: $0.name, path: $0.path, declaredBy: entity) }
                .filter { has(table, [$0.name]) }.map { "t." + quotedIdentifier($0.name) }
        }
        let composite = leaf.path.dropLast()
        let others = values(
            leaves.filter {
                $0.name == leaf.name && $0.path != leaf.path && $0.path.starts(with: composite)
            }
        )
        guard let value = values([leaf]).first, !others.isEmpty else { return }
        add(
            .missingValue,
            PropertyReference(entity: entity, name: leaf.name.followed(by: leaf.path)),
            "required in a composite that has other values, but without a value",
            severity: .warning,
            in: table,
            where: "\(isKind(of: entity)) AND \(value) IS NULL AND coalesce("
                + "\(others.joined(separator: ", ")), NULL) NOT NULL"
        )
    }
}
