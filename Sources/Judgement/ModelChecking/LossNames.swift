package import Diagnostics
import MappingInference
package import MigrationPlanning
package import ObjectModel

/// A name under `losses:` or `allowDataLoss:`, or in a lock, as written.
package struct NamedLoss: Sendable, Hashable {
    /// The version whose step loses it; `nil` for every step.
    package var version: String?
    /// `nil` for the version itself.
    package var name: String?
    package var location: FileLocation

    package init(version: String?, name: String?, at location: FileLocation) {
        self.version = version
        self.name = name
        self.location = location
    }
}

extension LossLedger {
    /// Notes names that match nothing in the versions, with suggestions: typing errors, or out of date.
    ///
    /// `others` returns the ledgers of other models that the names may be about, and is called only when needed.
    package func unmatched(
        _ names: [NamedLoss],
        others: () -> [LossLedger] = { [] },
        mappingModel: @escaping (ModelVersion, ModelVersion) -> String? = { _, _ in nil }
    ) -> [Diagnostic] {
        guard !names.isEmpty else { return [] }
        let known = KnownNames(self, mappingModel)
        let faults = names.compactMap { item in known.fault(of: item).map { (item, $0) } }
        let siblings = faults.isEmpty ? [] : others().map { KnownNames($0) }
        return faults.filter { item, _ in !siblings.contains { $0.knows(item) } }
            .map { item, fault in
                Diagnostic(
                    .unmatchedLoss,
                    fault,
                    severity: .note,
                    at: item.location,
                    element: item.name
                )
            }
    }

    /// Sentences on agreed names that no version has, with suggestions; losses that just do not occur are not included.
    ///
    /// `isOther` says whether something else has a name, such as an object of the store; it gets the last part of the name.
    package func misspelt(_ names: [String], except isOther: (_ last: String) -> Bool) -> [String] {
        guard !names.isEmpty, !versions.isEmpty else { return [] }
        let known = KnownNames(self)
        return names.compactMap { name in
            guard let fault = known.fault(of: name) else { return nil }
            let last = name.split(separator: ".").last.map(String.init) ?? ""
            return isOther(last) ? nil : fault
        }
    }
}

extension RuleID { package static let unmatchedLoss: RuleID = "unmatched-loss" }

private struct KnownNames {
    private let ledger: LossLedger
    private let elements: Set<String>
    private let mappingModel: (ModelVersion, ModelVersion) -> String?

    init(
        _ ledger: LossLedger,
        _ mappingModel: @escaping (ModelVersion, ModelVersion) -> String? = { _, _ in nil }
    ) {
        self.ledger = ledger
        self.mappingModel = mappingModel
        var elements: Set<String> = []
        for model in ledger.versions.map(\.model) {
            let graph = ModelGraph(model)
            for entity in model.entities {
                elements.insert(entity.name)
                // Sub-entities have what their parents declare.
                let properties =
                    graph.attributes(of: entity).map(\.name)
                    + graph.relationships(of: entity).map(\.name)
                elements.formUnion(properties.map { "\(entity.name).\($0)" })
            }
        }
        self.elements = elements
    }

    func knows(_ item: NamedLoss) -> Bool {
        let hasVersion = item.version.map { name in ledger.versions.contains { $0.name == name } }
        return hasVersion != false && fault(of: item) == nil
    }

    func fault(of name: String) -> String? {
        isElement(name)
            ? nil : "no version has '\(name)'\(suggestion(for: name, among: elements.sorted()))"
    }

    /// The fault of a name; `nil` for none, or when its version is reported.
    func fault(of item: NamedLoss) -> String? {
        guard let version = item.version else { return item.name.flatMap { fault(of: $0) } }
        guard let index = ledger.versions.firstIndex(where: { $0.name == version }) else {
            // What is under an unknown version is reported with it.
            guard item.name == nil else { return nil }
            let names = ledger.versions.map(\.name)
            return "there is no version '\(version)'\(suggestion(for: version, among: names))"
        }
        guard let name = item.name else { return nil }
        let losses = index == 0 ? [] : losses(into: index)
        let lost = losses.flatMap { $0.names + $0.consequences }
        guard !LossAgreement.named([name]).covers(lost), !isLost(name, past: index),
            !isLost(name, backTo: index), !isAnswered(name, upTo: index)
        else { return nil }
        let near = suggestion(for: name, among: Set(lost).sorted())
        guard isElement(name) else {
            return "no version has '\(name)'"
                + (near.isEmpty ? suggestion(for: name, among: elements.sorted()) : near)
        }
        return index == 0
            ? "'\(version)' is the oldest version: no step leads to it, so nothing is lost"
            : "the step to '\(version)' does not lose '\(name)'\(near)"
    }

    private func isElement(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return elements.contains(parts.prefix(2).joined(separator: "."))
    }

    /// Whether the direct step from an older version drops what no step between consecutive versions drops, or a step
    /// with a mapping model: then it is allowed for the target version of the direct step.
    private func isLost(_ name: String, past index: Int) -> Bool {
        let target = ledger.versions[index]
        return ledger.versions.prefix(max(0, index - 1)).contains { source in
            let lost = stepLosses(from: source, to: target).filter { loss in
                LossAgreement.named([name]).covers(loss.names)
            }
            guard !lost.isEmpty else { return false }
            let owners = ledger.versions(losing: lost, from: source, to: target)
            return owners.contains { owner in
                guard let owner,
                    let place = ledger.versions.firstIndex(where: { $0.isSame(as: owner) })
                else { return true }
                return place > 0 && mappingModel(ledger.versions[place - 1], owner) != nil
            }
        }
    }

    /// Whether a mapping model performs a step with the element: its requirements for rows are not inferred.
    private func isAnswered(_ name: String, upTo index: Int) -> Bool {
        guard index > 0, isElement(name) else { return false }
        let versions = ledger.versions[...index]
        return zip(versions, versions.dropFirst()).contains { from, to in
            from.model.hasElement(name) && mappingModel(from, to) != nil
        }
    }

    private func isLost(_ name: String, backTo index: Int) -> Bool {
        let target = ledger.versions[index]
        guard target.isCurrent else { return false }
        return ledger.versions[(index + 1)...].contains { source in
            stepLosses(from: source, to: target).contains { loss in
                LossAgreement.named([name]).covers(loss.names)
            }
        }
    }

    private func losses(into index: Int) -> [StepLoss] {
        stepLosses(from: ledger.versions[index - 1], to: ledger.versions[index])
    }
}

extension ManagedObjectModel {
    fileprivate func hasElement(_ name: String) -> Bool {
        let parts = name.split(separator: ".").map(String.init)
        guard let first = parts.first, let entity = entities.first(where: { $0.name == first })
        else { return false }
        return parts.count == 1 || entity.property(parts[1]) != nil
    }
}
