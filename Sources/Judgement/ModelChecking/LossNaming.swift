package import Diagnostics
package import MappingInference
package import MigrationPlanning
import ModelDiffing
package import ObjectModel
import YAMLReading

extension LossLedger {
    /// Returns the ledger with what a lock recorded when versions were locked.
    ///
    /// With `takesShipped`, a version with `loses *`, which shipped before its losses were recorded, may lose
    /// everything: for callers that ask what can still be changed; in a store it allows no loss.
    package func recording(_ lock: ModelLock?, takingShipped takesShipped: Bool) -> LossLedger {
        var ledger = self
        for version in lock?.versions ?? [] {
            guard let losses = version.losses else { continue }
            let shipped = losses == [ModelLock.anyLoss]
            guard takesShipped || !shipped else { continue }
            let recorded: LossAgreement = shipped ? .all : .named(Set(losses))
            ledger.named[version.name] = (ledger.named[version.name] ?? .none).union(recorded)
        }
        return ledger
    }

    /// Returns the ledger without what an edit added to a version that the lock records: no store has it to lose.
    package func leavingOutEdits(of lock: ModelLock?) -> LossLedger {
        var ledger = self
        for (from, to) in zip(versions, versions.dropFirst()) {
            let locked = lock?.version(named: from.name)
            guard let locked, !locked.isSame(as: from) else { continue }
            let added = LossAgreement.named(Set(locked.lacking(from.model)))
            ledger.named[to.name] = (ledger.named[to.name] ?? .none).union(added)
        }
        return ledger
    }

    /// Returns the ledger of a run that asks what can still be changed: versions that shipped before anybody named
    /// their losses may lose all.
    ///
    /// Where a mapping model performed such a step, what inference would lose did not ship: stores of older versions
    /// may lose it now, on a route without the mapping model.
    package func acceptingShipped(
        path: String,
        _ lock: ModelLock?,
        mappingModel: (ModelVersion, ModelVersion) -> String? = { _, _ in nil }
    ) -> LossLedger {
        let bundle = CheckedBundle(path: path, versions: versions, lock)
        var ledger = recording(lock, takingShipped: true)
        for (from, to) in zip(versions, versions.dropFirst())
        where bundle.isSettled(to, lock) && mappingModel(from, to) == nil {
            ledger.named[to.name] = .all
        }
        return ledger
    }

    /// How to allow losses in the configuration: a file has the key `losses` once.
    package func entry(allowing names: [String], into version: String) -> String {
        guard !namedBack.isEmpty else {
            let names = names.map(yamlText).joined(separator: ", ")
            return "in .momtool.yml: losses: {\(yamlText(version)): [\(names)]}"
        }
        var known: [String] = []
        if case .named(let names)? = namedBack[version] { known = names.sorted() }
        let all = (known + names.filter { !known.contains($0) }).map(yamlText)
            .joined(separator: ", ")
        return "below losses: in .momtool.yml: \(yamlText(version)): [\(all)]"
    }
}

extension CheckedBundle {
    init(path: String, versions: [ModelVersion], _ lock: ModelLock?) {
        self.init(path: path, versions: versions, locked: Set(lock?.versions.map(\.name) ?? []))
    }

    /// Whether a version shipped before anybody named the losses of its step, so that nothing can be done about it.
    func isSettled(_ version: ModelVersion, _ lock: ModelLock?) -> Bool {
        guard isFrozen(version) else { return false }
        guard let lock, let locked = lock.version(named: version.name) else { return true }
        return locked.losses.map { $0 == [ModelLock.anyLoss] } ?? !lock.recordsLosses
    }
}

/// Returns the unnamed losses and demands of the steps into versions to be locked, as lint grades them.
///
/// Versions before the current one shipped before there was a lock, and are accepted as they are.
package func unnamedLosses(
    locking names: [String],
    _ ledger: LossLedger,
    path: String,
    _ lock: ModelLock?,
    mappingModel: (ModelVersion, ModelVersion) -> String?,
    leavesOpen: (StepLoss, ModelVersion, ModelVersion) -> Bool = { _, _, _ in false }
) -> [Finding] {
    let versions = ledger.versions
    let bundle = CheckedBundle(path: path, versions: versions, lock)
    return zip(versions, versions.dropFirst()).flatMap { from, to -> [Finding] in
        guard names.contains(to.name), !bundle.isFrozen(to) else { return [] }
        let step = CheckedStep(from: from, to: to, ledger: ledger, lossSeverity: .error)
        let isMapped = !step.losses.isEmpty && mappingModel(from, to) != nil
        let open = Set(step.losses.filter { !isMapped || leavesOpen($0, from, to) }.map(\.name))
        guard !open.isEmpty else { return [] }
        let found = lossFindings(step)
        let reported = Set(found.compactMap(\.diagnostic.loss))
        // What lint reports by another rule keeps a version from being locked too.
        let rest = step.losses.filter { $0.kind != .rows && !reported.contains($0.name) }
        let all =
            (found
            + rest.map { finding(Rule.violation(of: $0, in: step), of: .dataLoss, in: to.name) }
            + stepFindings(step, of: [.rowsDecide])).withoutExplained
        return isMapped ? all.filter { $0.diagnostic.loss.map(open.contains) == true } : all
    }
}

