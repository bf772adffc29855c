import Diagnostics
import FileSystem
import ModelLoading
import ObjectModel
import StoreFormat

extension AppSources {
    /// Finds code that opens a store of the app's bundle read-only, though an older version wrote the file.
    ///
    /// No app can migrate it there. Code that copies stores, or asks for their version, has an answer of its own.
    func oldSeeds() -> [Diagnostic] {
        files(mentioning: .opening).compactMap { path in
            let lines = codeLines(of: path)
            let text = lines.joined(separator: "\n")
            let answers = SourceMentions.movers + ["StoreMetadata"]
            let opening = lines.firstIndex {
                $0.contains(/ReadOnlyPersistentStoreOption|isReadOnly = true/)
                    && !$0.contains(/false|@NO/)
            }
            guard let opening, !answers.contains(where: text.contains),
                let name = resource(in: text)
            else { return nil }
            let seeds = filePaths(below: folder, leavingOut: isPassedOver) { $0 == name }
            guard seeds.count == 1, let seed = seeds.first,
                let version = writer(of: seed, among: models(of: lines, at: path))
            else { return nil }
            return Diagnostic(
                "migration-off",
                "this opens '\(pathFromHere(seed))' read-only, which has the older version '\(version)': no app migrates a file "
                    + "in its bundle; migrate it here, or copy it before it is opened",
                severity: .warning,
                at: FileLocation(path: pathFromHere(path), line: opening + 1)
            )
        }
    }
}

/// The name of the only resource that a source names.
private func resource(in text: String) -> String? {
    let pattern = /[fF]orResource:\s*@?"([^"]+)",?\s*(?:withExtension|ofType):\s*@?"(\w+)"/
    let names = Set(text.matches(of: pattern).map { "\($0.1).\($0.2)" })
        .filter { !$0.contains(/\.(mom|momd|omo)$/) }
    return names.count == 1 ? names.first : nil
}

/// The name of the version of the only model that wrote a store, if it is not the current one.
private func writer(of store: String, among models: [String]) -> String? {
    guard models.count == 1, let bundle = try? ModelPlace(models[0]).readUsable().value,
        let current = bundle.currentVersion,
        let hashes = try? StoreFile(path: store).metadata().hashes, hashes != current.hashes
    else { return nil }
    return bundle.versions.first { $0.hashes == hashes }?.name
}
