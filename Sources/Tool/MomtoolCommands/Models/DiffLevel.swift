import ArgumentParser
import Diagnostics
import ModelCompiling
import ModelDiffing
import ModelLoading
import ObjectModel

enum DiffLevel: String, ExpressibleByArgument, CaseIterable {
    /// What changes version hashes.
    case hash
    /// Also what compiled models hold, and so stores and apps at run time.
    case store
    /// Everything in sources, such as which classes Xcode writes.
    case source

    /// The level that two versions share: a compiled model holds less than Xcode's source.
    init(comparing old: ModelVersion, _ new: ModelVersion) {
        let hasSwift = old.isSwift || new.isSwift
        self = hasSwift || old.isSource == new.isSource ? .source : .store
    }

    /// Returns a version with what counts at this level.
    func form(of version: ModelVersion) -> ModelVersion {
        // Swift sources lack what is Xcode's; only they mark the current date as a default.
        guard self != .source, !version.isSwift else { return version }
        let compiled = compileModel(version.model)
        Console.show(compiled.diagnostics)
        var read = readCompiledModel(compiled.value, path: version.path).value
        read.copySourceMarks(of: version.model)
        return ModelVersion(
            name: version.name,
            path: version.path,
            isCurrent: version.isCurrent,
            model: read
        )
    }

    func part(of diff: ModelDiff) -> ModelDiff {
        guard self == .hash else { return diff }
        var diff = diff
        diff.changes.removeAll { !$0.movesVersionHash && !$0.addsOrRemovesEntity }
        return diff
    }
}

extension ModelVersion {
    /// Whether it was read from a source of Xcode's, with what its editor knows.
    fileprivate var isSource: Bool { path.isEmpty || path.hasSuffix(".xcdatamodel") }

    fileprivate var isSwift: Bool { path.hasSuffix(".swift") }
}
