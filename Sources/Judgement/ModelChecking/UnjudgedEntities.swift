package import Diagnostics
import Essentials
package import ObjectModel

/// The entities of Swift sources that are not understood, and so are compared with nothing.
///
/// What sources cannot show is not the team's fault, and a note. An entity of the lock is no longer checked: a warning.
struct UnjudgedEntities {
    private struct Part {
        var version: ModelVersion
        var names: [String]
    }

    private let path: String
    private let isOneVersion: Bool
    private let parts: [Part]
    private let locked: [String: ModelLock.Version]
    /// The gaps, with lines, unless the report has them elsewhere.
    private let details: [Diagnostic.Note]

    /// Finds the entities that the reader does not understand; the lock has the present names of versions.
    init(_ versions: [ModelVersion], path: String, reading: [Diagnostic], _ lock: ModelLock?) {
        let messages = Set(reading.filter { $0.rule == Self.rule }.map(\.message))
        var parts: [Part] = []
        var locked: [String: ModelLock.Version] = [:]
        for version in versions {
            let entities = version.model.entities.filter { entity in
                entity.gaps.contains { messages.contains($0.description) }
            }
            guard !entities.isEmpty else { continue }
            parts.append(Part(version: version, names: entities.map(\.name)))
            // A version that is not locked yet continues the newest one that is.
            guard let known = lock?.version(named: version.name) ?? lock?.versions.last else {
                continue
            }
            for entity in entities where known.entities.contains(where: { $0.name == entity.name })
            { for gap in entity.gaps { locked[gap.description] = known } }
        }
        (self.path, self.parts, self.locked) = (path, parts, locked)
        isOneVersion = versions.count == 1
        details = []
    }

    init(_ version: ModelVersion, where isConcerned: (String) -> Bool) {
        let entities = version.model.entities.filter { !$0.gaps.isEmpty && isConcerned($0.name) }
        path = version.path
        parts = entities.isEmpty ? [] : [Part(version: version, names: entities.map(\.name))]
        locked = [:]
        isOneVersion = true
        details = entities.flatMap { entity in
            entity.gaps.map { gap in
                let property = gap.property.flatMap { entity.property($0) }
                let source = property?.source ?? entity.source
                return Diagnostic.Note(gap.description, at: source.element)
            }
        }
    }

    /// Warns where an entity cannot be compared that a lock has.
    func graded(_ finding: Finding) -> Finding {
        guard finding.diagnostic.rule == Self.rule, let known = locked[finding.diagnostic.message]
        else { return finding }
        var finding = finding
        finding.diagnostic.severity = .warning
        let note = "the lock records it for '\(known.name)', but momtool can no longer compare it"
        finding.diagnostic.notes.append(Diagnostic.Note(note))
        return finding
    }

    /// What is not judged, in one line; `nil` where all is.
    var summary: Finding? {
        guard !parts.isEmpty else { return nil }
        let texts = parts.map { part in
            let names = part.names.listed(most: 3)
            let all = part.version.model.entities.count
            let count = "\(part.names.count) of \(all.counted("entity"))"
            return isOneVersion
                ? "\(count) \(part.names.count == 1 ? "is" : "are") not checked: \(names)"
                : "\(count) of '\(part.version.name)' (\(names))"
        }
        let message = isOneVersion ? texts[0] : "not checked: \(texts.joined(separator: ", "))"
        return Finding(
            Diagnostic(
                "entities-not-judged",
                message,
                severity: .note,
                at: FileLocation(path: path),
                notes: details + (mayBeSet ? [Diagnostic.Note(saying: Self.cure)] : [])
            )
        )
    }

    /// Whether something of it is about a property, which settings can answer.
    private var mayBeSet: Bool {
        parts.contains { part in
            part.version.model.entities.contains { entity in
                part.names.contains(entity.name) && entity.gaps.contains { $0.property != nil }
            }
        }
    }

    /// Advice on how to settle what the sources leave open.
    static let cure: Wording = """
        swift: inverses: and types: in .momtool.yml supply what the sources leave open; \(.fitting(of: "SOURCES")) finds the lines
        """

    private static let rule: RuleID = "swift-not-understood"
}

/// Returns the names of completely unreadable versions, by the reader's findings.
package func unreadVersions(_ versions: [ModelVersion], reading: [Diagnostic]) -> Set<String> {
    ReadableVersions(versions, reading: reading, nil).broken
}

/// The comparable versions of a bundle: next to an unreadable file every entity would seem to be lost.
struct ReadableVersions {
    let broken: Set<String>
    let versions: [ModelVersion]
    /// The lock without the versions that cannot be read, which are neither missing nor edited.
    let lock: LocatedLock?
    /// The names of partly read versions, which are checked separately.
    let incomplete: Set<String>
    /// Whether the version that apps are built with cannot be read.
    let lacksCurrent: Bool

    init(_ versions: [ModelVersion], reading: [Diagnostic], _ lock: LocatedLock?) {
        func names(where isFault: (Diagnostic) -> Bool) -> Set<String> {
            let paths = Set(reading.filter(isFault).compactMap(\.location?.path))
            guard !paths.isEmpty else { return [] }
            return Set(
                versions.filter { version in
                    ["", "/contents", "/elements"].contains { paths.contains(version.path + $0) }
                }.map(\.name)
            )
        }
        let broken = names { Self.rules.contains($0.rule) && $0.severity == .error }
        let incomplete = names { Self.partialRules.contains($0.rule) }
        self.broken = broken
        self.versions = versions.filter { !broken.contains($0.name) }
        self.incomplete = incomplete
        lacksCurrent = versions.contains { $0.isCurrent && broken.contains($0.name) }
        var lock = lock
        lock?.lock.versions.removeAll { broken.contains($0.name) }
        self.lock = lock
    }

    private static let partialRules: Set<RuleID> = [
        "unknown-attribute-type", "unknown-legacy-part",
    ]
    private static let rules: Set<RuleID> = [
        "malformed-xml", "merge-conflict", "not-a-model", "unreadable-file",
        "xml-entity-declaration",
    ]
}
