import Diagnostics
import ModelChecking
import Momtool
import ObjectModel

extension ProjectCheck {
    /// Compares Swift sources that Core Data migrates without being asked with the last release where no revision is named:
    /// values of Swift that become mandatory are in no hash.
    mutating func compareWithRelease(_ result: Linter.Result, _ model: String) {
        let isLocked = !result.lockPaths.isEmpty
        guard options.revision == nil, result.bundle.currentVersion?.isMigratedUnasked == true,
            let tag = result.bundle.lastRelease(result.configuration)
        else { return }
        var against = options
        against.revision = tag
        var other = ProjectCheck(of: contents, against)
        guard let past = other.past(of: model).past else { return }
        other.findings = []
        other.earlier = [past.version]
        other.compare(result, model, with: past, isNew: false)
        findings += other.findings.filter { finding in
            let rule = finding.diagnostic.rule
            return finding.diagnostic.severity > .note && rule != "not-checked"
                && (!isLocked || rule == "missing-swift-value")
        }
    }
}
