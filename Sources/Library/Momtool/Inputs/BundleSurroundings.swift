import Diagnostics
import Essentials
import FileSystem
import ModelLoading
import ObjectModel
import SwiftDataReading

/// Files around a bundle of sources that add to its own.
extension Diagnosed<ModelBundle> {
    /// The bundle with the current version that a project file names, where the bundle itself names none.
    var takingCurrentVersionOfProject: Diagnosed<ModelBundle> {
        let isOpen = diagnostics.contains {
            $0.rule == .missingCurrentVersion && $0.severity == .warning
        }
        guard isOpen, value.currentVersion == nil else { return self }
        let projects = ProjectFiles(around: value.path).read().value
        for project in projects {
            guard let name = project.currentVersion,
                let index = value.versions.firstIndex(where: { $0.name == name })
            else { continue }
            var copy = self
            copy.value.versions[index].isCurrent = true
            copy.diagnostics.removeAll { $0.rule == .missingCurrentVersion }
            let message =
                "the current version is '\(name)', by the project: the model does not name one"
            copy.diagnostics.append(
                Diagnostic(.missingCurrentVersion, message, severity: .note, at: project.location)
            )
            return copy
        }
        return self
    }

    /// Leaves out that two containers have one file where no target has both: apps share only those of groups.
    var ofTargets: Diagnosed<ModelBundle> {
        let rule: RuleID = "container-drops-classes"
        guard diagnostics.contains(where: { $0.rule == rule }),
            let folder = projectFolder(around: resolvedPath(value.path))
        else { return self }
        let projects = ((try? Files.names(in: folder)) ?? [])
            .filter { isTargetList($0) && !leadsOut("\(folder)/\($0)") }
        var copy = self
        copy.diagnostics.removeAll { fault in
            let store = value.swift?.stores.first { $0.source.element == fault.location }
            guard fault.rule == rule, store?.isOfGroup == false else { return false }
            let files = ([fault.location] + fault.notes.map(\.location)).compactMap { $0?.path }
            let targets = projects.flatMap { filesOfTargets("\(folder)/\($0)", among: files) }
            return Set(targets.joined()).isSuperset(of: files)
                && !targets.contains { $0.isSuperset(of: files) }
        }
        return copy
    }

    /// The bundle with its versions in the order of creation, by the lock beside it too.
    var arranged: Diagnosed<ModelBundle> {
        guard value.versions.count > 1, value.swift == nil else { return self }
        var copy = self
        copy.value = value.arranged(locked: LockFile(ofModel: value.path).names(of: value))
        return copy
    }
}
