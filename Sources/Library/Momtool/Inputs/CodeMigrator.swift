import Diagnostics
import Essentials
import FileSystem
import ModelChecking
import ModelLoading

extension ModelBundle {
    /// Where code of the app migrates stores itself, by mapping models; `nil` where none does.
    var migratorInCode: FileLocation? {
        guard swift == nil, exists(path) else { return nil }
        let model = resolvedPath(path)
        let root = repositoryFolder(around: parent(of: model)) ?? parent(of: model)
        for file in AppSources.below(root).files where file.mentions.contains(.migration) {
            guard let bytes = try? readFile(file.path, limit: SourceMentions.sizeLimit),
                let line = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
                    .firstIndex(where: migrates)
            else { continue }
            let number = bytes[..<line].count { $0 == 0x0A } + 1
            return FileLocation(path: pathFromHere(file.path), line: number)
        }
        return nil
    }
}

extension RouteCheck {
    /// Takes every step for one of the app's code where that migrates stores itself, and asks once whether it does.
    func asking(stepwise: () -> RouteCheck?) -> RouteCheck {
        guard findings.contains(where: { $0.diagnostic.severity > .note }),
            let question = migrator.codeQuestion, var check = stepwise()
        else { return self }
        check.findings.append(Finding(question))
        return check
    }
}

extension Migrator {
    /// Asks whether code of the app that migrates stores does so version by version; `nil` without such code.
    var codeQuestion: Diagnostic? {
        codeMigrator().map { place in
            Diagnostic(
                .migratorInCode,
                "this code migrates stores itself, presumably version by version: set migration: stepwise in "
                    + ".momtool.yml, or migration: direct if Core Data does it",
                severity: .note,
                at: place
            )
        }
    }

    /// The migrator of an app whose code takes every step.
    var takingEveryStep: Migrator {
        guard case .versions(let versions, var mappingModels, _) = road else { return self }
        mappingModels.isStepwise = true
        var copy = self
        let memo = MigrationMemo(to: versions.destination)
        copy.road = .versions(versions, mappingModels, memo)
        return copy
    }
}

extension RuleID { static let migratorInCode: RuleID = "migrator-in-code" }

private let calls = SourceMentions.migrationCalls.map { Array($0.utf8) }

/// Whether a line calls a migration by a mapping model; comments speak of it only.
private func migrates(_ line: ArraySlice<UInt8>) -> Bool {
    calls.contains { call in
        guard let place = line.firstRange(of: call)?.lowerBound else { return false }
        return line[..<place].firstRange(of: Array("//".utf8)) == nil
    }
}
