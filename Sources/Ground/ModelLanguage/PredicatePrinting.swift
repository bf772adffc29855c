extension Predicate: CustomStringConvertible {
    /// The predicate as `NSPredicate` prints it, except that truth values stay `TRUE` and `FALSE`.
    ///
    /// Parsing the text gives an equal predicate.
    package var description: String {
        switch self {
        case .constant(let value): value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .comparison(let comparison): comparison.description
        case .and(let predicates): predicates.map(\.asOperand).joined(separator: " AND ")
        case .or(let predicates): predicates.map(\.asOperand).joined(separator: " OR ")
        case .not(let predicate): "NOT \(predicate.asOperand)"
        }
    }

    private var asOperand: String {
        switch self {
        case .constant, .comparison: description
        case .and, .or, .not: "(\(description))"
        }
    }
}

extension PredicateComparison: CustomStringConvertible {
    package var description: String {
        let prefix =
            switch modifier {
            case .direct: ""
            case .all: "ALL "
            case .any: "ANY "
            }
        return "\(prefix)\(left) \(`operator`.text)\(options.text) \(right)"
    }
}

extension PredicateComparison.Options {
    fileprivate var text: String {
        let letters: [(PredicateComparison.Options, String)] = [
            (.caseInsensitive, "c"), (.diacriticInsensitive, "d"), (.normalized, "n"),
            (.localeSensitive, "l"),
        ]
        let present = letters.filter { contains($0.0) }.map(\.1).joined()
        return present.isEmpty ? "" : "[\(present)]"
    }
}

extension PredicateExpression: CustomStringConvertible {
    /// The expression as `NSExpression` prints it, except that truth values stay `TRUE` and `FALSE`.
    ///
    /// For a derivation expression this is the text in version hashes (VersionHashes, "Derived attributes"). Parsing
    /// the text gives an equal expression.
    package var description: String {
        switch self {
        case .constant(let constant): constant.description
        case .evaluatedObject: "SELF"
        case .variable(let name): "$\(name)"
        case .keyPath(.evaluatedObject, let path): escaped(path)
        case .keyPath(let operand, let path): "\(operand.asOperand(above: .postfix)).\(path)"
        case .function(let operand, let selector, let arguments):
            functionText(operand: operand, selector: selector, arguments: arguments)
        case .aggregate(let elements): "{\(list(elements))}"
        case .subquery(let collection, let variable, let predicate):
            "SUBQUERY(\(collection), $\(variable), \(predicate))"
        case .ternary(let condition, let first, let second):
            "TERNARY(\(condition), \(first), \(second))"
        case .symbol(let symbol): symbol.rawValue
        }
    }

    fileprivate func asOperand(above level: Level) -> String {
        if case .function(nil, let selector, let arguments) = self,
            let infix = infixes[selector], infix.level < level,
            arguments.count == 2
        {
            return "(\(self))"
        }
        // `-1[0]` and `-1.x` would negate less than they seem to.
        if level == .postfix, case .constant = self { return "(\(self))" }
        return description
    }
}

extension PredicateExpression.Constant: CustomStringConvertible {
    package var description: String {
        switch self {
        case .null: "nil"
        case .boolean(let value): value ? "TRUE" : "FALSE"
        case .integer(let value): String(value)
        case .double(let value): String(value)
        case .string(let text): quoted(text)
        case .date(let seconds): "CAST(\(seconds), \"NSDate\")"
        }
    }
}

private enum Level: Int, Comparable {
    case bitwise
    case sum
    case sumRight
    case product
    case productRight
    case power
    case postfix

    static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
}

private struct Infix {
    var sign: String
    var level: Level
    var left: Level
    var right: Level
}

private let infixes: [String: Infix] = {
    var infixes: [String: Infix] = [
        "raise:toPower:": Infix(sign: "**", level: .power, left: .postfix, right: .postfix)
    ]
    for (sign, selector) in sumSelectors {
        infixes[selector] = Infix(sign: sign, level: .sum, left: .sum, right: .sumRight)
    }
    for (sign, selector) in productSelectors {
        infixes[selector] = Infix(sign: sign, level: .product, left: .product, right: .productRight)
    }
    for (sign, selector) in bitwiseSelectors {
        infixes[selector] = Infix(sign: sign, level: .bitwise, left: .postfix, right: .postfix)
    }
    return infixes
}()

private func functionText(
    operand: PredicateExpression?,
    selector: String,
    arguments: [PredicateExpression]
) -> String {
    if let operand {
        let rest = arguments.map { ", \($0)" }.joined()
        return "FUNCTION(\(operand), \(quoted(selector))\(rest))"
    }
    if arguments.count == 2 {
        if let infix = infixes[selector] {
            let left = arguments[0].asInfixOperand(above: infix.left)
            let right = arguments[1].asInfixOperand(above: infix.right)
            return "\(left) \(infix.sign) \(right)"
        }
        if selector == "objectFrom:withIndex:" {
            return "\(arguments[0].asOperand(above: .postfix))[\(arguments[1])]"
        }
        if selector == "castObject:toType:" { return "CAST(\(list(arguments)))" }
    }
    if selector == "onesComplement:", arguments.count == 1 {
        return "~\(arguments[0].asInfixOperand(above: .postfix))"
    }
    return "\(selector)(\(list(arguments)))"
}

extension PredicateExpression {
    fileprivate func asInfixOperand(above level: Level) -> String {
        if case .constant = self { return description }
        return asOperand(above: level)
    }
}

private func list(_ expressions: [PredicateExpression]) -> String {
    expressions.map(\.description).joined(separator: ", ")
}

private func escaped(_ path: String) -> String {
    let first = path.prefix { $0 != "." }
    return reservedWords.contains(first.uppercased()) ? "#" + path : path
}

private func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": result += "\\\""
        case "\\": result += "\\\\"
        case "\n": result += "\\n"
        case "\r": result += "\\r"
        case "\t": result += "\\t"
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result + "\""
}
