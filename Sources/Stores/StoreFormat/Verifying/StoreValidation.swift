package import Diagnostics
package import ObjectModel
package import SQLiteAccess

/// Checks the values of all rows against the limits, lengths and patterns of the model.
///
/// Core Data checks them when it saves an object, not when it opens a store, so faults stay undetected until then. What
/// the model always demands of values and links is checked by ``verify(_:against:notesJoinTables:progress:)``. There
/// are no findings when the store numbers its entities otherwise, which `verify` reports.
package func validate(
    _ file: StoreFile,
    against model: ManagedObjectModel
) throws(StoreError) -> [Diagnostic] {
    try findings(in: file, against: model) { $0.addRules() }
}

/// Checks the values of all rows against the cases of the enums that an app's sources declare.
///
/// There are no findings when the store numbers its entities otherwise.
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
