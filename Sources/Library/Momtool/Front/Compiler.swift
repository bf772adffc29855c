import Diagnostics
import Essentials
import FileSystem
import ModelChecking
import ModelCompiling
import ModelLoading

/// Compiles models as `momc` does, without Xcode.
///
/// ```swift
/// try Compiler().compile(Model("Shop.xcdatamodeld"), to: "Shop.momd")
/// ```
///
/// ## Topics
///
/// ### Creating
/// - ``init(moduleName:targetsSystemsWithoutFetchIndexes:)``
///
/// ### Compiling
/// - ``compile(_:to:)``
/// - ``files(of:)``
public struct Compiler: Sendable, Hashable {
    private let options: CompilerOptions

    /// Creates a compiler; without arguments, one that writes what today's Xcode does.
    ///
    /// `moduleName` completes class names with a leading dot. Systems older than iOS 11 and macOS 10.13 have no fetch
    /// indexes.
    public init(moduleName: String? = nil, targetsSystemsWithoutFetchIndexes: Bool = false) {
        options = CompilerOptions(
            moduleName: moduleName,
            targetsSystemsWithoutFetchIndexes: targetsSystemsWithoutFetchIndexes
        )
    }

    /// Compiles every version of a model, without writing anything.
    ///
    /// Returns the bytes of a `.mom` for each version and of `VersionInfo.plist`, by file name; equal models give equal
    /// bytes. Throws for a version that cannot be read or is not understood: Core Data would not know its stores.
    public func files(of model: Model) throws(MomtoolError) -> [String: [UInt8]] {
        let bundle = try model.understood()
        let faults = bundle.unreadableVersions.flatMap(\.diagnostics)
        guard faults.isEmpty else { throw MomtoolError(.badData, saying: faults.asNeeded) }
        for version in bundle.versions { try version.requireWhole() }
        let compiled = compileBundle(
            bundle.versions,
            currentVersionName: bundle.namedCurrentVersion,
            options: options
        )
        guard !compiled.hasErrors else {
            throw MomtoolError(.badData, saying: compiled.diagnostics)
        }
        return Dictionary(uniqueKeysWithValues: compiled.value.map { ($0.name, Array($0.bytes)) })
    }

    /// Compiles every version of a model into a new folder `.momd`, which appears only when complete.
    public func compile(_ model: Model, to path: String) throws(MomtoolError) {
        let path = trimmedPath(path)
        if !exists(path) {
            let inputs = InputFiles([model.path])
            _ = try OutputPlace.file(at: path, sparing: inputs, replacesModels: true)
        }
        let files = try files(of: model)
        try asked { try make([.makeFolder(path: path, files: files)], of: path, in: nil) }
    }
}
