import Diagnostics
import ModelLanguage
package import ObjectModel
package import SQLiteAccess
package import StoreFormat
import TextMatching

/// Translates a predicate about an entity to a condition about row `t` of its table.
func sqlCondition(
    _ text: String,
    about entity: String,
    _ store: LaidOutStore
) throws(StoreError) -> String {
    let (layout, connection) = (store.layout, store.connection)
    let predicate: ModelLanguage.Predicate
    do throws(PredicateSyntaxError) {
        predicate = try ModelLanguage.Predicate(parsing: text)
    } catch {
        let message =
            "at byte \(error.offset + 1) of the predicate: \(error); write it in NSPredicate's format: "
            + "title BEGINSWITH \"A\" AND price > 10"
        throw .rows(Diagnostic(.unusablePredicate, message))
    }
    try registerFoldings(on: connection)
    var translation = PredicateTranslation(layout)
    translation.storeUUID = store.metadata.uuid
    let condition: String
    do throws(UntranslatablePredicate) {
        condition = try translation.sql(predicate, of: RowScope(row: "t", entity: entity))
    } catch {
        let message = "\(error.reason); the predicate is for \(entity)"
        throw .rows(Diagnostic(.unusablePredicate, message))
    }
    do throws(StoreError) {
        let table = layout.table(of: entity).map { quotedIdentifier($0.name) } ?? "NULL"
        _ = try connection.rows("SELECT 1 FROM \(table) AS t WHERE \(condition) LIMIT 0")
    } catch .sqlite(_, let code, let message, _) where code & 0xFF == 1 {
        // SQLITE_ERROR: more terms or levels than SQLite takes.
        throw .rows(Diagnostic(.unusablePredicate, "too complex for SQLite: \(message)"))
    }
    return condition
}

package struct UntranslatablePredicate: Error {
    /// What cannot be translated; lower case, no final period.
    package var reason: String

    package init(_ reason: String) { self.reason = reason }
}

/// The functions for comparing text regardless of case and diacritics, by the options of the language.
private let foldings: [(name: String, options: Folding)] = [
    ("momtool_fold_1", .cases), ("momtool_fold_2", .marks), ("momtool_fold_3", [.cases, .marks]),
]

package func registerFoldings(on connection: SQLiteConnection) throws(StoreError) {
    for (name, options) in foldings { try connection.register(name) { $0.folded(options) } }
    try registerDerivationFunctions(on: connection)
}

/// Registers the text operations of derived attributes that SQLite lacks.
package func registerDerivationFunctions(on connection: SQLiteConnection) throws(StoreError) {
    try connection.register("momtool_canonical") { $0.folded([.cases, .marks]) }
    try connection.register("momtool_uppercase") { $0.uppercased() }
    try connection.register("momtool_lowercase") { $0.lowercased() }
    try connection.register(PredicateTranslation.lengthFunction, arguments: 1) { values in
        switch values[0] {
        case .text(let text): .integer(Int64(text.utf16.count))
        case .blob(let bytes): .integer(Int64(bytes.count))
        case .null, .integer, .real: .null
        }
    }
}

/// Returns the SQL of a derived attribute's value for a row; throws where SQL cannot express the derivation.
package func derivedValue(
    _ derivation: Attribute.Derivation,
    of scope: RowScope,
    _ layout: StoreLayout
) throws(UntranslatablePredicate) -> String {
    guard derivation.filteringPredicate?.isEmpty != false else {
        throw UntranslatablePredicate("the meaning of its filtering predicate is unknown")
    }
    guard let expression = try? PredicateExpression(parsing: derivation.expression) else {
        throw UntranslatablePredicate("'\(derivation.expression)' is not understood")
    }
    var translation = PredicateTranslation(layout)
    return try translation.sql(expression, of: scope).sql
}

extension PredicateTranslation {
    /// Converts both sides of a comparison of objects to keys.
    ///
    /// A text that is compared with an object names one: `SELF == 'Order/p5'`, or the URI that Core Data logs,
    /// `customer == 'x-coredata://UUID/Customer/p3'`. Keys are unique within a hierarchy of entities, which shares a
    /// table; objects of different tables are never equal.
    func objects(
        _ left: SQLOperand,
        _ right: SQLOperand
    ) throws(UntranslatablePredicate) -> (SQLOperand, SQLOperand) {
        guard storeUUID != nil else { return (left, right) }
        if let own = left.entity, let other = right.entity {
            return (left, layout.sharesTable(own, other) ? right : Self.noObject)
        }
        if let entity = left.entity { return (left, try object(right, amongRowsOf: entity)) }
        if let entity = right.entity { return (try object(left, amongRowsOf: entity), right) }
        return (left, right)
    }

    /// The key of the object that a text names; other operands stay as they are.
    private func object(
        _ operand: SQLOperand,
        amongRowsOf entity: String
    ) throws(UntranslatablePredicate) -> SQLOperand {
        guard case .string(let text)? = operand.constant else { return operand }
        guard let object = ObjectReference(text) else {
            throw UntranslatablePredicate(
                "'\(text)' is not an object; write Order/p5 or x-coredata://UUID/Order/p5"
            )
        }
        if let store = object.store, let storeUUID, store.uppercased() != storeUUID.uppercased() {
            throw UntranslatablePredicate(
                "'\(text)' belongs to another store; this one is \(storeUUID)"
            )
        }
        guard layout.table(of: object.entity) != nil else {
            let nearest = suggestion(for: object.entity, among: layout.entities.map(\.name))
            throw UntranslatablePredicate("there is no entity '\(object.entity)'\(nearest)")
        }
        guard layout.sharesTable(object.entity, entity) else { return Self.noObject }
        return SQLOperand(sql: "(\(object.key))", type: .objectID)
    }

    /// A key that no object has: they count up from 1.
    private static let noObject = SQLOperand(sql: "(-1)", type: .objectID)
}

extension StoreLayout {
    fileprivate func sharesTable(_ first: String, _ second: String) -> Bool {
        table(of: first)?.name == table(of: second)?.name
    }
}