/// Returns the named losses of the step into a version, for its lock; `nil` when it loses nothing.
package func namedLosses(into name: String, _ ledger: LossLedger) -> [String]? {
    guard let index = ledger.versions.firstIndex(where: { $0.name == name }), index > 0 else {
        return nil
    }
    let agreement = ledger.agreement(into: name)
    let named = stepLosses(from: ledger.versions[index - 1], to: ledger.versions[index])
        .filter { agreement.covers($0.names) }
    return named.isEmpty ? nil : named.map(\.name).sorted()
}

extension ManagedObjectModel {
    /// The name by which an element of a composite is edited, such as `Address.street` for `Person.home.street`; `nil`
    /// for others.
    fileprivate func elementName(of name: String) -> String? {
        let parts = name.split(separator: ".").map(String.init)
        guard parts.count > 2, let last = parts.last,
            let entity = entities.first(where: { $0.name == parts[0] })
        else { return nil }
        let graph = ModelGraph(self)
        var attribute = graph.lineage(of: entity).lazy.flatMap(\.attributes)
            .first { $0.name == parts[1] }
        var composite = attribute?.compositeName
        for part in parts[2...].dropLast() {
            attribute = composites.first { $0.name == composite }?.attributes
                .first { $0.name == part }
            composite = attribute?.compositeName
        }
        return composite.map { "\($0).\(last)" }
    }
}

extension StepLoss {
    /// How to give rows a value in a version, or to let them go without.
    private func requiredCure(in version: ModelVersion) -> Wording {
        if isOfIndex { return "make it optional without a default, and fill it in a custom stage" }
        let isOfSwift = version.model.entities.contains { $0.source.isOfSwift }
        guard !isOfSwift, location?.path.hasSuffix(".swift") != true else {
            if risk.kind == .nullInMandatoryRelationship {
                return risk.source == nil
                    ? "make it optional" : "make it optional, or link the objects in willMigrate"
            }
            return name.split(separator: ".").count > 2
                ? "make it or its property optional, as defaults in a Swift struct do not count"
                : "give it a default where it is declared, or make it optional"
        }
        let path = version.editedPath
        if risk.kind == .nullInMandatoryRelationship {
            return "make it optional: \(.optional(name, of: path))"
        }
        let element = version.model.elementName(of: name) ?? name
        return "give it a default, or make it optional: \(.defaultOrOptional(element, of: path))"
    }

    /// How to agree to the loss of a step into a version.
    func advice(for version: ModelVersion, _ ledger: LossLedger) -> Diagnostic.Note {
        let cure: Wording =
            switch kind {
            case .dropped: "if it may be dropped"
            case .required: "\(requiredCure(in: version)); only if no store has such rows"
            case .rows: "if no store has such rows, or the app fixes them first"
            }
        let note = Diagnostic.Note(
            saying: "\(cure), allow it \(ledger.entry(allowing: [name], into: version.name))"
        )
        return kind == .dropped ? note.having(.agreement) : note
    }
}

/// A name under `losses:` or `allowDataLoss:`, or in a lock, as written.
package struct NamedLoss: Sendable, Hashable {
    /// The version whose step loses it; `nil` for every step.
    package var version: String?
    /// `nil` for the version itself.
    package var name: String?
    package var location: FileLocation

    package init(version: String?, name: String?, at location: FileLocation) {
        (self.version, self.name, self.location) = (version, name, location)
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

    /// Takes out of a lock the losses of steps that lose nothing any more, as a renaming identifier came later; returns
    /// the names of their versions.
    package func forgetCured(
        in lock: inout ModelLock,
        mappingModel: (ModelVersion, ModelVersion) -> String?
    ) -> [String] {
        lock.versions.indices.compactMap { index in
            let locked = lock.versions[index]
            // Another version may have its hashes.
            guard locked.losses != nil,
                let place = versions.firstIndex(where: { $0.name == locked.name }), place > 0,
                locked.isSame(as: versions[place]), versions[...place].allSatisfy(\.isWhole),
                !mayLose(into: place),
                zip(versions, versions[1...place]).allSatisfy({ mappingModel($0, $1) == nil })
            else { return nil }
            lock.versions[index].losses = nil
            return locked.name
        }
    }

    /// Whether a step from an older version to this or the current one, or a step back to it, loses what no step between
    /// does, or only that into this version.
    private func mayLose(into place: Int) -> Bool {
        let target = versions[place]
        return (target.isCurrent ? versions[...] : versions[..<place]).contains { start in
            ([target] + versions.filter(\.isCurrent)).contains { end in
                versions(losing: stepLosses(from: start, to: end), from: start, to: end)
                    .contains { $0?.isSame(as: target) ?? true }
            }
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
        (self.ledger, self.mappingModel) = (ledger, mappingModel)
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
        let lost = index == 0 ? [] : namesLost(into: index)
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

    /// What can be allowed for a version: the losses of its step, and values that Swift requires and old rows lack.
    private func namesLost(into index: Int) -> [String] {
        let (old, new) = (ledger.versions[index - 1], ledger.versions[index])
        return stepLosses(from: old, to: new).flatMap { $0.names + $0.consequences }
            + missingSwiftValues(from: old.model, to: new.model).map(\.name)
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
