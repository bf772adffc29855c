package import Diagnostics
import MigrationPlanning
import ModelChecking
package import ModelLoading
package import ObjectModel
import SwiftDataReading

// Hashes need versions that are fully understood: the hash of an entity that is not is a guess.

extension ModelVersion {
    /// What is not understood of the version, with locations.
    package var gapFindings: [Diagnostic] {
        var reported: Set<Diagnostic> = []
        return model.entities.flatMap { entity in
            entity.gaps.map { gap in
                let property = gap.property.flatMap { entity.property($0) }
                let names = [gap.entity ?? entity.name, gap.property]
                return Diagnostic(
                    entity.source.isOfSwift ? .swiftNotUnderstood : "unknown-version-hash",
                    gap.description,
                    at: gap.source.element ?? property?.source.element ?? entity.source.element,
                    element: names.compactMap(\.self).joined(separator: ".")
                )
            }
        }.filter { reported.insert($0).inserted }
    }

    /// The same as warnings, where the version is not needed.
    var gapWarnings: [Diagnostic] {
        gapFindings.map { finding in
            var warning = finding
            warning.severity = .warning
            return warning
        }
    }

    package func requireWhole() throws(MomtoolError) {
        guard !isWhole else { return }
        throw MomtoolError(.badData, saying: gapFindings.asNeeded)
    }
}

extension Diagnosed<ModelBundle> {
    /// The bundle for use by hashes: without versions that are unreadable or not fully understood, if there are others.
    package var forHashes: Diagnosed<ModelBundle> {
        guard value.swift != nil else { return withoutUnreadableVersions }
        // A Swift file that is not read may be missing from any version.
        return isReadableInParts ? withoutVersionsWithGaps : self
    }
}

extension ModelBundle {
    /// The bundle to examine stores with: that of Swift sources without versions that are not fully understood; `nil`
    /// where the current one is among these.
    package var forExamination: ModelBundle? {
        guard swift != nil else { return self }
        guard currentVersion?.isWhole != false else { return nil }
        var copy = self
        copy.versions.removeAll { !$0.isWhole }
        return copy
    }
}

extension Model {
    /// Returns the model for use by hashes; a version that it leaves out is reported when asked for.
    func understood() throws(MomtoolError) -> ModelBundle {
        let usable = Diagnosed(bundle, diagnostics).forHashes
        guard !usable.hasErrors else {
            let faults = usable.diagnostics.filter { $0.severity == .error }
            throw MomtoolError(.badData, saying: faults.asNeeded)
        }
        return usable.value
    }
}

extension Diagnosed<Stages> {
    /// Refuses a list with a version that is not fully understood: stages tell versions apart by hashes.
    package func requireWhole() throws(MomtoolError) {
        let listed = value.manager.stages.flatMap(\.versions).compactMap(\.found)
        let found = listed.flatMap(\.gapFindings)
        guard !found.isEmpty else { return }
        // The messages of the reader include the advice.
        let messages = Set(found.map(\.message))
        let relevant = diagnostics.filter { messages.contains($0.message) }.map(\.asError)
        throw MomtoolError(.badData, saying: (relevant.isEmpty ? found : relevant).asNeeded)
    }
}
