package import Diagnostics
import FileSystem
import ModelChecking
package import ModelLoading

/// Code of the app that migrates stores itself.
package struct CodeMigrator: Sendable {
    package var place: FileLocation
    /// Whether it gives Core Data a list of stages; otherwise it steps by mapping models.
    var isStaged: Bool

    fileprivate var question: Diagnostic {
        Diagnostic(
            .migratorInCode,
            isStaged
                ? "this code migrates stores in stages, which momtool cannot run and which may keep what a step drops: "
                    + "write them as a stages file"
                : "this code migrates stores itself, presumably version by version: set migration: stepwise in "
                    + ".momtool.yml, or migration: direct if Core Data does it",
            severity: .note,
            at: place
        )
    }
}

extension ModelBundle {
    /// The code of the app that migrates stores of the model itself; `nil` where none does.
    package var migratorInCode: CodeMigrator? {
        guard let (model, sources) = appCode else { return nil }
        return sources.migrators.first {
            sources.models(of: $0.lines, at: $0.path).contains(model)
        }.map { file in
            CodeMigrator(
                place: FileLocation(path: pathFromHere(file.path), line: file.line + 1),
                isStaged: file.lines[file.line].contains("NSStagedMigrationManager")
            )
        }
    }

    /// The code that opens stores of the model without a migration that they need; `nil` where none does.
    var stoppedMigration: Diagnostic? {
        guard versions.count > 1, let (model, sources) = appCode else { return nil }
        return sources.stoppedMigrations().first { $0.models.contains(model) }?.fault
    }

    /// The real path of the model, and the sources of its repository; `nil` for other models than Xcode's.
    var appCode: (model: String, sources: AppSources)? {
        guard swift == nil, exists(path) else { return nil }
        let model = resolvedPath(path)
        return (model, .below(repositoryFolder(around: parent(of: model)) ?? parent(of: model)))
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
    /// Asks whether code of the app that migrates stores does so version by version, or for its stages; `nil` without
    /// such code.
    var codeQuestion: Diagnostic? { codeMigrator()?.question }

    /// The same of stages alone, which Core Data follows where it would infer the step; `nil` where a file has them.
    var stagesQuestion: Diagnostic? {
        guard stages == nil, let code = codeMigrator(), code.isStaged else { return nil }
        return code.question
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
