import ArgumentParser
import Diagnostics
import ModelCompiling
import ModelDiffing
import ModelLoading
import ObjectModel

/// How much of two versions is compared.
enum DiffLevel: String, ExpressibleByArgument, CaseIterable {
    /// What moves version hashes.
    case hash
    /// What compiled models hold as well, and so stores and apps at run time.
    case store
    /// Everything that sources say, such as which classes Xcode writes.
    case source

    /// The level at which two versions say the same kind of thing: a compiled model holds less than Xcode's source.
    init(comparing old: ModelVersion, _ new: ModelVersion) {
        let hasSwift = old.isSwift || new.isSwift
        self = hasSwift || old.isSource == new.isSource ? .source : .store
    }

    /// Returns a version with what counts at this level.
    func form(of version: ModelVersion) -> ModelVersion {
        // Swift sources say nothing of Xcode's; their defaults of the moment are known as such in them alone.
        guard self != .source, !version.isSwift else { return version }
        let compiled = compileModel(version.model)
        Console.show(compiled.diagnostics)
        var read = readCompiledModel(compiled.value, path: version.path).value
        read.takeMarks(of: version.model)
        return ModelVersion(
            name: version.name,
            path: version.path,
            isCurrent: version.isCurrent,
            model: read
        )
    }

    /// Returns the differences that count at this level.
    func part(of diff: ModelDiff) -> ModelDiff {
        guard self == .hash else { return diff }
        var diff = diff
        diff.changes.removeAll { !$0.movesVersionHash && !$0.addsOrRemovesEntity }
        return diff
    }
}

extension ModelVersion {
    /// Whether it was read from a source of Xcode's, so that it says what its editor knows.
    fileprivate var isSource: Bool { path.isEmpty || path.hasSuffix(".xcdatamodel") }

    fileprivate var isSwift: Bool { path.hasSuffix(".swift") }
}
