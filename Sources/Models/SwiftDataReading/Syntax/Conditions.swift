/// The answers to the conditions of `#if` in a build.
struct BuildConditions: Sendable, Hashable {
    var definitions: Set<String>
    var platform: String
    /// Conditions whose answer is inverted, to see what depends on them.
    var inverted: Set<Condition> = []

    init(_ options: SwiftReadingOptions) {
        definitions = options.definitions
        platform = options.platform
    }

    /// Returns what `#if` keeps, in order.
    func active<Item>(_ items: [Conditional<Item>]) -> [Item] {
        var result: [Item] = []
        collect(items, into: &result)
        return result
    }

    private func collect<Item>(_ items: [Conditional<Item>], into result: inout [Item]) {
        for item in items {
            switch item {
            case .item(let item): result.append(item)
            case .choice(let branches):
                let chosen = branches.first { $0.condition.map(holds) ?? true }
                if let chosen { collect(chosen.items, into: &result) }
            }
        }
    }

    func holds(_ condition: Condition) -> Bool {
        switch condition {
        case .constant(let value): value
        case .not(let condition): !holds(condition)
        case .all(let left, let right): holds(left) && holds(right)
        case .any(let left, let right): holds(left) || holds(right)
        case .flag, .question, .unknown: answer(condition) != inverted.contains(condition)
        }
    }

    /// The elementary conditions to invert so that a condition gives an answer.
    func flips(_ condition: Condition, to answer: Bool) -> Set<Condition> {
        guard holds(condition) != answer else { return [] }
        switch condition {
        case .constant: return []
        case .not(let condition): return flips(condition, to: !answer)
        case .all(let left, let right) where answer, .any(let left, let right) where !answer:
            return flips(left, to: answer).union(flips(right, to: answer))
        case .all(let left, let right), .any(let left, let right):
            let first = flips(left, to: answer)
            return first.isEmpty ? flips(right, to: answer) : first
        case .flag, .question, .unknown: return [condition]
        }
    }

    private func answer(_ condition: Condition) -> Bool {
        switch condition {
        case .flag(let name): definitions.contains(name)
        case .question("os", let name): Self.names(platform).contains(name)
        case .question("canImport", let name):
            !Self.isForeign(name, to: platform) || definitions.contains("canImport(\(name))")
        case .question("compiler", let text), .question("swift", let text): Self.isReached(text)
        case .question("targetEnvironment", let name):
            definitions.contains("targetEnvironment(\(name))")
                || name == "macCatalyst" && platform == "macCatalyst"
        case .question("arch", let name): name == "arm64"
        case .question("hasFeature", _), .question("hasAttribute", _): true
        default: false
        }
    }

    private static func names(_ platform: String) -> Set<String> {
        switch platform {
        case "macOS", "OSX": ["macOS", "OSX"]
        case "macCatalyst": ["iOS", "macCatalyst"]
        default: [platform]
        }
    }

    /// Whether a framework is missing on a platform; unknown ones count as present.
    private static func isForeign(_ module: String, to platform: String) -> Bool {
        let module = module.split(separator: ",").first.map(String.init) ?? module
        switch module {
        case "AppKit", "Cocoa": return platform != "macOS"
        case "UIKit": return platform == "macOS"
        case "WatchKit": return platform != "watchOS"
        case "ActivityKit": return platform != "iOS"
        case "Glibc", "Musl", "WinSDK", "Android", "FoundationNetworking": return true
        default: return false
        }
    }

    /// Whether today's compiler meets a version requirement, such as `>=5.9`.
    private static func isReached(_ text: String) -> Bool {
        let text = text.filter { !$0.isWhitespace }
        let numbers = text.drop { "<>=".contains($0) }.split(separator: ".").map { Int($0) ?? 0 }
        let isOlder = numbers.lexicographicallyPrecedes([6, 4])
        return text.hasPrefix("<") ? !isOlder : isOlder
    }
}

extension Condition {
    var parts: [Condition] {
        switch self {
        case .constant: []
        case .not(let condition): condition.parts
        case .all(let left, let right), .any(let left, let right): left.parts + right.parts
        case .flag, .question, .unknown: [self]
        }
    }

    var text: String {
        switch self {
        case .constant(let value): value ? "true" : "false"
        case .flag(let name): name
        case .question(let question, let argument): "\(question)(\(argument))"
        case .not(let condition): "!" + condition.text
        case .all(let left, let right): "\(left.text) && \(right.text)"
        case .any(let left, let right): "\(left.text) || \(right.text)"
        case .unknown(let text): text
        }
    }
}
