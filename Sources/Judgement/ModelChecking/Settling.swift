import Diagnostics
package import ObjectModel

package func settled(
    _ findings: [Finding],
    _ versions: [ModelVersion],
    _ options: CheckOptions
) -> [Finding] {
    let kept = heeded(findings, versions, options)
    let places = kept.map { sortingPlace(of: $0, versions) }
    return kept.indices.sorted { left, right in
        places[left] == places[right] ? left < right : places[left] < places[right]
    }.map { kept[$0] }
}

package func heeded(
    _ findings: [Finding],
    _ versions: [ModelVersion],
    _ options: CheckOptions
) -> [Finding] {
    let ignored = IgnoredRules(versions)
    return findings.compactMap { finding -> Finding? in
        var finding = finding
        switch options.settings[finding.diagnostic.rule] {
        case .off: return nil
        case .severity(let severity): finding.diagnostic.severity = severity
        case nil: break
        }
        guard !ignored.contains(finding),
            !options.suppressions.contains(where: { $0.covers(finding) })
        else { return nil }
        return finding
    }
}

/// The location for sorting: versions are in their order, 9.0 before 12.0, not by the letters of their folders.
private func sortingPlace(of finding: Finding, _ versions: [ModelVersion]) -> FileLocation {
    guard var place = finding.diagnostic.location else { return FileLocation(path: "") }
    let index = versions.firstIndex { place.path == $0.path || place.path.hasPrefix($0.path + "/") }
    guard let index, let slash = versions[index].path.lastIndex(of: "/") else { return place }
    let path = versions[index].path
    let digits = String(index)
    place.path =
        path[...slash] + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
        + place.path.dropFirst(path.count)
    return place
}
