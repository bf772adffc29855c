import MappingInference
import ObjectModel
import StoreFormat

extension AttributeConversion {
    /// Whether a value of the old type is stored differently as one of the new type.
    var changesForm: Bool { sql(of: "") != "" }

    /// The converted value of a column; the column itself when the value stays as it is.
    ///
    /// What does not fit becomes the nearest value of the new type: Core Data's own choice is not on record.
    func sql(of column: String) -> String {
        switch self {
        case .none, .uriToString, .incompatible: column
        case .externalStorage(isAllowed: true): "\(ExternalForm.adding)(\(column))"
        case .externalStorage(isAllowed: false): "\(ExternalForm.removing)(\(column))"
        case .unverified: fitting?.sql(of: column) ?? column
        case .numeric(let from, let to):
            switch to {
            case .boolean: "\(column) <> 0"
            case .integer16, .integer32, .integer64: integer(column, from, to)
            case .float where [.integer32, .integer64, .double].contains(from): float(column)
            default: column
            }
        }
    }

    /// The condition for values which the new type cannot hold; `nil` when there are none.
    func misfit(of column: String) -> String? {
        if let fitting { return fitting.misfit(of: column) }
        guard case .numeric(_, let to) = self, isNarrowing else { return nil }
        return switch to {
        case .boolean: "\(column) NOT IN (0, 1)"
        case .integer16, .integer32:
            "(NOT \(to.within(column)) OR \(column) <> CAST(\(column) AS INTEGER))"
        case .integer64: "\(column) <> CAST(\(column) AS INTEGER)"
        case .double: "CAST(\(column) AS REAL) <> \(column)"
        case .float: "\(float(column)) <> \(column)"
        default: nil
        }
    }

    /// The conversion by momtool's own functions, for maps that convert Decimals from or into other numbers.
    var fitting: ValueFitting? {
        guard case .unverified(let from, let to) = self else { return nil }
        return ValueFitting(type: to, origin: from)
    }

    private func integer(_ column: String, _ from: AttributeType, _ to: AttributeType) -> String {
        let whole = from.isInteger || from == .boolean ? column : "CAST(\(column) AS INTEGER)"
        guard to != .integer64, isNarrowing else { return whole }
        return "max(\(to.integers.lowerBound), min(\(to.integers.upperBound), \(whole)))"
    }

    /// The nearest number of 24 bits, by Veltkamp's splitting: SQLite's only floating type is Double.
    private func float(_ column: String) -> String {
        let greatest = "3.4028234663852886e38"
        // A number whose last place is that of the smallest Float, so that a sum with it rounds there: 1.5 · 2⁻⁹⁷.
        let rounding = "(1.5 / (4294967296.0 * 4294967296.0 * 4294967296.0 * 2.0))"
        let size = "abs(CAST(\(column) AS REAL))"
        return "CASE WHEN \(size) = 9e999 THEN \(column) "
            + "WHEN \(column) > \(greatest) THEN \(greatest) "
            + "WHEN \(column) < -\(greatest) THEN -\(greatest) "
            + "WHEN \(size) < 1.1754943508222875e-38 "
            + "THEN CAST(\(column) AS REAL) + \(rounding) - \(rounding) "
            + "ELSE \(column) * 536870913.0 - (\(column) * 536870913.0 - \(column)) END"
    }
}
