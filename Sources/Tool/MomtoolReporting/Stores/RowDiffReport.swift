import Diagnostics
import Essentials
package import RowExchange

/// Writes the differences between the rows of two stores one by one, as text or JSON.
package struct RowDiffReport: Sendable {
    static let shape = """
        rowDifferences = report { old: string "The path of the old store.", new: string, differences?: [{
          object: string, entity: string, change: string, properties: [{ name: string, old?: any, new?: any }]
          }] "Absent with --summary.", entities: [{ entity: string, added: integer, removed: integer, changed: integer,
          same: integer }], total: { added: integer, removed: integer, changed: integer, same: integer } }
        """
    private let old: String
    private let new: String
    private let isJSON: Bool
    private let hasObjects: Bool
    private var hasDifference = false

    /// Creates a report of two stores; without objects they are only counted.
    package init(_ old: String, _ new: String, as format: ReportFormat, hasObjects: Bool) {
        (self.old, self.new, self.hasObjects) = (old, new, hasObjects)
        isJSON = format == .json
    }

    package func beginning() -> String {
        isJSON
            ? "{\n\"formatVersion\": \(reportVersion),\n\"old\": \(quoted(old)),\n\"new\": \(quoted(new)),\n"
                + (hasObjects ? "\"differences\": [" : "")
            : "old \(old.onOneLine)\nnew \(new.onOneLine)\n"
    }

    package mutating func text(of difference: RowDifference) -> String {
        guard hasObjects else { return "" }
        defer { hasDifference = true }
        if isJSON { return (hasDifference ? ",\n" : "\n") + json(difference) }
        return (hasDifference ? "" : "\n") + lines(difference)
    }

    package func end(_ comparison: RowComparison) -> String {
        isJSON ? jsonEnd(comparison) : textEnd(comparison)
    }

    private func lines(_ difference: RowDifference) -> String {
        let object = difference.object.onOneLine
        func values(_ value: (RowDifference.Property) -> String?) -> String {
            let values = difference.properties.compactMap { property in
                value(property).map { "\(property.name.onOneLine) \(short($0))" }
            }
            return values.isEmpty ? "" : "  " + values.joined(separator: ", ")
        }
        switch difference.kind {
        case .added: return "+ \(object)\(values(\.new))\n"
        case .removed: return "- \(object)\(values(\.old))\n"
        case .changed:
            let changes = difference.properties.map { property in
                let (old, new) = distinguished(property.old, property.new)
                return "    \(property.name.onOneLine)  \(short(old)) → \(short(new))\n"
            }
            return "~ \(object)\n" + changes.joined()
        }
    }

    private static let valueLimit = 80

    private func short(_ value: String?) -> String {
        guard let value else { return "nothing" }
        let shown = value.count > Self.valueLimit ? value.prefix(Self.valueLimit) + "…" : value
        return shown.onOneLine
    }

    private func textEnd(_ comparison: RowComparison) -> String {
        let rows = comparison.entities.map { name, counts in
            [name] + [counts.added, counts.removed, counts.changed, counts.same].map(\.description)
        }
        let total = comparison.total
        let table =
            rows.isEmpty
            ? ""
            : "\n" + textTable(rows, heading: ["entity", "added", "removed", "changed", "same"])
        let words =
            total.isEqual
            ? "no object differs"
            : "\(total.added) added, \(total.removed) removed, \(total.changed) changed, \(total.same) the same"
        return table + "\n\n" + words + "\n"
    }

    private func quoted(_ text: String) -> String {
        // Characters that turn the direction of text mean the same as escapes.
        plainJSON(text, isPretty: false).escaping(\.isObeyed)
    }

    private func json(_ difference: RowDifference) -> String {
        let properties = difference.properties.map { property in
            "{"
                + [
                    "\"name\": \(quoted(property.name))",
                    property.old.map { "\"old\": \(raw($0))" },
                    property.new.map { "\"new\": \(raw($0))" },
                ].compactMap(\.self).joined(separator: ", ") + "}"
        }
        return
            "{\"object\": \(quoted(difference.object)), \"entity\": \(quoted(difference.entity)), "
            + "\"change\": \"\(difference.kind.rawValue)\", "
            + "\"properties\": [\(properties.joined(separator: ", "))]}"
    }

    private func raw(_ value: String) -> String { value.escaping(\.isObeyed) }

    private func jsonEnd(_ comparison: RowComparison) -> String {
        func members(_ counts: RowComparison.Counts) -> String {
            "\"added\": \(counts.added), \"removed\": \(counts.removed), "
                + "\"changed\": \(counts.changed), \"same\": \(counts.same)"
        }
        let entities = comparison.entities.map { name, counts in
            "{\"entity\": \(quoted(name)), \(members(counts))}"
        }
        let list = entities.isEmpty ? "[]" : "[\n\(entities.joined(separator: ",\n"))\n]"
        return (hasObjects ? (hasDifference ? "\n],\n" : "],\n") : "")
            + "\"entities\": \(list),\n\"total\": {\(members(comparison.total))}\n}\n"
    }
}
