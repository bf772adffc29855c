import Diagnostics
import Essentials
import ObjectModel
import PropertyLists

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
            the version that shipped keeps its name (ours, if neither did); rename the folder of the other to the next \
            free number, and redo its changes on top of the first
            """,
            """
            the new name changes no hash; redoing the changes does, which is harmless until the version ships
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

/// Merges the `.xccurrentversion` of a model: where both sides chose another version, the later one is current.
///
/// Faults name `path`. Throws when one of the sides names no version.
package func mergeCurrentVersion(
    _ sides: MergeSides,
    path: String
) throws(MergeFault) -> MergedFile {
    if let bytes = sides.onlyChange { return MergedFile(bytes: bytes) }
    let ours = try currentVersion(in: sides.ours, path: path, side: "ours")
    let theirs = try currentVersion(in: sides.theirs, path: path, side: "theirs")
    if ours == theirs { return MergedFile(bytes: sides.ours) }
    let base =
        sides.base.isEmpty ? nil : try? currentVersion(in: sides.base, path: path, side: "base")
    if base == theirs { return MergedFile(bytes: sides.ours) }
    if base == ours { return MergedFile(bytes: sides.theirs) }
    return MergedFile(bytes: isVersion(ours, before: theirs) ? sides.theirs : sides.ours)
}

private func currentVersion(
    in bytes: [UInt8],
    path: String,
    side: String
) throws(MergeFault) -> String {
    let place = FileLocation(path: path)
    let list: PropertyList
    do throws(PropertyListError) { list = try readPropertyList(Data(bytes), path: path) } catch {
        let message = "\(side): \(error)"
        throw MergeFault(diagnostics: [Diagnostic("missing-current-version", message, at: place)])
    }
    guard let name = list["_XCCurrentVersionName"]?.string else {
        let message = "\(side): the file does not name a current version"
        throw MergeFault(diagnostics: [Diagnostic("missing-current-version", message, at: place)])
    }
    return name.hasSuffix(".xcdatamodel") ? String(name.dropLast(".xcdatamodel".count)) : name
}

func isVersion(_ one: String, before two: String) -> Bool {
    VersionOrder(bundleName: nil).isVersion(one, before: two)
}
