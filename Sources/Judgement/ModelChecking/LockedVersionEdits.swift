import Diagnostics
import MigrationPlanning
import ObjectModel

struct LockedVersionEdits {
    let locked: ModelLock.Version
    let version: ModelVersion
    let path: String
    let placeWords: String
    /// The release that the locked versions are of, where no lock has them.
    private let release: String?
    let model: String
    /// Whether SwiftData infers each step, and runs no stage: apps open unlisted classes, or a plan without stages.
    let isMigratedUnasked: Bool
    /// Whether a plan, which may get stages later, lists the version.
    private let isPlanned: Bool
    /// Whether the next version can be written into the sources of such an app.
    private let canBeVersioned: Bool
    private let ledger: LossLedger
    private let isReleased: Bool
    /// The sources of a revision as evidence of the effects.
    private let judgement: EarlierJudgement?
    /// What findings begin with.
    private let heading: String
    private var guesses = 0

    /// Creates a search; `isNamed` says whether findings begin with the name of the version.
    init(
        locked: ModelLock.Version,
        version: ModelVersion,
        by lock: LocatedLock,
        in bundle: CheckedBundle,
        _ earlier: EarlierSources = EarlierSources(),
        isNamed: Bool = true
    ) {
        self.locked = locked
        heading = isNamed ? "'\(version.name)' shipped and was edited: " : ""
        self.version = version
        (path, placeWords, release) = (lock.path, lock.placeWords, lock.lock.newestTag)
        ledger = earlier.losses
        isReleased = release != nil || earlier.isReleased(version.name)
        model = bundle.path
        let current = bundle.current
        isMigratedUnasked = current?.isMigratedUnasked == true
        isPlanned = current?.name != "unversioned"
        canBeVersioned = isPlanned || bundle.versions.count == 1 && version.isWhole
        judgement =
            isMigratedUnasked && !earlier.versions.isEmpty
            ? EarlierJudgement(earlier, of: locked, now: version) : nil
    }

    mutating func findings() -> [Finding] {
        let now = ModelLock.Version(version)
        let old = Dictionary(firstOf: locked.entities.map { ($0.name, $0) })
        let new = Set(now.entities.map(\.name))
        let graph = ModelGraph(version.model)
        var findings = now.entities.flatMap { entity -> [Finding] in
            guard let declared = graph.entity(entity.name) else { return [] }
            guard let before = old[entity.name] else {
                let message = "the entity '\(entity.name)' was added"
                return [
                    finding(
                        message,
                        declared.source,
                        "name",
                        entity.name,
                        lockLine: locked.line,
                        isAddition: true
                    )
                ]
            }
            guard before.hash != entity.hash else { return [] }
            return entityFindings(before, entity, declared, graph)
        }
        findings += locked.entities.filter { !new.contains($0.name) }.map { entity in
            let message = "the entity '\(entity.name)' was removed or renamed"
            return finding(
                message,
                // For items removed from Swift sources only the lock has a location.
                isOfSwift ? SourceMark() : version.model.source,
                "name",
                entity.name,
                lockLine: entity.line
            )
        }
        guard findings.isEmpty else { return findings }
        return unexplained(now, old, graph)
    }

    /// Only hashes differ: the lock has no properties, or a derived one changed.
    private func unexplained(
        _ now: ModelLock.Version,
        _ old: [String: ModelLock.Entity],
        _ graph: ModelGraph
    ) -> [Finding] {
        now.entities.compactMap { entity in
            guard let before = old[entity.name], before.hash != entity.hash,
                let declared = graph.entity(entity.name)
            else { return nil }
            let message = "the hash of '\(entity.name)' differs from the lock"
            return finding(message, declared.source, "name", entity.name, lockLine: before.line)
        }
    }

    private mutating func entityFindings(
        _ before: ModelLock.Entity,
        _ now: ModelLock.Entity,
        _ declared: Entity,
        _ graph: ModelGraph
    ) -> [Finding] {
        var findings: [Finding] = []
        let isKnown = !before.properties.isEmpty || !before.settings.isEmpty
        if isKnown, before.settings != now.settings {
            let old = before.settings.isEmpty ? "none" : before.settings.joined(separator: ", ")
            let new = now.settings.isEmpty ? "none" : now.settings.joined(separator: ", ")
            let message = "the settings of the entity '\(now.name)' were changed: \(old) → \(new)"
            findings.append(
                finding(message, declared.source, "name", now.name, lockLine: before.line)
            )
        }
        guard isKnown else { return findings }
        let old = Dictionary(firstOf: before.properties.map { ($0.name, $0) })
        let present = Set(now.properties.map(\.name))
        let gone = before.properties.filter { !present.contains($0.name) }
        let values = Dictionary(firstOf: declared.properties.map { ($0.name, $0) })
        var renamed: Set<String> = []
        for property in now.properties where old[property.name]?.hash != property.hash {
            guard let value = values[property.name] else { continue }
            let change = describe(value, of: now.name, old[property.name], gone, graph)
            renamed.formUnion([change.oldName].compactMap(\.self))
            findings.append(
                finding(
                    change.text,
                    value.source,
                    change.attribute,
                    "\(now.name).\(property.name)",
                    formerly: change.oldName.map { "\(now.name).\($0)" },
                    lockLine: change.line ?? before.line,
                    isAddition: change.isAddition && !value.needsValue
                )
            )
        }
        return findings + goneFindings(gone.filter { !renamed.contains($0.name) }, declared, values)
    }

