import Diagnostics
import ModelLanguage
import ObjectModel
import PropertyLists

extension ModelArchiver {
    /// Adds the predicate of a text; nil, with an error, when the text is not understood.
    mutating func predicate(
        _ text: String,
        _ owner: Owner,
        _ attribute: String = "predicateString"
    ) -> Reference {
        do throws(PredicateSyntaxError) {
            return predicate(try Predicate(parsing: text), owner)
        } catch {
            reportSyntax(error, in: text, "predicate", owner, attribute)
            return .null
        }
    }

    /// Adds the expression of a text; nil, with an error, when the text is not understood.
    mutating func expression(
        _ text: String,
        _ owner: Owner,
        _ attribute: String = "expression"
    ) -> Reference {
        do throws(PredicateSyntaxError) {
            return expression(try PredicateExpression(parsing: text), owner)
        } catch {
            reportSyntax(error, in: text, "expression", owner, attribute)
            return .null
        }
    }

    private mutating func reportSyntax(
        _ error: PredicateSyntaxError,
        in text: String,
        _ kind: String,
        _ owner: Owner,
        _ attribute: String
    ) {
        let message =
            "the \(kind) of '\(owner)' is not understood at character \(error.offset + 1): \(error)"
        report("invalid-predicate", message, owner.source, attribute: attribute)
    }

    mutating func reportUnproven(_ what: String, _ owner: Owner) {
        let message = "no known compiled model has \(what), as in '\(owner)'; check the result"
        report(.unprovenCompiledForm, message, owner.source, severity: .warning)
    }

    mutating func predicate(_ predicate: Predicate, _ owner: Owner) -> Reference {
        switch predicate {
        case .constant(let value): return add(value ? .truePredicate : .falsePredicate)
        case .not(let inner): return compound(0, [inner], owner)
        case .and(let parts): return compound(1, parts, owner)
        case .or(let parts): return compound(2, parts, owner)
        case .comparison(let comparison):
            return addComparison(
                left: expression(comparison.left, owner),
                right: expression(comparison.right, owner),
                comparison,
                owner
            )
        }
    }

    private mutating func compound(
        _ type: Int64,
        _ parts: [Predicate],
        _ owner: Owner
    ) -> Reference {
        let references = parts.map { predicate($0, owner) }
        return add(
            .compoundPredicate,
            [
                "NSCompoundPredicateType": .integer(type),
                "NSSubpredicates": .reference(collection(references, .array)),
            ]
        )
    }

    mutating func addComparison(
        left: Reference,
        right: Reference,
        _ comparison: PredicateComparison,
        _ owner: Owner
    ) -> Reference {
        if [.between, .like, .matches, .beginsWith, .endsWith].contains(comparison.operator) {
            reportUnproven("the operator \(comparison.operator.text)", owner)
        }
        return add(
            .comparisonPredicate,
            [
                "NSLeftExpression": .reference(left), "NSRightExpression": .reference(right),
                "NSPredicateOperator": .reference(addOperator(of: comparison)),
            ]
        )
    }

    private mutating func addOperator(of comparison: PredicateComparison) -> Reference {
        let type = Int64(comparison.operator.rawValue)
        let options = KeyedArchive.Value.plain(.integer(Int64(comparison.options.rawValue)))
        var values: KeyedArchive.Values = [
            "NSModifier": .integer(Int64(comparison.modifier.rawValue)),
            "NSOperatorType": .integer(type),
        ]
        let classRecord: KeyedArchive.ClassRecord
        switch comparison.operator {
        case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
            classRecord = .comparisonOperator
            values["NSOptions"] = options
            values["NSVariant"] = .integer(type)
        case .equal, .notEqual:
            classRecord = .equalityOperator
            values["NSOptions"] = options
            values["NSNegate"] = .boolean(comparison.operator == .notEqual)
        case .in, .contains:
            classRecord = .inOperator
            values["NSFlags"] = options
        case .between:
            classRecord = .betweenOperator
            values["NSOptions"] = options
        case .like, .matches:
            classRecord = comparison.operator == .like ? .likeOperator : .matchingOperator
            values["NSFlags"] = options
        case .beginsWith, .endsWith:
            classRecord = .substringOperator
            values["NSFlags"] = options
            values["NSSubstringPosition"] = .plain(
                .integer(comparison.operator == .beginsWith ? 1 : 2)
            )
        }
        return add(classRecord, values)
    }

    mutating func fetchRequest(_ request: FetchRequest, of owner: String) -> Reference {
        var entity: Reference?
        if let name = request.entity {
            entity = requiredEntity(name, "fetch request '\(owner)'", request.source)
        }
        let text = request.predicate.flatMap { $0.isEmpty ? nil : $0 }
        let predicate = text.map { self.predicate($0, Owner(owner, source: request.source)) }
        var values: KeyedArchive.Values = [
            "NSEntity": .reference(entity ?? .null), "NSPredicate": .reference(predicate ?? .null),
            "NSFetchOffset": .integer(0),
            "NSFetchLimit": .integer(Int64(request.fetchLimit ?? 0)),
            "NSBatchSize": .integer(Int64(request.fetchBatchSize ?? 0)),
            "NSResultType": .integer(Int64(request.resultType ?? 0)),
            "NSHasFetchRequestFlags": .boolean(true),
            "NSFetchRequestFlags": .integer(request.archivedFlags),
        ]
        if options.era >= .xcode13 { values["NSAllocationType"] = .integer(0) }
        for key in [
            "NSSortDescriptors", "NSValuesToFetch", "NSValuesToGroupBy", "NSHavingPredicate",
            "NSRelationshipKeyPathsForPrefetching",
        ] { values[key] = .null }
        return add(.fetchRequest, values)
    }
}

extension FetchRequest {
    /// The settings as bits.
    ///
    /// Object IDs come without property values, dictionaries without pending changes, regardless of the settings. It is not
    /// proven which of 2 and 8 is which: they follow the order of Apple's documentation.
    fileprivate var archivedFlags: Int64 {
        let bits: [(Int64, Bool)] = [
            (1, returnsDistinctResults ?? false), (2, includesSubentities ?? true),
            (4, (includesPropertyValues ?? true) && resultType != 1),
            (8, returnsObjectsAsFaults ?? true),
            (16, (includesPendingChanges ?? true) && resultType != 2),
        ]
        return bits.reduce(0) { $1.1 ? $0 | $1.0 : $0 }
    }
}
