package import Diagnostics
import Essentials
import ModelCompiling
import ModelEditing
package import ObjectModel

extension Rule {
    static let literalRenamingIdentifier = Rule(
        .named("literal-renaming-identifier", .style, .error),
        summary: "Renaming identifiers are written as `elementID`",
        rationale: """
            Xcode writes a renaming identifier as `elementID`, and that is what Apple's compiler reads. A literal \
            `renamingIdentifier` attribute, seen in files made by hand, has no effect: a rename that relies on it \
            loses the data, and momtool says so. `--fix` turns it into `elementID`. Beside an `elementID` it is a \
            note, as it is if the previous version has the same name: nothing is renamed there, and `--fix` removes \
            the attribute.
            """,
        passing:
            "<entity name='A'><attribute name='a' optional='YES' attributeType='String' elementID='b'/></entity>",
        failing:
            "<entity name='A'><attribute name='a' optional='YES' attributeType='String' ◀renamingIdentifier='b'/></entity>",
        fix: .keepingHash("writes it as `elementID`; beside one it is removed"),
        check: .model { model in
            model.forEach(with: "renamingIdentifier") { name, source, element in
                let place = source.location(of: "renamingIdentifier")
                let hasElementID = source.has("elementID")
                return Violation(
                    "write the renaming identifier of '\(name)' as elementID",
                    at: place,
                    element: element,
                    fix: Fix(
                        hasElementID
                            ? "remove renamingIdentifier"
                            : "rename renamingIdentifier to elementID",
                        at: source.element,
                        hasElementID
                            ? .tag(.remove("renamingIdentifier"))
                            : .tag(.rename("renamingIdentifier", to: "elementID"))
                    ),
                    severity: hasElementID ? .note : nil
                )
            }
        }
    )

    static let mandatoryValueWithoutDefault = Rule(
        .named("mandatory-value-without-default", .style, .note),
        summary: "Mandatory dates, UUIDs and URIs have a default",
        rationale: """
            The model allows it, but the Swift accessor of a mandatory Date, UUID or URL is not optional and traps \
            when it is read before it is set.
            """,
        passing:
            "<entity name='A'><attribute name='d' attributeType='Date' optional='YES'/></entity>",
        failing: "<entity name='A'><attribute ◀name='d' attributeType='Date'/></entity>",
        check: .model { model in
            // SwiftData's classes have initializers that set everything.
            guard !model.version.path.hasSuffix(".swift") else { return [] }
            return model.each(\.attributes) { attribute, entity in
                guard [.date, .uuid, .uri].contains(attribute.type), !attribute.isOptional,
                    !attribute.isTransient, attribute.defaultValue == nil,
                    attribute.derivation == nil
                else { return nil }
                return Violation(
                    "set '\(attribute.name)' before it is read or saved: it is mandatory and has no default"
                )
            }
        }
    )

    static let missingInverseEntity = Rule(
        .named("missing-inverse-entity", .style, .note),
        summary: "Inverses are written with their entity",
        rationale: """
            Xcode writes `inverseEntity` beside every `inverseName`; tools that read models rely on it. It is not part \
            of the version hash.
            """,
        passing: .toOne,
        failing:
            "<entity name='A'><relationship name='r' maxCount='1' optional='YES' destinationEntity='A' ◀inverseName='r'/></entity>",
        fix: .keepingHash("adds `inverseEntity`"),
        check: .model { model in
            model.each(\.relationships) { relationship, entity in
                guard relationship.inverseName != nil, relationship.inverseEntity == nil,
                    let (_, owner) = model.graph.inverse(of: relationship)
                else { return nil }
                return Violation(
                    "write the entity of the inverse of '\(relationship.name)'",
                    of: "inverseName",
                    fix: Fix(
                        "add inverseEntity",
                        at: relationship.source.element,
                        .tag(.add("inverseEntity", owner.name))
                    )
                )
            }
        }
    )