    private func goneFindings(
        _ gone: [ModelLock.Property],
        _ declared: Entity,
        _ values: [String: any Property]
    ) -> [Finding] {
        gone.map { property in
            let element = "\(declared.name).\(property.name)"
            if let value = values[property.name] {
                let message = "'\(element)' was made transient"
                return finding(message, value.source, "transient", element, lockLine: property.line)
            }
            let message = "'\(element)' was removed"
            return finding(message, declared.source, "name", element, lockLine: property.line)
        }
    }

    private struct Description {
        var text: String
        var attribute: String
        var line: Int?
        var oldName: String?
        var isAddition = false
    }

    /// Finds what became of a property, by trying which edit undone gives the locked hash.
    private mutating func describe(
        _ property: any Property,
        of entity: String,
        _ before: ModelLock.Property?,
        _ gone: [ModelLock.Property],
        _ graph: ModelGraph
    ) -> Description {
        let search = EditSearch(graph: graph, owner: entity)
        if let before {
            guesses += 1
            let edit = guesses > 64 ? nil : search.edit(of: property, from: before.hash)
            let text = edit.map { ": \($0.text)" } ?? " was changed"
            return Description(
                text: "'\(entity).\(property.name)'\(text)",
                attribute: edit?.attribute ?? "name",
                line: before.line
            )
        }
        for candidate in gone.prefix(64) where guesses < 1_000 {
            guesses += 1
            guard search.isRename(of: property, from: candidate) else { continue }
            return Description(
                text: "'\(entity).\(candidate.name)' was renamed to '\(property.name)'",
                attribute: "name",
                line: candidate.line,
                oldName: candidate.name
            )
        }
        return Description(
            text: "'\(entity).\(property.name)' was added",
            attribute: "name",
            isAddition: true
        )
    }

    private func finding(
        _ what: String,
        _ source: SourceMark,
        _ attribute: String,
        _ element: String,
        formerly oldName: String? = nil,
        lockLine: Int?,
        isAddition: Bool = false
    ) -> Finding {
        let lockPlace = FileLocation(path: path, line: lockLine)
        let isGone = isOfSwift && source.element == nil
        let place =
            source.element == nil
            ? FileLocation(path: version.path) : source.location(of: attribute)
        let names = [element] + [oldName].compactMap(\.self)
        let (severity, advice) = grade(names, isAddition: isAddition)
        return Diagnostic(
            "locked-version-edited",
            heading + what,
            severity: severity,
            at: isGone ? lockPlace : place,
            element: element,
            notes: (isGone ? [] : [Diagnostic.Note(placeWords, at: lockPlace)])
                + advice.map { Diagnostic.Note(saying: $0) }
        ).finding(of: version.name)
    }

    private func grade(_ names: [String], isAddition: Bool) -> (Severity, [Wording]) {
        guard isMigratedUnasked else { return (.error, [cure] + unlocking) }
        guard !isAddition else {
            return isPlanned ? (.warning, [cureBeforeStages]) : (.note, [relocking])
        }
        let entity = names[0].prefix { $0 != "." }
        switch judgement?.effect(of: names, in: String(entity)) {
        case .harmless: return (.note, [relockingAtOnce])
        case .loss(let names):
            let entry = ledger.entry(allowing: names, into: version.name)
            return (.error, [cure, "if this is intended, allow it \(entry)"])
        case .old:
            return (
                .error,
                [
                    cure,
                    "the compared revision already has this edit; if no store loses data: \(.relocking(model))",
                ]
            )
        case .open, nil: return (.error, [cure])
        }
    }

    /// How to edit a version that was locked before it shipped; a release is not undone.
    private var unlocking: [Wording] {
        isReleased ? [] : ["if it has not shipped: \(.unlocking(model, version: locked.name))"]
    }

    private var isOfSwift: Bool { version.path.hasSuffix(".swift") }

    private var relocking: Wording {
        "no migration stage leads here, so SwiftData adds it to stores automatically; once it ships: \(.relocking(model))"
    }

    private var relockingAtOnce: Wording {
        """
        no migration stage leads here, and SwiftData migrates this step automatically without an unnamed loss; lock \
        it together with the edit, as later revisions no longer have the locked sources: \(.relocking(model))
        """
    }

    private var cureBeforeStages: Wording {
        """
        the plan has no stages, so SwiftData adds it to stores automatically; once it has one, stores from before the edit have \
        an unknown version (134504): \(cure)
        """
    }

    private var cure: Wording {
        let harm =
            isMigratedUnasked
            ? ""
            : isOfSwift ? "its stores fail with 134504: " : "its stores no longer open (134130): "
        let cure: Wording =
            "\(harm)restore '\(version.name)' from version control, and make the edit in a new version"
        guard canBeVersioned || !isMigratedUnasked else { return "\(cure): \(versionsByHand)" }
        let isSource = model.hasSuffix(".xcdatamodeld") || isOfSwift
        guard isSource else { return cure }
        guard isOfSwift, !isMigratedUnasked else { return "\(cure): \(.newVersion(of: model))" }
        return """
            \(cure): \(.newVersion(of: model)); or keep the edit: \(.freezing(of: model, asOf: release))
            """
    }
}

/// Advice to make a version by hand of SwiftData's classes.
package let versionsByHand =
    "declare one VersionedSchema with a copy of each class as it shipped and another with the app's classes, with which"
    + " the container is opened, and list both in a migration plan with a stage between them"

extension Property {
    /// Whether objects from before the property cannot do without a value of it.
    fileprivate var needsValue: Bool {
        switch self {
        case let attribute as Attribute:
            // A composite's default in the source is not a default in the model.
            attribute.type == .composite
                ? !attribute.isOptional
                : !attribute.isOptional && attribute.defaultValue == nil
                    && attribute.unstatedDefault == nil && attribute.derivation == nil
        case let relationship as Relationship: !relationship.isOptional && !relationship.isToMany
        default: false
        }
    }
}
