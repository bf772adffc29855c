import Diagnostics
import MappingInference
import MigrationPlanning
import ModelChecking
import ModelHashing
import ModelLoading
import Momtool
import ObjectModel

/// How stores of older versions come to the current one: the question that `momtool plan` answers for one of them.
struct Routes {
    /// How a version leads on.
    enum Route {
        /// In one step that is inferred.
        case direct
        /// By stages, a mapping model or several steps.
        case other
        /// Not at all.
        case none(Diagnostic)
    }

    /// What the steps may lose; what `lint` has told of is not told again by each version.
    let ledger: LossLedger
    private let target: ModelVersion
    private let bundle: ModelBundle
    private let mappings: StepMappings
    private let isTold: Bool
    private let listed: Set<String>

    init(to target: ModelVersion, _ result: ModelLint.Result) {
        self.target = target
        bundle = result.bundle
        mappings = StepMappings(around: bundle.path, result.configuration)
        var ledger = bundle.lossLedger(result.configuration, acceptingShipped: true)
        for finding in result.findings {
            // Renames in a spelling that counts nowhere are losses under another name.
            let isLoss =
                finding.loss != nil || finding.diagnostic.rule == "literal-renaming-identifier"
            if isLoss, let version = finding.version { ledger.named[version] = .all }
        }
        self.ledger = mappings.answering(ledger)
        isTold = result.findings.contains {
            $0.diagnostic.rule == "step-not-inferable" && $0.version == target.name
        }
        // Versions of a plan were walked through it.
        listed = bundle.plannedVersions
    }

    func route(from version: ModelVersion) -> Route {
        let mapping = inferMapping(from: version, to: target)
        if mappings.path(from: version, to: target) != nil { return .other }
        guard !mapping.isInferable else { return .direct }
        guard !isTold, !(listed.contains(version.name) && listed.contains(target.name)) else {
            return .other
        }
        if leadsByMappingModels(version) { return .other }
        do throws(MomtoolError) {
            _ = try StoreVersions([bundle], to: target.name).detour(from: version)
            return .other
        } catch {
            return .none(refusal(of: mapping, from: version, error))
        }
    }

    /// Whether the steps between are all inferred or have mapping models.
    private func leadsByMappingModels(_ version: ModelVersion) -> Bool {
        let versions = bundle.versions
        guard let start = versions.firstIndex(where: { $0.name == version.name }),
            let end = versions.firstIndex(where: { $0.name == target.name }), start < end
        else { return false }
        let steps = zip(versions[start..<end], versions[(start + 1)...end])
        return steps.allSatisfy { from, to in
            mappings.path(from: from, to: to) != nil || inferMapping(from: from, to: to).isInferable
        }
    }

    private func refusal(
        of mapping: InferredMapping,
        from version: ModelVersion,
        _ error: MomtoolError
    ) -> Diagnostic {
        let isGuess = mapping.refusals.allSatisfy(\.evidence.isGuess)
        let reason = mapping.refusals.first?.diagnostic.message ?? "no mapping is inferred"
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
