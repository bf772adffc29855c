package import Diagnostics
package import MigrationPlanning
import ModelLanguage
import YAMLReading

/// Reads a file of value expressions, the `map` of a custom stage (MigratingInStages, "Maps").
package func readStageMap(_ text: String, path: String) -> Diagnosed<StageMap> {
    var reader = MapReader(document: YAMLDocument(path: path, rule: .invalidStagesFile))
    if let root = reader.document.parse(text) { reader.read(root) }
    return Diagnosed(reader.map, reader.document.diagnostics)
}

private struct MapReader {
    var document: YAMLDocument
    var map = StageMap()
    /// The entities under 'delete', with their places.
    var deletions: [(name: String, node: YAMLNode)] = []

    mutating func read(_ root: YAMLNode) {
        for (key, value) in document.entries(root, "the map") {
            switch key.scalar?.string {
            case "entities"?: for item in document.items(value, "'entities'") { readEntity(item) }
            case "copyRest"?: map.copiesRest = document.boolean(value) ?? true
            default: document.unknown(key, among: ["entities", "copyRest"])
            }
        }
        for (name, node) in deletions
        where map.entities.contains(where: { $0.source == name && $0.destination != nil }) {
            document.report("'\(name)' is mapped, too: leave out 'delete'", at: node)
        }
    }

    private mutating func readEntity(_ node: YAMLNode) {
        let keys = ["name", "from", "to", "where", "findOrCreate", "set", "copyRest", "delete"]
        var entity = StageMap.EntityMap(source: nil, destination: nil)
        entity.locations[""] = document.location(node)
        var name: String?
        var isDeletion = false
        let entries = document.entries(node, "an entity")
        for (key, value) in entries {
            switch key.scalar?.string {
            case "name"?: name = document.text(value, "'name'")
            case "from"?: entity.source = document.text(value, "'from'")
            case "to"?: entity.destination = document.text(value, "'to'")
            case "delete"?:
                entity.source = document.text(value, "'delete'")
                isDeletion = true
                if let name = entity.source { deletions.append((name, value)) }
            case "where"?: entity.condition = predicate(value)
            case "findOrCreate"?:
                entity.findOrCreateKeys =
                    value.scalar != nil
                    ? [document.text(value, "'findOrCreate'")].compactMap(\.self)
                    : document.items(value, "'findOrCreate'").compactMap {
                        document.text($0, "a key")
                    }
            case "set"?: readValues(value, into: &entity)
            case "copyRest"?: entity.copiesRest = document.boolean(value) ?? true
            default: document.unknown(key, among: keys)
            }
        }
        guard entity.source != nil, isDeletion || entity.destination != nil else {
            document.report("name the entities under 'from' and 'to', or under 'delete'", at: node)
            return
        }
        for (key, _) in entries where isDeletion {
            let name = key.scalar?.string ?? ""
            guard keys.contains(name), name != "delete", name != "name" else { continue }
            document.report("'delete' takes no '\(name)': it drops all objects", at: key)
        }
        entity.name =
            name ?? [entity.source, entity.destination].compactMap(\.self).joined(separator: "To")
        map.entities.append(entity)
    }

    private mutating func readValues(_ node: YAMLNode, into entity: inout StageMap.EntityMap) {
        for (key, value) in document.entries(node, "'set'") {
            guard let name = document.text(key, "a property"),
                let expression = expression(value, depth: 0)
            else { continue }
            entity.values[name] = expression
            entity.locations[name] = document.location(key)
        }
    }

    private mutating func predicate(_ node: YAMLNode) -> Predicate? {
        guard let text = document.text(node, "'where'") else { return nil }
        do { return try Predicate(parsing: text) } catch {
            document.report("the condition is not understood: \(error)", at: node)
            return nil
        }
    }

    private mutating func expression(_ node: YAMLNode, depth: Int) -> PredicateExpression? {
        guard depth < 32 else {
            document.report("the expression nests too deep", at: node)
            return nil
        }
        if let scalar = node.scalar { return scalarExpression(scalar, node) }
        guard let mapping = node.mapping, mapping.count == 1, let entry = mapping.first,
            let name = entry.key.scalar?.string
        else {
            document.report("write an expression, or one function with its arguments", at: node)
            return nil
        }
        return function(name, entry.key, entry.value, depth)
    }

    /// Plain numbers, `true`, `false` and `null` are constants; everything else is an expression.
    private mutating func scalarExpression(
        _ scalar: YAMLNode.Scalar,
        _ node: YAMLNode
    ) -> PredicateExpression? {
        if let constant = constant(node), scalar.isPlain {
            return constant
        }
        do {
            return try PredicateExpression(parsing: scalar.string)
        } catch {
            document.report("the expression is not understood: \(error)", at: node)
            return nil
        }
    }

