package import Diagnostics
package import Essentials
import ModelHashing
package import ObjectModel
package import PropertyLists

package struct CompiledFile: Sendable, Hashable {
    package var name: String
    package var bytes: Data
}

/// Compiles the versions of a model into the files of a `.momd` (CompiledModels, "Bundles"): one `.mom` for each
/// version and `VersionInfo.plist`, by name.
///
/// An `.omo` is not written: it is a memory image for one system generation, and systems do without. Of several
/// versions with one name the first counts. `currentVersionName` is from an `.xccurrentversion`; without one,
/// `VersionInfo.plist` names none either. The same models give the same bytes.
package func compileBundle(
    _ versions: [ModelVersion],
    currentVersionName: String?,
    options: CompilerOptions = CompilerOptions()
) -> Diagnosed<[CompiledFile]> {
    var files: [CompiledFile] = []
    var diagnostics: [Diagnostic] = []
    var names: Set<String> = []
    let distinct = versions.filter { names.insert($0.name).inserted }
    hashTogether(distinct)
    let compiled = distinct.concurrentMap { version in
        let archive = compileModel(version.model, options: options)
        let file = CompiledFile(name: version.name + ".mom", bytes: archive.value.binaryData)
        return (file, archive.diagnostics)
    }
    diagnostics += guessedHashes(of: distinct)
    for (file, faults) in compiled {
        files.append(file)
        diagnostics += faults
    }
    let info = versionInfo(
        of: distinct,
        currentVersionName: currentVersionName,
        hasChecksums: options.era >= .xcode15
    )
    files.append(CompiledFile(name: "VersionInfo.plist", bytes: info.binaryData))
    return Diagnosed(files.sorted { $0.name < $1.name }, diagnostics)
}

/// Warns about entities that are not fully understood, whose hashes differ from the app's.
package func guessedHashes(of versions: [ModelVersion]) -> [Diagnostic] {
    versions.flatMap { version in
        version.model.entities.filter { !$0.gaps.isEmpty }.map { entity in
            let message =
                "the hash of '\(entity.name)' in '\(version.name)' is a guess: "
                + entity.gaps.joined
            let place = entity.source.location(of: "name")
            return Diagnostic(.unprovenCompiledForm, message, severity: .warning, at: place)
        }
    }
}

/// Makes the content of a `VersionInfo.plist`.
///
/// Of several versions with one name the first counts. `hasChecksums` writes checksums, as compilers do since Xcode 15.
package func versionInfo(
    of versions: [ModelVersion],
    currentVersionName: String?,
    hasChecksums: Bool = true
) -> PropertyList {
    func byName(_ value: (ModelVersion) -> PropertyList) -> PropertyList {
        .dictionary(Dictionary(firstOf: versions.map { ($0.name, value($0)) }))
    }
    var info = [
        "NSManagedObjectModel_VersionHashes": byName { version in
            .dictionary(version.hashes.entities.mapValues { .data(Data($0.bytes)) })
        }
    ]
    if let currentVersionName {
        info["NSManagedObjectModel_CurrentVersionName"] = .string(currentVersionName)
    }
    if hasChecksums {
        info["NSManagedObjectModel_VersionChecksums"] = byName { .string($0.checksum) }
    }
    return .dictionary(info)
}
