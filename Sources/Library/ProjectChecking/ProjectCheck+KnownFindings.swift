import Diagnostics
import Essentials
import MappingInference
import ModelChecking
import ModelLoading
import Momtool
import ObjectModel
import SettingsFiles

extension ProjectCheck {
    /// The findings on a model that a revision does not have, with a count of the others; remembers its notes.
    mutating func news(in result: Linter.Result, since past: Past?) -> [Finding] {
        let found = merged(result.findings)
        guard let revision = options.revision, let past else { return found }
        let unchanged = past.bundle.unchanged(in: result.bundle)
        func mayBeKnown(_ finding: Finding) -> Bool {
            finding.diagnostic.severity > .note
                && finding.version.map(unchanged.contains) == true
        }
        guard options.comparesNotes || found.contains(where: mayBeKnown) else { return found }
        var settings = result.configuration.check
        settings.scope = .all
        let old = ModelChecking.check(
            past.bundle.versions,
            path: past.bundle.path,
            reading: past.reading,
            losses: result.configuration.ledger(of: past.bundle.versions),
            options: settings
        )
        let known = Set(old.map(\.key))
        if options.comparesNotes {
            knownNotes.formUnion(
                found.filter { $0.diagnostic.severity == .note && known.contains($0.key) }
            )
        }
        let left = found.filter { mayBeKnown($0) && known.contains($0.key) }
        guard !left.isEmpty else { return found }
        let message =
            "\(left.count.counted("finding")) that \(revision) has too \(left.count == 1 ? "is" : "are") left out"
        let place = FileLocation(path: result.bundle.path)
        return found.filter { !left.contains($0) }
            + [Finding(Diagnostic("changed-since", message, severity: .note, at: place))]
    }
}

extension Finding {
    /// What it is about, whatever its place: a loss of a version is the same at its step and on later routes.
    fileprivate var key: [String] {
        if let loss = diagnostic.loss { return [version ?? "", loss] }
        return [diagnostic.rule.rawValue, diagnostic.element ?? "", diagnostic.message]
    }
}

extension ModelBundle {
    /// The names of the versions that another state of the bundle has as they are here, with the version before.
    fileprivate func unchanged(in other: ModelBundle) -> Set<String> {
        func isSame(_ version: ModelVersion?, _ now: ModelVersion?) -> Bool {
            guard let version, let now else { return version == nil && now == nil }
            return version.name == now.name && version.hashes == now.hashes
                && inferMapping(from: version, to: now).judgements.isEmpty
        }
        var names: Set<String> = []
        for (place, version) in versions.enumerated() {
            let now = other.versions.firstIndex { $0.name == version.name }
            guard let now, isSame(version, other.versions[now]),
                isSame(
                    place == 0 ? nil : versions[place - 1],
                    now == 0 ? nil : other.versions[now - 1]
                )
            else { continue }
            names.insert(version.name)
        }
        return names
    }
}
