package import ModelLanguage
import ObjectModel
package import PropertyLists

/// Returns the expression in an archive; `nil` when a part of it is not understood.
package func decodedExpression(_ archive: KeyedArchive) -> PredicateExpression? {
    archive.root.flatMap { ArchiveReader(archive: archive, path: "", entryLimit: 0).expression($0) }
}

/// Returns the expression at an index of an archive; `nil` when a part of it is not understood.
package func decodedExpression(
    _ archive: KeyedArchive,
    at reference: KeyedArchive.Reference
) -> PredicateExpression? {
    ArchiveReader(archive: archive, path: "", entryLimit: 0).expression(reference)
}

extension ArchiveReader {
    /// Returns the text of an archived predicate; `nil` when a part of it is not understood.
    func predicateText(_ reference: Reference) -> String? {
        guard let predicate = predicate(reference) else { return nil }
        let text = predicate.description
        // An archive can hold what no text expresses, such as keys with blanks.
        return (try? Predicate(parsing: text)) == predicate ? text : nil
    }

    /// Returns the text of an archived expression; `nil` when a part of it is not understood.
    func expressionText(_ reference: Reference) -> String? {
        guard let expression = expression(reference) else { return nil }
        let text = expression.description
        let parsed = try? PredicateExpression(parsing: text)
        return parsed == expression.withCollectionFunctions ? text : nil
    }

    func predicate(_ reference: Reference) -> Predicate? {
        var decoder = PredicateDecoder(reader: self)
        return decoder.predicate(reference, depth: 0)
    }

    func expression(_ reference: Reference) -> PredicateExpression? {
        var decoder = PredicateDecoder(reader: self)
        return decoder.expression(reference, depth: 0)
    }

    mutating func fetchRequest(_ reference: Reference, of element: String) -> FetchRequest {
        var request = FetchRequest(name: "", entity: nil, source: source)
        guard var object = object(reference, of: ["NSFetchRequest"]) else {
            request.unrecognized.append(
                unknownObject(reference, key: "NSFetchRequest", of: element)
            )
            return request
        }
        object.skip(["NSHasFetchRequestFlags", "NSAllocationType", "NSEntityName"])
        request.entity = entityName(object.reference("NSEntity"))
        let predicate = object.reference("NSPredicate")
        if let text = predicateText(predicate) {
            request.predicate = text
        } else if predicate != .null {
            request.unrecognized.append(unknownObject(predicate, key: "NSPredicate", of: element))
        }
        request.resultType = positive(integer(&object, "NSResultType"))
        request.fetchLimit = positive(integer(&object, "NSFetchLimit"))
        request.fetchBatchSize = positive(integer(&object, "NSBatchSize"))
        if let flags = integer(&object, "NSFetchRequestFlags") { readFlags(flags, into: &request) }
        if positive(integer(&object, "NSFetchOffset")) != nil {
            invalid("a model's source cannot contain a fetch offset", element: element)
        }
        for key in [
            "NSSortDescriptors", "NSValuesToFetch", "NSValuesToGroupBy", "NSHavingPredicate",
            "NSRelationshipKeyPathsForPrefetching",
        ] {
            let value = object.reference(key)
            guard value != .null else { continue }
            request.unrecognized.append(unknownObject(value, key: key, of: element))
        }
        request.unrecognized += unread(&object, of: element)
        return request
    }

    private func positive(_ number: Int?) -> Int? { number == 0 ? nil : number }

    /// Reads the settings that differ from the defaults of a source.
    private func readFlags(_ flags: Int, into request: inout FetchRequest) {
        if flags & 1 != 0 { request.returnsDistinctResults = true }
        if flags & 2 == 0 { request.includesSubentities = false }
        if flags & 4 == 0, request.resultType != 1 { request.includesPropertyValues = false }
        if flags & 8 == 0 { request.returnsObjectsAsFaults = false }
        if flags & 16 == 0, request.resultType != 2 { request.includesPendingChanges = false }
    }

    /// Reads a fetch index; also tells whether it names the entity that it belongs to.
    mutating func fetchIndex(
        _ reference: Reference,
        of element: String
    ) -> (FetchIndex, hasOwner: Bool)? {
        guard var object = object(reference, of: ["NSFetchIndexDescription"]) else { return nil }
        let name = text(of: object.reference("NSIndexName")) ?? ""
        var index = FetchIndex(name: name, source: source)
        let hasOwner = object.reference("NSEntity") != .null
        let predicate = object.reference("NSPartialIndexPredicate")
        if predicate != .null {
            index.partialIndexPredicate = predicateText(predicate)
            if index.partialIndexPredicate == nil {
                // Without it, it would be an index on other rows.
                invalid("the predicate of index '\(name)' is not understood", element: element)
                return nil
            }
        }
        for part in elements(object.reference("NSIndexElements")) {
            guard var object = self.object(part, of: ["NSFetchIndexElementDescription"]),
                let subject = subject(&object)
            else {
                invalid("an element of index '\(name)' is not understood", element: element)
                return nil
            }
            let code = integer(&object, "NSFetchIndexElementType") ?? 0
            let collation = FetchIndex.Element.Collation(rawValue: code)
            if collation == nil {
                invalid("the type \(code) of index '\(name)' is unknown", element: element)
            }
            index.elements.append(
                FetchIndex.Element(
                    subject,
                    collation: collation ?? .binary,
                    isAscending: flag(&object, "NSAscending")
                )
            )
        }
        return (index, hasOwner)
    }

    /// Reads the subject of an element: a property, or the expression of a generated name.
    private mutating func subject(_ object: inout ArchivedObject) -> FetchIndex.Element.Subject? {
        let name = object.reference("NSPropertyName")
        for reference in [object.reference("NSIndexedProperty"), name] {
            guard var description = self.object(reference, of: ["NSExpressionDescription"]),
                let text = expressionText(description.reference("NSExpression"))
            else { continue }
            let type = integer(&description, "NSExpressionType").flatMap(AttributeType.init)
            return .expression(text, type: type?.sourceName)
        }
        return (text(of: name) ?? propertyName(name)).map { .property($0) }
    }
}
