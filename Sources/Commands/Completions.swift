import ArgumentParser
import Essentials
import FileSystem
import ModelChecking
import Momtool
import Reporting

extension CompletionKind {
    /// Files and folders that a model may be; a shell enters folders by itself.
    static let model = Self.file(extensions: [
        "xcdatamodeld", "xcdatamodel", "momd", "mom", "swift",
    ])

    /// Files that a store may be.
    static let store = Self.file(extensions: ["sqlite", "store", "db", "storedata"])

    /// The rules of lint.
    static let rule = Self.list(Rule.all.map(\.id.rawValue))

    /// The versions of the models that the line names so far.
    static let version = Self.custom { words, _, _ in versionNames(in: words) }
}

/// Returns the names of the versions of the models among words; what is none is passed over.
private func versionNames(in words: [String]) -> [String] {
    let endings = ["xcdatamodeld", "xcdatamodel", "momd"]
    var names: [String] = []
    for word in words {
        let path = trimmedPath(word)
        guard endings.contains(where: { path.hasSuffix("." + $0) }),
            let bundle = try? ModelPlace(path).read().value
        else { continue }
        names += bundle.versions.map(\.name)
    }
    return names
}

extension OutputRequest {
    static var defaultCompletionKind: CompletionKind {
        .list(ReportFormat.allCases.map(\.rawValue))
    }
}
