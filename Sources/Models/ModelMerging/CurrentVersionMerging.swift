import Diagnostics
import Essentials
import ObjectModel
import PropertyLists

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
