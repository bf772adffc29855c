import Essentials
package import SwiftDataReading

package struct SwiftSourceChoice: Sendable {
    /// The exclusions, each by its components.
    private let excluded: [[String]]

    package init(_ options: SwiftReadingOptions) {
        excluded = options.excluded.map { path in
            path.split(separator: "/").filter { $0 != "." }.map(String.init)
        }
    }

    /// Returns the files that belong to the app, in order: no excluded ones, and none of a test target, unless only these
    /// declare models or `root` is one.
    package func chosen(_ sources: [SwiftSource], below root: String) -> [SwiftSource] {
        chosen(sources, below: root, \.path, isTest: \.importsTests, holdsModels: \.mentionsModels)
    }

    /// Returns the files that belong to the app, in order, by what is known of each.
    package func chosen<File>(
        _ files: [File],
        below root: String,
        _ path: (File) -> String,
        isTest: (File) -> Bool,
        holdsModels: (File) -> Bool
    ) -> [File] {
        let named = excluded.isEmpty ? files : files.filter { !isExcluded(path($0)) }
        let own = named.filter { !isTest($0) && !Self.isOfTests(path($0), below: root) }
        return own.contains(where: holdsModels) ? own : named
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

    private static func isOfTests(_ path: String, below root: String) -> Bool {
        let inner = path.hasPrefix(root) ? path.dropFirst(root.count) : path[...]
        return inner.split(separator: "/").dropLast().contains { $0.hasSuffix("Tests") }
    }
}

/// Whether a name matches a pattern, in which `*` means any characters.
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
    /// Whether it may declare a class of a model.
    fileprivate var mentionsModels: Bool { bytes.firstRange(of: Array("@Model".utf8)) != nil }

    fileprivate var importsTests: Bool {
        ["import XCTest", "import Testing"].contains { name in
            bytes.firstRange(of: Array(name.utf8)) != nil
        }
    }
}