    static let redundantRenamingIdentifier = Rule(
        .named("redundant-renaming-identifier", .style, .note),
        summary: "Renaming identifiers differ from the name",
        rationale: """
            An item without a renaming identifier is matched by its name; an identifier equal to the name has no \
            effect.
            """,
        passing: "<entity name='A' elementID='B'/>",
        failing: "<entity name='A' ◀elementID='A'/>",
        fix: .keepingHash("removes the identifier"),
        check: .model { model in
            model.forEachIdentified { name, identifier, source, element in
                guard identifier == name, source.has("elementID") else { return nil }
                return Violation(
                    "remove the renaming identifier of '\(name)': it equals the name",
                    at: source.location(of: "elementID"),
                    element: element,
                    fix: Fix("remove elementID", at: source.element, .tag(.remove("elementID")))
                )
            }
        }
    )

    static let sourceForm = Rule(
        .named("source-form", .style, .note),
        summary: "Sources are as Xcode writes them",
        rationale: """
            Whenever Xcode saves, it puts the attributes of each element and the entities and properties of a model in \
            its own order. The next save changes many lines of a source with another order, spelling or line ending, \
            as left by editors, scripts and merges, and the intended edit is lost among them. `--fix` writes the \
            source as Xcode would; no value or hash changes. Sources that Xcode never saved, and those with comments, \
            are left alone.
            """,
        fix: .keepingHash("writes the source as Xcode does"),
        check: .source { version, path, bytes in
            // A file from another tool has no form to keep.
            guard let tools = version.model.documentSettings["lastSavedToolsVersion"], tools != "1",
                let form = xcodeForm(of: bytes, path: path), form != bytes
            else { return [] }
            let newline = UInt8(ascii: "\n")
            let old = bytes.split(separator: newline, omittingEmptySubsequences: false)
            let new = form.split(separator: newline, omittingEmptySubsequences: false)
            let first = zip(old, new).prefix { $0 == $1 }.count
            let count = changedLines(old, new, from: first)
            let reason =
                bytes.contains(0x0D)
                ? "its lines end in CR and LF"
                : count > 0 ? "\(count) of its lines would change" : "its lines would change"
            let place = FileLocation(path: path, line: first + 1, column: 1)
            return [
                Violation(
                    "the source is not as Xcode writes it: \(reason) at the next save in Xcode, from here on",
                    at: place,
                    fix: Fix("write the source as Xcode does", at: place, .rewrite)
                )
            ]
        }
    )

    static let unknownIgnoredRule = Rule(
        .named("unknown-ignored-rule", .style, .warning),
        summary: "Ignored rules exist",
        rationale: """
            A `momtool.ignore` entry in a user info names a rule that does not exist, so it ignores nothing.
            """,
        passing:
            "<entity name='A'><userInfo><entry key='momtool.ignore' value='missing-inverse, all'/></userInfo></entity>",
        failing:
            "◀<entity name='A'><userInfo><entry key='momtool.ignore' value='mising-inverse'/></userInfo></entity>",
        check: .model { model in
            zip(model.entities, model.properties).flatMap { entity, properties in
                unknownRules(entity.userInfo, at: entity.source, element: entity.name)
                    + properties.flatMap { property in
                        unknownRules(
                            property.userInfo,
                            at: property.source,
                            element: "\(entity.name).\(property.name)"
                        )
                    }
            }
        }
    )

    static func noSuchRule(_ name: String) -> String { "there is no rule '\(name)'" }

    static let unmatchedIgnore = Rule(
        .named(.unmatchedIgnore, .style, .note, by: .stages),
        summary: "Every version under 'lint: ignore:', 'order:' and 'lock: unshipped:' exists",
        rationale: """
            An item under `lint: ignore:` or `order:` in `.momtool.yml` names a version that no model below its folder \
            has, so it does nothing. It is misspelled or outdated. One under `lock: unshipped:` may be of a removed \
            model: it is reported if a version has a similar name.
            """
    )

