import Diagnostics
import FileSystem
import ModelChecking
import ModelLoading
import Momtool
import ObjectModel
import SettingsFiles

extension ProjectCheck {
    /// Judges the step from what a lock records of a removed model of Core Data to the classes of SwiftData that open its
    /// stores; `false` where none do.
    ///
    /// A lock has names and hashes only, so what classes lack is found, but no conversions.
    mutating func judgeHeir(of versions: [ModelLock.Version], _ model: String, at lock: String)
        -> Bool
    {
        guard isModelBundle(model), let last = versions.last(where: { !$0.entities.isEmpty }),
            let bundle = held.bundles.first(where: {
                $0.opensStores(of: model, with: Set(last.entities.map(\.name)))
            }), let current = bundle.currentVersion
        else { return false }
        let settings = (try? settings(for: bundle.path)) ?? ToolConfiguration()
        let agreement = settings.ledger(of: bundle.versions).agreement(into: current.name)
        let lost = current.model.lacking(last)
        let names = Set(lost.map(\.name))
        findings.removeAll { finding in
            ["changed-since", .unmatchedLoss].contains(finding.diagnostic.rule)
                && finding.diagnostic.element.map(names.contains) == true
        }
        for item in lost where !agreement.covers([item.name]) {
            let entry = settings.ledger(of: []).entry(allowing: [item.name], into: current.name)
            let diagnostic = Diagnostic(
                "data-loss",
                "the step from '\(last.name)' of '\(model)': \(item.name) is dropped with its values",
                at: item.location ?? FileLocation(path: current.path),
                element: item.name,
                notes: [
                    Diagnostic.Note(
                        "it is locked here",
                        at: FileLocation(path: lock, line: last.line)
                    ),
                    Diagnostic.Note(saying: "if it may be dropped, allow it \(entry)"),
                ],
                loss: item.name
            )
            findings += heeded(
                [Finding(diagnostic, version: current.name)],
                bundle.versions,
                settings.check
            )
        }
        guard FileIdentity(of: lock) != nil else { return true }
        let message: Wording = """
            the model of this lock is gone, and the classes of '\(bundle.path)' open its stores: lock them (\(.lock)), then \
            remove this lock
            """
        report("unread-lock", message, at: FileLocation(path: lock))
        return true
    }
}

extension ManagedObjectModel {
    /// The entities and properties of a locked version that nothing here continues, with where they were.
    fileprivate func lacking(
        _ version: ModelLock.Version
    ) -> [(name: String, location: FileLocation?)] {
        let graph = ModelGraph(self)
        return version.entities.flatMap { old -> [(name: String, location: FileLocation?)] in
            guard let entity = entities.first(where: { $0.matchingIdentifier == old.name }) else {
                return [(old.name, nil)]
            }
            let kept = Set(
                graph.attributes(of: entity).map(\.matchingIdentifier)
                    + graph.relationships(of: entity).map(\.matchingIdentifier)
            )
            return old.properties.map(\.name).filter { !kept.contains($0) }
                .map { ("\(old.name).\($0)", entity.source.element) }
        }
    }
}