    private func constant(_ node: YAMLNode) -> PredicateExpression? {
        if let value = node.int { return .constant(.integer(Int64(value))) }
        if let value = node.float { return .constant(.double(value)) }
        if let value = node.bool { return .constant(.boolean(value)) }
        return node.isNull ? .constant(.null) : nil
    }

    private mutating func function(
        _ name: String,
        _ key: YAMLNode,
        _ value: YAMLNode,
        _ depth: Int
    ) -> PredicateExpression? {
        switch name {
        case "constant":
            if let scalar = value.scalar {
                let isPlain = scalar.isPlain
                let constant = isPlain ? constant(value) : nil
                return constant ?? .constant(.string(scalar.string))
            }
            document.report("write a value for 'constant'", at: value)
            return nil
        case _ where name.hasPrefix("@"): return typedConstant(name, key, value)
        case "first": return single(StageMap.Function.first, value, depth)
        case "last": return single(StageMap.Function.last, value, depth)
        case "join": return call(StageMap.Function.join, value, 2...64, depth)
        case "coalesce": return call(StageMap.Function.coalesce, value, 1...64, depth)
        case "split": return call(StageMap.Function.split, value, 3...3, depth)
        case "rest": return call(StageMap.Function.rest, value, 3...3, depth)
        case "cast": return call(StageMap.Function.cast, value, 2...2, depth)
        case "lookup":
            let keys = ["entity", "key", "equals", "value"]
            return call(StageMap.Function.lookup, value, keys, depth)
        case "find": return call(StageMap.Function.find, value, ["entity", "key", "equals"], depth)
        default:
            let known = [
                "constant", "coalesce", "split", "rest", "join", "first", "last", "cast", "lookup",
                "find",
            ]
            document.unknown(key, among: known + Self.constants)
            return nil
        }
    }

    private static let constants = ["@archive", "@bytes", "@date", "@hex", "@uri", "@uuid"]

    /// A constant of a type that no plain value has.
    private mutating func typedConstant(
        _ name: String,
        _ key: YAMLNode,
        _ value: YAMLNode
    ) -> PredicateExpression? {
        guard Self.constants.contains(name) else {
            document.unknown(key, among: Self.constants)
            return nil
        }
        let text: String
        if name == "@archive" {
            text = RowText(value, path: document.path).json
        } else if let scalar = value.scalar {
            text = scalar.string
        } else {
            document.report("write a value for '\(name)'", at: value)
            return nil
        }
        return .function(
            operand: nil,
            selector: StageMap.Function.constant,
            arguments: [.constant(.string(name)), .constant(.string(text))]
        )
    }

    private mutating func single(
        _ selector: String,
        _ node: YAMLNode,
        _ depth: Int
    ) -> PredicateExpression? {
        expression(node, depth: depth + 1).map {
            .function(operand: nil, selector: selector, arguments: [$0])
        }
    }

    /// A call with a list of arguments; texts that are not expressions are constants.
    private mutating func call(
        _ selector: String,
        _ node: YAMLNode,
        _ counts: ClosedRange<Int>,
        _ depth: Int
    ) -> PredicateExpression? {
        let items = document.items(node, "the function")
        guard counts.contains(items.count) else {
            let least = counts.lowerBound
            document.report("the function takes \(least) or more arguments", at: node)
            return nil
        }
        let arguments = items.compactMap { item -> PredicateExpression? in
            if let scalar = item.scalar, constant(item) == nil || !scalar.isPlain,
                !scalar.string.contains("$"), !scalar.string.contains("(")
            {
                return .constant(.string(scalar.string))
            }
            return expression(item, depth: depth + 1)
        }
        guard arguments.count == items.count else { return nil }
        return .function(operand: nil, selector: selector, arguments: arguments)
    }

    /// A call with named arguments; all but `equals` are plain names.
    private mutating func call(
        _ selector: String,
        _ node: YAMLNode,
        _ names: [String],
        _ depth: Int
    ) -> PredicateExpression? {
        var found: [String: PredicateExpression] = [:]
        for (key, value) in document.entries(node, "the function") {
            guard let name = key.scalar?.string, names.contains(name) else {
                document.unknown(key, among: names)
                continue
            }
            if name == "equals" {
                found[name] = expression(value, depth: depth + 1)
            } else if let text = document.text(value, "'\(name)'") {
                found[name] = .constant(.string(text))
            }
        }
        let arguments = names.compactMap { found[$0] }
        guard arguments.count == names.count else {
            document.report("the function needs: \(names.joined(separator: ", "))", at: node)
            return nil
        }
        return .function(operand: nil, selector: selector, arguments: arguments)
    }
}