    static let unmatchedLoss = Rule(
        .named(.unmatchedLoss, .style, .note, by: .stages),
        summary: "Every allowed loss exists",
        rationale: """
            A name under `losses:` or `allowDataLoss:` in `.momtool.yml`, or in a lock, has no effect: there is no \
            such version, entity or property, or the step does not drop it. It is misspelled or outdated, and may \
            allow the wrong thing later. The finding shows the name that may have been intended.
            """
    )
}

extension Finding {
    /// The finding where the version before is known: an element with its name there was never renamed, so that an
    /// identifier with effect would lose its values.
    func knowing(_ before: ModelVersion) -> Finding {
        guard diagnostic.rule == Rule.literalRenamingIdentifier.id, let name = diagnostic.element,
            let change = fix?.changes.first, case .tag(.rename) = change.edit, before.has(name)
        else { return self }
        var finding = self
        finding.diagnostic.severity = .note
        finding.diagnostic.message =
            "remove the literal renamingIdentifier of '\(name)': it has no effect, and '\(before.name)' has the same name"
        finding.fix = Fix(
            "remove renamingIdentifier",
            at: change.location,
            .tag(.remove("renamingIdentifier"))
        )
        return finding
    }
}

extension ModelVersion {
    /// Whether an entity, or a property such as `Stop.label`, is here.
    fileprivate func has(_ name: String) -> Bool {
        let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
        guard let first = parts.first,
            let entity = model.entities.first(where: { $0.name == first })
        else { return false }
        guard parts.count > 1 else { return true }
        return entity.attributes.contains { $0.name == parts[1] }
            || entity.relationships.contains { $0.name == parts[1] }
    }
}

/// The number of lines, from the first difference, that moved or are missing, if that is fast to find; otherwise 0.
private func changedLines(
    _ old: [ArraySlice<UInt8>],
    _ new: [ArraySlice<UInt8>],
    from start: Int
) -> Int {
    let end = zip(old.dropFirst(start).reversed(), new.dropFirst(start).reversed())
        .prefix { $0 == $1 }.count
    let (left, right) = (old[start..<(old.count - end)], new[start..<(new.count - end)])
    // The time of the comparison grows with the square of the number of differences.
    guard left.count <= 2_000, right.count <= 2_000 else { return 0 }
    let numbers = numbered(Array(left), Array(right))
    let difference = numbers[1].difference(from: numbers[0])
    return max(difference.removals.count, difference.insertions.count)
}

private func unknownRules(
    _ userInfo: [UserInfoEntry],
    at source: SourceMark,
    element: @autoclosure () -> String
) -> [Violation] {
    guard !userInfo.isEmpty else { return [] }
    let element = element()
    return userInfo.filter { $0.key == IgnoredRules.key }
        .flatMap { IgnoredRules.names(in: $0.value) }
        .filter { $0 != "all" && Rule.named($0) == nil }
        .map { name in
            let nearest = suggestion(for: name, among: Rule.all.map(\.id.rawValue))
            return Violation(
                "\(Rule.noSuchRule(name))\(nearest)",
                at: source.element,
                element: element
            )
        }
}

extension RuleID { package static let unmatchedIgnore: RuleID = "unmatched-ignore" }

/// Notes items of `ignore` whose version is in no model.
///
/// `others` returns the versions of other models that the items may be about, and is called only when needed.
package func unmatchedVersions(
    of suppressions: [Suppression],
    among versions: [ModelVersion],
    others: () -> [ModelVersion]
) -> [Diagnostic] {
    let names = versions.map(\.name)
    let unknown = suppressions.filter { $0.version.map { !names.contains($0) } ?? false }
    let siblings = unknown.isEmpty ? [] : Set(others().map(\.name))
    return unknown.compactMap { suppression in
        guard let name = suppression.version, !siblings.contains(name) else { return nil }
        return Diagnostic(
            .unmatchedIgnore,
            "this entry does nothing: there is no version '\(name)'\(suggestion(for: name, among: names))",
            severity: .note,
            at: suppression.location
        )
    }
}
