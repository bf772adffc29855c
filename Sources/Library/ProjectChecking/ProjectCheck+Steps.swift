import Diagnostics
import Essentials
import MappingInference
import MigrationPlanning
import MigrationTesting
import ModelChecking
import ModelHashing
import ModelLoading
import Momtool
import ObjectModel

extension ProjectCheck {
    /// Finds the route of every older version to the current one, and remembers its migration.
    mutating func addSteps(of result: Linter.Result) {
        let (bundle, versions) = (result.bundle, result.bundle.versions)
        guard let current = bundle.currentVersion ?? (versions.count == 1 ? versions[0] : nil),
            let end = versions.firstIndex(where: { $0.isSame(as: current) })
        else { return }
        let migrator: Migrator
        do throws(MomtoolError) {
            migrator = try Migrator(
                by: result.configuration,
                of: bundle,
                mappingModels: result.mappingModels,
                stages: contents.stages,
                options.swift
            )
        } catch {
            // Stages that cannot be read were told of already.
            return
        }
        let told = ToldSteps(of: result, to: current)
        var open: [ModelVersion] = []
        let unread = unreadVersions(
            versions,
            reading: result.findings.map(\.diagnostic)
        )
        guard !unread.contains(current.name) else { return }
        for version in versions[..<end]
        where version.hashes != current.hashes && !unread.contains(version.name) {
            counts.migrations += 1
            do throws(MomtoolError) {
                let route = try migrator.route(from: version)
                open.append(version)
                findings += migrator.unusedMappingModels(on: route).map {
                    Finding($0, version: version.name)
                }
            } catch {
                let diagnostic = told.refusal(from: version, to: current, error)
                findings += diagnostic.map { [Finding($0, version: version.name)] } ?? []
            }
        }
        var options = options.matrix
        options.ledger = result.acceptedLosses
        let place = SourceLocation(path: bundle.path)
        tests += matrixTests(
            in: bundle.path,
            from: open,
            to: current,
            by: migrator,
            options: options
        )
        .enumerated().map { index, test in
            (place, test, result.tells(of: open[index], to: current))
        }
    }
}

extension Linter.Result {
    /// Whether a step between a version and the current one was found to lose or to ask something, so that a refusal
    /// on the way is no news.
    fileprivate func tells(of version: ModelVersion, to current: ModelVersion) -> Bool {
        let names = bundle.versions.map(\.name)
        guard let start = names.firstIndex(of: version.name),
            let end = names.firstIndex(of: current.name), start < end
        else { return true }
        let later = Set(names[(start + 1)...end])
        return findings.contains { finding in
            finding.version.map(later.contains) == true
                && (finding.loss != nil || finding.diagnostic.severity > .note)
        }
    }

    /// What migrations may lose: what was named, and what the linter has told of, which is not told again by each
    /// version.
    fileprivate var acceptedLosses: LossLedger {
        var ledger = bundle.lossLedger(configuration, acceptingShipped: true)
        for finding in findings {
            // Renames in a spelling that counts nowhere are losses under another name.
            let isLoss =
                finding.loss != nil || finding.diagnostic.rule == "literal-renaming-identifier"
            if isLoss, let version = finding.version { ledger.named[version] = .all }
        }
        return mappingModels.answering(ledger)
    }
}

/// What the linter has said of steps to the current version already.
private struct ToldSteps {
    private let isTold: Bool
    /// The versions of plans, which were walked.
    private let listed: Set<String>

    init(of result: Linter.Result, to target: ModelVersion) {
        isTold = result.findings.contains { finding in
            let rule = finding.diagnostic.rule
            return rule == .stagesFail
                || (rule == "step-not-inferable" && finding.version == target.name)
        }
        listed = result.bundle.plannedVersions
    }

    /// What to say of a version from which no route leads on; `nil` where that was said.
    func refusal(
        from version: ModelVersion,
        to target: ModelVersion,
        _ error: MomtoolError
    ) -> Diagnostic? {
        if let path = error.mappingModel {
            let reason = error.diagnostics.first?.message ?? "it cannot be carried out here"
            return Diagnostic(
                .mappingModelNotRun,
                "stores of '\(version.name)' come to '\(target.name)' by this mapping model, which was not run: \(reason)",
                severity: .note,
                at: SourceLocation(path: path)
            )
        }
        guard !isTold, !(listed.contains(version.name) && listed.contains(target.name)) else {
            return nil
        }
        let mapping = inferMapping(from: version, to: target)
        let isGuess =
            !mapping.refusals.isEmpty && mapping.refusals.allSatisfy(\.evidence.isGuess)
        let reason =
            mapping.refusals.first?.diagnostic.message ?? error.diagnostics.first?.message
            ?? error.messages.first ?? "no route leads there"
        let more = mapping.refusals.count > 1 ? " and \(mapping.refusals.count - 1) more" : ""
        return Diagnostic(
            "version-cannot-open",
            "stores of '\(version.name)' do not come to '\(target.name)': \(reason)\(more)",
            severity: isGuess ? .warning : .error,
            at: mapping.refusals.first?.diagnostic.location ?? SourceLocation(path: target.path),
            notes: error.messages.filter { $0.hasPrefix("note: ") }
                .map { Diagnostic.Note(String($0.dropFirst("note: ".count))) }
        )
    }
}
