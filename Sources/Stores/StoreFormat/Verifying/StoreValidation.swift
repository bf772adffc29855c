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
    let store = try LaidOutStore(file, model)
    guard numberFindings(store.layout, try file.primaryKeys()).isSame else { return [] }
    var checks = RowChecks(of: store)
    add(&checks)
    try ValueRule.registerFunctions(on: file.connection)
    return try checks.run(on: file.connection)
}

extension RowChecks {
    /// Adds the check that an element of a composite has a value if another one has: all of them may be absent.
    mutating func addElementCheck(of value: CheckedValue, among values: [CheckedValue]) {
        let leaf = value.leaf
        guard !leaf.attribute.isOptional, !leaf.path.isEmpty else { return }
        let composite = leaf.path.dropLast()
        let others = values.filter {
            $0.leaf.name == leaf.name && $0.leaf.path != leaf.path
                && $0.leaf.path.starts(with: composite)
        }.map(\.value)
        guard !others.isEmpty else { return }
        let name = leaf.name.followed(by: leaf.path)
        add(
            .missingValue,
            PropertyReference(entity: value.property.entity, name: name),
            "required in a composite that has other values, but without a value",
            severity: .warning,
            in: value.table,
            where: "\(value.scope) AND \(value.value) IS NULL AND coalesce("
                + "\(others.joined(separator: ", ")), NULL) NOT NULL"
        )
    }
}
