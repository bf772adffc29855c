import Diagnostics

/// What to do when two branches added a version of one name.
struct VersionAdvice {
    let message: String
    private(set) var notes: [Wording]

    init(path: String, checksums: (ours: String, theirs: String)) {
        let folder = path.split(separator: "/").last { $0.hasSuffix(".xcdatamodel") }
        let name = folder.map { String($0.dropLast(".xcdatamodel".count)) }
        let title = name.map { "the version '\($0)'" } ?? "a version with this name"
        message = "both sides add \(title), but their models differ"
        let isEqual = checksums.ours == checksums.theirs
        let hashes =
            isEqual
            ? "both have the checksum \(checksums.ours): a store of one opens with the other;"
                + " keep either of them"
            : "they have the checksums \(checksums.ours) (ours) and \(checksums.theirs) (theirs):"
                + " a store of one does not open with the other"
        notes = [
            Wording(hashes),
            """
            the version that shipped keeps the name, or ours if neither did; rename the folder of the other one to the next \
            free number, and make its changes on top of the first
            """,
            """
            renaming changes no hash; the changes affect the hashes of what they touch, which is harmless \
            before the version ships
            """,
            "then name the new folder in .xccurrentversion, in the project and in the lock",
        ]
        let suffix = ".xcdatamodeld"
        guard let end = path.firstRange(of: suffix + "/"), path.hasSuffix("/contents") else {
            return
        }
        let bundle = path[..<end.lowerBound] + suffix
        notes.append(
            """
            if ours did not ship, make our changes on top of theirs: \(.bringingOver(path: String(bundle), source: path))
            """
        )
    }
}
