package import Diagnostics
import YAMLReading

/// Something that a case does with the migrated store.
package struct CaseStep: Sendable, Hashable {
    /// What is done.
    package enum Work: Sendable, Hashable {
        /// Objects are inserted, with their default values.
        case insert(RowText)
        /// Values and links of an object are set.
        case set(NamedObject, RowText)
        /// Links are added.
        case link(NamedObject, RowText)
        /// Links are taken away.
        case unlink(NamedObject, RowText)
        /// Objects are deleted.
        case delete([NamedObject])
        /// What was done is saved; or is not, with Core Data's error code and a part of the message where they are given.
        case save(refused: CaseRefusal?)
        /// An object has these values and links.
        case expect(NamedObject, RowText)
        /// There are so many objects.
        case count(NamedObject, Int)
    }

    /// What is done.
    package var work: Work
    /// Where it stands.
    package var location: FileLocation
}

/// A refusal that is expected.
package struct CaseRefusal: Sendable, Hashable {
    /// Core Data's error code.
    package var code: Int?
    /// A part of the message.
    package var message: String?
}

extension YAMLDocument {
    private static let stepKeys = [
        "insert", "set", "link", "unlink", "delete", "save", "expect", "count",
    ]

    /// Reads the steps behind `then`; one that is about several objects becomes several.
    mutating func caseSteps(_ node: YAMLNode) -> [CaseStep] {
        items(node, "'then'").flatMap { caseSteps(ofItem: $0) }
    }

    private mutating func caseSteps(ofItem node: YAMLNode) -> [CaseStep] {
        let place = location(node)
        if node.scalar != nil {
            guard node.string == "save" else {
                unknown(node, among: Self.stepKeys)
                return []
            }
            return [CaseStep(work: .save(refused: nil), location: place)]
        }
        var steps: [CaseStep] = []
        for (key, value) in entries(node, "a step") {
            for work in works(key, value) {
                let place = FileLocation(
                    path: path,
                    line: key.mark.line,
                    column: key.mark.column
                )
                steps.append(CaseStep(work: work, location: place))
            }
        }
        return steps
    }

    private mutating func works(_ key: YAMLNode, _ value: YAMLNode) -> [CaseStep.Work] {
        switch key.scalar?.string {
        case "insert":
            guard value.mapping != nil else {
                report("write entities and their rows behind 'insert'", at: value)
                return []
            }
            return [.insert(RowText(rows: value, path: path))]
        case "set": return objects(value, "'set'").map { .set($0, $1) }
        case "link": return objects(value, "'link'").map { .link($0, $1) }
        case "unlink": return objects(value, "'unlink'").map { .unlink($0, $1) }
        case "expect": return objects(value, "'expect'").map { .expect($0, $1) }
        case "delete":
            let nodes = value.scalar == nil ? items(value, "'delete'") : [value]
            return [.delete(nodes.compactMap { object($0) })]
        case "save": return [.save(refused: refusedSave(value))]
        case "count":
            return entries(value, "'count'").compactMap { key, value in
                guard let name = object(key) else { return nil }
                guard let count = value.int, count >= 0 else {
                    report("write a number", at: value)
                    return nil
                }
                return .count(name, count)
            }
        default:
            unknown(key, among: Self.stepKeys)
            return []
        }
    }

    private mutating func object(_ node: YAMLNode) -> NamedObject? {
        text(node, "an object").map { NamedObject(name: $0, location: location(node)) }
    }

    private mutating func objects(
        _ node: YAMLNode,
        _ what: String
    ) -> [(NamedObject, RowText)] {
        entries(node, what).compactMap { key, value in
            guard let name = object(key) else { return nil }
            guard value.mapping != nil else {
                report("write properties and their values behind '\(name.name)'", at: value)
                return nil
            }
            return (name, RowText(value, path: path))
        }
    }

    private mutating func refusedSave(_ node: YAMLNode) -> CaseRefusal? {
        if node.isNull { return nil }
        let found = entries(node, "'save'")
        guard found.count == 1, found[0].key.string == "refused" else {
            if node.mapping != nil { report("write 'refused' behind 'save'", at: node) }
            return nil
        }
        return refusal(found[0].value)
    }

    /// Reads a code alone, or a code and what the message must say.
    mutating func refusal(_ node: YAMLNode) -> CaseRefusal {
        var refusal = CaseRefusal()
        if node.isNull { return refusal }
        if node.scalar != nil {
            refusal.code = node.int
            if refusal.code == nil { report("write a number", at: node) }
            return refusal
        }
        for (key, value) in entries(node, "an ending") {
            switch key.string {
            case "code":
                refusal.code = value.int
                if refusal.code == nil { report("write a number", at: value) }
            case "message": refusal.message = text(value, "'message'")
            default: unknown(key, among: ["code", "message"])
            }
        }
        return refusal
    }
}
