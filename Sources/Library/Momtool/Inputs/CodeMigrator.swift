package import Diagnostics
import FileSystem
import ModelChecking
package import ModelLoading

extension ModelBundle {
    /// Where code of the app migrates stores itself, by mapping models; `nil` where none does.
    package var migratorInCode: FileLocation? {
        guard swift == nil, exists(path) else { return nil }
        let model = resolvedPath(path)
        let root = repositoryFolder(around: parent(of: model)) ?? parent(of: model)
        return AppSources.below(root).firstLine(mentioning: .migration) { line in
            SourceMentions.migrationCalls.contains { line.contains($0) }
                || line.contains(SourceMentions.ownMigrator)
                    && ["class ", "@interface "].contains { line.contains($0) }
        }
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
