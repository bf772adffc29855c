import Diagnostics
import ModelDiffing
import ModelHashing
import ObjectModel

extension Rule {
    static let equalChecksums = Rule(
        .named("equal-checksums", .versions, .warning),
        summary: "No two versions have equal checksums",
        rationale: """
            Core Data tells versions apart only by their hashes. A step between equal versions is silently skipped, \
            and a list of stages that names both raises an exception. Remove one of them, or set a version hash \
            modifier. If it shipped, it is a note.
            """,
        passing: .attributeAdded,
        failing: RuleExample(
            "<entity name='A'><attribute name='a' optional='YES' attributeType='String'/></entity>",
            """
            ◀
            <entity name='A'><attribute name='a' optional='YES' attributeType='String'/></entity>
            """
        ),
        check: .bundle { bundle in
            var first: [String: Int] = [:]
            return bundle.versions.indices.compactMap { index in
                let version = bundle.versions[index]
                // The difference may be in what is not understood.
                guard version.isWhole else { return nil }
                let checksum = version.checksum
                guard let other = first[checksum] else {
                    first[checksum] = index
                    return nil
                }
                let twin = bundle.versions[other]
                guard !version.model.entities.isEmpty else { return nil }
                let isFrozen = bundle.isFrozen(version)
                let found = isFrozen ? nil : diff(from: twin.model, to: version.model)
                let cure: Wording =
                    found.map { diff in
                        restoring(diff)
                            ?? "; set a version hash modifier\(modifying(version, diff, in: bundle)), or remove one"
                    } ?? ""
                // A version that returns to an older one was still edited.
                let isCopy = other == index - 1 && found?.isEmpty == true
                return Violation(
                    isCopy
                        ? "'\(version.name)' has no changes yet: its checksum is that of '\(twin.name)', and Core Data cannot tell them apart; edit it before it ships, or remove it"
                        : "'\(version.name)' has the checksum of '\(twin.name)': Core Data cannot tell them apart and skips the step\(cure)",
                    at: version.elementLocation,
                    notes: [Diagnostic.Note("'\(twin.name)' is here", at: twin.elementLocation)],
                    version: version.name,
                    severity: isFrozen ? .note : nil
                )
            }
        }
    )
}

/// Advice where the later version lost a renaming identifier, which is no part of the hashes; `nil` where it did not.
private func restoring(_ found: ModelDiff) -> Wording? {
    found.suspicions.first(where: \.hasLostIdentifier).map {
        "; set the renaming identifier of '\($0.to)' to '\($0.elementID)' again, or stores of older versions may lose its data"
    }
}

/// Advice to give the first changed entity a modifier that no version has; empty where no editor takes the version.
private func modifying(
    _ version: ModelVersion,
    _ found: ModelDiff,
    in bundle: CheckedBundle
) -> Wording {
    guard let path = version.editedPath else { return "" }
    let changed = Set(found.changes.compactMap(\.subject.entity))
    let entity =
        version.model.entities.first { changed.contains($0.name) } ?? version.model.entities.first
    guard let entity else { return "" }
    let known = bundle.versions.flatMap(\.model.entities).filter { $0.name == entity.name }
        .map(\.versionHashModifier)
    let value = (2...).lazy.map(String.init).first { !known.contains($0) } ?? "2"
    return ": \(.hashModifier(value, of: entity.name, to: path))"
}
