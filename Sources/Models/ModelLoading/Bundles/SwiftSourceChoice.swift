package import SwiftDataReading

/// Which Swift files belong to the app whose models are read.
package struct SwiftSourceChoice: Sendable {
    /// What is left out, each by its components.
    private let excluded: [[String]]

    /// Takes what the options say is left out.
    package init(_ options: SwiftReadingOptions) {
        excluded = options.excluded.map { path in
            path.split(separator: "/").filter { $0 != "." }.map(String.init)
        }
    }

    /// Returns the files that belong to the app: none that is left out by name, and none of a test target, unless only
    /// those declare models.
    ///
    /// - Parameters:
    ///   - sources: the files.
    ///   - root: what the user named; a test target that is named itself is read.
    /// - Returns: those that belong, in their order.
    package func chosen(_ sources: [SwiftSource], below root: String) -> [SwiftSource] {
        let named = sources.filter { !isExcluded($0.path) }
        let own = named.filter { !isTest($0, below: root) }
        return own.contains(where: \.mentionsModels) ? own : named
    }

    private func isExcluded(_ path: String) -> Bool {
        let components = path.split(separator: "/").map(String.init)
        return excluded.contains { pattern in
            guard !pattern.isEmpty, pattern.count <= components.count else { return false }
            return (0...components.count - pattern.count).contains { start in
                zip(pattern, components[start...]).allSatisfy { matches($1, $0) }
            }
        }
    }

    private func isTest(_ source: SwiftSource, below root: String) -> Bool {
        let inner =
            source.path.hasPrefix(root) ? source.path.dropFirst(root.count) : source.path[...]
        let folders = inner.split(separator: "/").dropLast()
        if folders.contains(where: { $0.hasSuffix("Tests") }) { return true }
        return ["import XCTest", "import Testing"].contains { name in
            source.bytes.firstRange(of: Array(name.utf8)) != nil
        }
    }
}

/// Says whether a name fits a pattern, in which `*` stands for any characters.
private func matches(_ name: String, _ pattern: String) -> Bool {
    let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
    guard parts.count > 1, let first = parts.first, let last = parts.last else {
        return name == pattern
    }
    guard name.hasPrefix(first), name.count >= first.count + last.count else { return false }
    var rest = name.dropFirst(first.count)
    guard rest.hasSuffix(last) else { return false }
    rest = rest.dropLast(last.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
        guard let found = rest.firstRange(of: part) else { return false }
        rest = rest[found.upperBound...]
    }
    return true
}

extension SwiftSource {
    /// Whether a class of a model may be declared in it.
    fileprivate var mentionsModels: Bool { bytes.firstRange(of: Array("@Model".utf8)) != nil }
}
