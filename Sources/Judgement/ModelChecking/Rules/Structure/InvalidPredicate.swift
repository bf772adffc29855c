import Diagnostics
import ModelLanguage
import ObjectModel

extension Rule {
    static let invalidPredicate = Rule(
        .named("invalid-predicate", .structure, .error),
        summary: "Predicates and expressions that can be read",
        rationale: """
            The model compiler stops at an invalid predicate or expression: there is then no model in the app, and it \
            can open no store.
            """,
        passing: """
            <entity name='A'><attribute name='a' optional='YES' attributeType='String'/></entity>
            <fetchRequest name='f' entity='A' predicateString='a == $a'/>
            """,
        failing: """
            <entity name='A'><attribute name='a' optional='YES' attributeType='String'/></entity>
            <fetchRequest name='f' entity='A' ◀predicateString='a == 3 AND ('/>
            """,
        """
        <entity name='A'><attribute name='a' optional='YES' attributeType='String'/>
        <attribute name='d' optional='YES' attributeType='String' derived='YES'
          ◀derivationExpression='canonical:(((a)'/></entity>
        """,
        """
        <entity name='A'><attribute name='a' optional='YES' attributeType='String'/>
        <fetchIndex name='i' ◀partialIndexPredicate='a =='><fetchIndexElement property='a' type='Binary' order='ascending'/>
        </fetchIndex></entity>
        """,
        check: .model { model in
            let requests = model.model.fetchRequestTemplates.compactMap { request in
                unreadable(request.predicate, request.source, request.name)
            }
            return requests + model.entities.flatMap(unreadableTexts)
        }
    )
}

private func unreadableTexts(in entity: Entity) -> [Violation] {
    let derived = entity.attributes.compactMap { attribute in
        unreadable(
            attribute.derivation?.expression,
            attribute.source,
            "\(entity.name).\(attribute.name)",
            attribute: "derivationExpression"
        )
    }
    let fetched = entity.fetchedProperties.compactMap { property in
        property.fetchRequest.flatMap { request in
            unreadable(request.predicate, request.source, "\(entity.name).\(property.name)")
        }
    }
    let indexed = entity.fetchIndexes.compactMap { index in
        unreadable(
            index.partialIndexPredicate,
            index.source,
            "\(entity.name).\(index.name)",
            attribute: "partialIndexPredicate"
        )
    }
    let elements = entity.fetchIndexes.flatMap { index in
        index.elements.compactMap { element -> Violation? in
            guard case .expression(let text, _) = element.subject else { return nil }
            let name = "\(entity.name).\(index.name)"
            return unreadable(text, index.source, name, attribute: "expression")
        }
    }
    return derived + fetched + indexed + elements
}

/// The breach for a text that cannot be read; `nil` for none.
private func unreadable(
    _ text: String?,
    _ source: SourceMark,
    _ element: String,
    attribute: String = "predicateString"
) -> Violation? {
    guard let text, !text.isEmpty else { return nil }
    let isPredicate = ["predicateString", "partialIndexPredicate"].contains(attribute)
    do throws(PredicateSyntaxError) {
        if isPredicate { _ = try Predicate(parsing: text) }
        if !isPredicate { _ = try PredicateExpression(parsing: text) }
        return nil
    } catch {
        let kind = isPredicate ? "predicate" : "expression"
        return Violation(
            "correct the \(kind) of '\(element)' at character \(error.offset + 1): \(error)",
            at: source.location(of: attribute),
            element: element
        )
    }
}
