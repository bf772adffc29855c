import Essentials
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
        chosen(sources, below: root, \.path, isTest: \.importsTests, holdsModels: \.mentionsModels)
    }

    /// Returns the files that belong to the app, by what is known of each.
    ///
    /// - Parameters:
    ///   - files: the files.
    ///   - root: what the user named.
    ///   - path: the path of a file.
    ///   - isTest: whether tests are in a file.
    ///   - holdsModels: whether a class of a model may be in a file.
    /// - Returns: those that belong, in their order.
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

    /// Whether a file lies in the folder of a test target.
    private static func isOfTests(_ path: String, below root: String) -> Bool {
        let inner = path.hasPrefix(root) ? path.dropFirst(root.count) : path[...]
        return inner.split(separator: "/").dropLast().contains { $0.hasSuffix("Tests") }
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

    /// Whether tests are in it.
    fileprivate var importsTests: Bool {
        ["import XCTest", "import Testing"].contains { name in
            bytes.firstRange(of: Array(name.utf8)) != nil
        }
    }
}
