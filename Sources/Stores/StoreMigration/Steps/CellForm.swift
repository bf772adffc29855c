import MigrationPlanning
import ModelLanguage
package import ObjectModel
import RowExchange
import SQLiteAccess

package struct CellForm: Sendable, Hashable {
    package var type: AttributeType
    /// Whether values may be in external files, so that a leading byte says where they are.
    package var isExternal: Bool
}

extension SQLOperand {
    /// The value in the form of a cell; what does not fit is noted.
    ///
    /// Throws when values of its type have no such form, with an expression that has.
    func fitted(
        to form: CellForm,
        of expression: PredicateExpression,
        _ translation: inout PredicateTranslation
    ) throws(UntranslatablePredicate) -> SQLOperand {
        let value = try fitted(to: form.type, of: expression, &translation)
        guard form.isExternal else { return value }
        return SQLOperand(
            sql: "\(ExternalForm.adding)(\(value.sql))",
            type: form.type,
            isStored: true
        )
    }

    private func fitted(
        to type: AttributeType,
        of expression: PredicateExpression,
        _ translation: inout PredicateTranslation
    ) throws(UntranslatablePredicate) -> SQLOperand {
        if let constant { return try Self.literal(constant, of: type) }
        guard let own = self.type, own != .undefined else {
            return fitted(ValueFitting(type: type), .misfit(type), &translation)
        }
        if own == type, isStored || !type.isNumber { return self }
        if own == .uri, type == .string { return self }
        // Only the app can read the output of its own transformer.
        if case .function(_, StageMap.Function.constant, _) = expression, own == .binary,
            type == .transformable
        {
            return self
        }
        guard [own, type].allSatisfy({ $0.isNumber || $0 == .decimal }) else {
            let cure = type.cast(of: "value", from: own).map { "; write \($0)" } ?? ""
            throw UntranslatablePredicate(
                "'\(expression)' is \(own.sourceName ?? "a value"), not "
                    + "\(type.sourceName ?? "a value")\(cure)"
            )
        }
        let fitting = ValueFitting(type: type, origin: own)
        return fitted(fitting, .misfit(type), &translation)
    }

    /// The value as another type, by an explicit cast; what does not fit is noted.
    func cast(
        to type: AttributeType,
        _ translation: inout PredicateTranslation
    ) throws(UntranslatablePredicate) -> SQLOperand {
        let own = Self.commonType(of: [self])
        if own == type, isStored { return self }
        guard own.map({ $0.isCastable(to: type) }) ?? true else {
            throw UntranslatablePredicate(
                "a value of \(own?.sourceName ?? "no type") cannot be cast to "
                    + (type.sourceName ?? "this")
            )
        }
        let fitting = ValueFitting(type: type, origin: own, isCast: true)
        return fitted(fitting, .cast(type), &translation)
    }

    private func fitted(
        _ fitting: ValueFitting,
        _ reason: ValueLoss.Reason,
        _ translation: inout PredicateTranslation
    ) -> SQLOperand {
        translation.note(reason, where: fitting.misfit(of: sql))
        return SQLOperand(sql: fitting.sql(of: sql), type: fitting.type, isStored: true)
    }

    /// Refuses what cannot be text, and notes what the rows hold besides.
    func requireText(
        for function: String,
        _ translation: inout PredicateTranslation
    ) throws(UntranslatablePredicate) {
        switch Self.commonType(of: [self]) {
        case .string?, .uri?: return
        case nil where constant == .null: return
        case nil, .undefined?:
            translation.note(.cast(.string), where: "typeof(\(sql)) NOT IN ('text', 'null')")
        case let type?:
            throw UntranslatablePredicate(
                "'\(function)' needs a string, not \(type.sourceName ?? "this"); write "
                    + "{cast: [value, string]}"
            )
        }
    }

    private static func literal(
        _ constant: PredicateExpression.Constant,
        of type: AttributeType
    ) throws(UntranslatablePredicate) -> SQLOperand {
        func operand(_ sql: String) -> SQLOperand {
            SQLOperand(sql: sql, type: type, constant: constant, isStored: true)
        }
        let value = constant.text
        func refused() -> UntranslatablePredicate {
            UntranslatablePredicate(
                "the constant \(value) is not a valid \(type.sourceName ?? "value")"
            )
        }
        switch (constant, type) {
        case (.null, _): return operand("NULL")
        case (.boolean(let truth), _) where type.isNumber: return operand(truth ? "1" : "0")
        case (.integer(let number), _) where type.isNumber || type == .decimal:
            let fitted = ValueFitting(type: type).fit(.integer(number))
            guard fitted.isWhole else { throw refused() }
            return operand("(\(number))")
        case (.double(let number), _) where type.isNumber || type == .decimal:
            let fitted = ValueFitting(type: type).fit(.real(number))
            switch fitted.value {
            case .integer(let whole) where fitted.isWhole: return operand("(\(whole))")
            // A person who writes 0.1 means the nearest Float.
            case .real(let real) where abs(real - number) <= abs(number) * 1e-7:
                return operand("(\(real))")
            default: throw refused()
            }
        case (.string(let text), .string), (.string(let text), .uri):
            return operand(quotedText(text))
        case (.date(let seconds), .date): return operand("(\(seconds))")
        default:
            let cure = type.constant.map { "; write \($0)" } ?? ""
            throw UntranslatablePredicate(refused().reason + cure)
        }
    }
}

extension PredicateExpression.Constant {
    fileprivate var text: String { PredicateExpression.constant(self).description }
}

extension AttributeType {
    /// A map's notation of a constant of the type; `nil` for numbers and text.
    fileprivate var constant: String? {
        switch self {
        case .string: "{constant: text}"
        case .date: "{'@date': 2001-01-31T12:30:00Z}"
        case .uuid: "{'@uuid': 01234567-89AB-CDEF-0123-456789ABCDEF}"
        case .uri: "{'@uri': 'x://y'}"
        case .binary: "{'@bytes': base64}"
        case .transformable: "{'@archive': []}"
        default: nil
        }
    }
}
