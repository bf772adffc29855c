import ObjectModel

/// Guesses what attribute has made a column.
struct AttributeGuesses {
    let evidence: StoreEvidence
    let names: NameGuesses
    /// How often attributes that are proven have each type, by the types of their columns.
    var habits: [String: [AttributeType: Int]] = [:]

    func draft(of column: StoreEvidence.Column) -> PropertyDraft {
        // Rows without a value are those of an attribute that may be nil, but for what a migration left behind.
        let isPartial = evidence.isPartial(column, of: column.owner)
        var guesses: [PropertyDraft.Guess] = []
        let usual = habits[column.declaredType]?.max {
            ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue)
        }
        for (place, text) in column.texts.enumerated() {
            for name in names.spellings(of: text).prefix(8) {
                for (attribute, cost) in types(of: column, named: name.name) {
                    let cost = attribute.type == usual?.key ? Swift.min(cost, 1) : cost
                    for isOptional in [true, false] {
                        var attribute = attribute
                        attribute.isOptional = isOptional
                        let surprise = isPartial && !isOptional ? 30 : 0
                        let total = name.cost + cost + 15 * place + surprise
                        guesses.append(PropertyDraft.Guess(.attribute(attribute), cost: total))
                    }
                }
            }
        }
        var draft = PropertyDraft(
            owner: column.owner,
            source: "column \(column.name) of \(column.table)",
            guesses: guesses
        )
        draft.settle()
        return draft
    }

    private func types(
        of column: StoreEvidence.Column,
        named name: String
    ) -> [(Attribute, Int)] {
        func attribute(_ type: AttributeType, isExternal: Bool = false) -> Attribute {
            Attribute(name: name, type: type, allowsExternalBinaryDataStorage: isExternal)
        }
        let values = column.values
        switch column.declaredType {
        case "INTEGER": return integers(values, name).map { (attribute($0), $1) }
        case "FLOAT":
            let single = values.needsDouble ? [] : [(attribute(.float), values.present > 3 ? 4 : 8)]
            return [(attribute(.double), 0)] + single
        case "TIMESTAMP": return [(attribute(.date), 0)]
        case "DECIMAL": return [(attribute(.decimal), 0)]
        case "VARCHAR": return [(attribute(.string), 0), (attribute(.uri), 18)]
        case "BLOB":
            let isUUID = values.present > 0 && values.uuids == values.present
            let isOutside = values.present > 0 && values.prefixed == values.present
            let words = Vocabulary.parts(of: name)
            let isNamed = words.contains("id") || words.contains("uuid")
            var types = [
                (attribute(.binary), isUUID ? 12 : 2), (attribute(.transformable), isUUID ? 14 : 4),
            ]
            if isUUID || values.present == 0 {
                types.append((attribute(.uuid), isUUID || isNamed ? 0 : 6))
            }
            if isOutside || values.present == 0 {
                types.append((attribute(.binary, isExternal: true), isOutside ? 0 : 8))
                types.append((attribute(.transformable, isExternal: true), isOutside ? 4 : 16))
            }
            return types
        default: return [(attribute(.string), 20)]
        }
    }

    private func integers(
        _ values: StoreEvidence.ValueFacts,
        _ name: String
    ) -> [(AttributeType, Int)] {
        let (least, greatest) = (values.least ?? 0, values.greatest ?? 0)
        var types: [(AttributeType, Int)] = []
        let first = Vocabulary.parts(of: name).first ?? ""
        let isQuestion =
            ["is", "has", "should", "can", "was", "did", "needs", "allow", "allows"].contains(first)
            || name.hasSuffix("ed")
        if least >= 0, greatest <= 1 {
            types.append((.boolean, isQuestion || (greatest == 1 && values.present > 2) ? 0 : 5))
        }
        let further = isQuestion ? 8 : 0
        if least >= -32_768, greatest <= 32_767 { types.append((.integer16, 2 + further)) }
        if least >= -2_147_483_648, greatest <= 2_147_483_647 {
            types.append((.integer32, 3 + further))
        }
        return types + [(.integer64, 3 + further)]
    }
}
