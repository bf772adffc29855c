/// A target that the manifest of a package declares.
package struct PackageTarget: Sendable, Hashable {
    /// Its name; `nil` where the manifest computes it.
    package let name: String?
    package let folder: String
    /// The files and folders in it that it leaves out.
    package let excluded: [String]
    /// The line of their list.
    package let exclusionLine: Int
}

/// Reads the targets in the manifest of a package, apart from those of tests, as far as its text shows them; their paths
/// begin with the folder of the package.
package func readPackageTargets(_ text: String, in folder: String) -> [PackageTarget] {
    // The slashes of a URL begin no comment.
    let code = text.replacing(/([^:]|^)\/\/.*/) { $0.1 }
    // Dependencies may be calls in calls, and name targets too.
    let target = /(\w*)arget\(\s*name:((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*)/
    return code.matches(of: target).compactMap { match in
        let name = match.2.prefixMatch(of: /\s*"([^"]+)"/)?.1
        let path = match.2.firstMatch(of: /\bpath:\s*"([^"]+)"/)?.1
        guard match.1 != "testT", let inner = path ?? name.map({ "Sources/" + $0 }),
            !inner.split(separator: "/").contains("..")
        else { return nil }
        func place(_ path: String) -> String {
            let parts = PathParts("\(inner)/\(path)").parts
            return ((folder == "." && !parts.isEmpty ? [] : [folder]) + parts)
                .joined(separator: "/")
        }
        let list = match.2.firstMatch(of: /\bexclude:\s*\[([^\]]*)/)
        let before = code[..<(list?.range.lowerBound ?? match.range.lowerBound)]
        return PackageTarget(
            name: name.map { String($0) },
            folder: place(""),
            excluded: list?.1.matches(of: /"([^"]*)"/).map { place(String($0.1)) } ?? [],
            exclusionLine: before.count(where: \.isNewline) + 1
        )
    }
}
