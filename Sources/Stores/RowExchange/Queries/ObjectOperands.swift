import Diagnostics
import ModelLanguage
import ObjectModel
import StoreFormat

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
