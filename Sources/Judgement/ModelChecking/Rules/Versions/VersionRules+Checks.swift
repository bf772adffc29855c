import Diagnostics
import MappingInference
import ModelDiffing
import ModelEditing
import ModelHashing
import ObjectModel

extension Rule {
    static let currentVersionNotLast = Rule(
        .named("current-version-not-last", .versions, .warning),
        summary: "The current version is the newest one",
        rationale: """
            New stores have the current version. If it is not the last one, someone forgot to switch to the new \
            version, or the current version was rolled back. Newer versions without a lock count as not shipped: their \
            stores are not tested. Names without an order are left alone.
            """,
        passing: .attributeAdded,
        failing: RuleExample(
            """
            ◀
            <entity name='A'><attribute name='a' optional='YES' attributeType='String'/></entity>
            """,
            """
            <entity name='A'><attribute name='a' optional='YES' attributeType='String'/>
            <attribute name='b' optional='YES' attributeType='String'/></entity>
            """,
            current: 0
        ),
        check: .bundle { bundle in
            guard let current = bundle.versions.first(where: \.isCurrent),
                let last = bundle.versions.last, !last.isCurrent,
                bundle.tellsOrder(of: current, and: last)
            else { return [] }
            let isLocked = bundle.locked.contains(last.name)
            if last.isBeside, !isLocked { return [] }
            let advice =
                isLocked
                ? "its stores would migrate back, and it is locked; make '\(last.name)' current again"
                : "make it current, or remove it; newer versions without a lock are not tested"
            return [
                Violation(
                    "the current version is '\(current.name)', but the last one is '\(last.name)': \(advice)",
                    at: current.elementLocation,
                    notes: [Diagnostic.Note("'\(last.name)' is here", at: last.elementLocation)],
                    version: current.name,
                    // Reverting a shipped version is a known decision.
                    severity: isLocked ? .note : nil
                )
            ]
        }
    )

    static let equalChecksums = Rule(
        .named("equal-checksums", .versions, .warning),
        summary: "No two versions have equal checksums",
        rationale: """
            Core Data tells versions apart only by their hashes. A step between equal versions is silently skipped, \
            and a list of stages that names both raises an exception. Remove one of them, or set a version hash \
            modifier. If it shipped, it is a note, unless the current version takes the values of its stores otherwise \
            than those of the equal one.
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
                if let current = bundle.current, current.checksum != checksum,
                    let torn = tornApart(twin, version, by: current)
                {
                    return torn
                }
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

    static let indexOnlyVersion = Rule(
        .named("index-only-version", .versions, .warning),
        summary: "A version differs from the previous one by more than indexes",
        rationale: """
            Indexes are not part of any hash, so Core Data takes a version that only adds some for the previous one: \
            its stage never runs, stores in the field never get the index, and a plan that lists both versions raises \
            "Duplicate version checksums". Add the index together with a change that affects a hash.
            """,
        passing: RuleExample(
            "<entity name='A'><attribute name='a' optional='YES' attributeType='String'/></entity>",
            """
            <entity name='A'><attribute name='a' optional='YES' attributeType='String'/>
            <attribute name='b' optional='YES' attributeType='String'/>\
            <fetchIndex name='i'><fetchIndexElement property='a' type='Binary' order='ascending'/></fetchIndex>\
            </entity>
            """
        ),
        failing: RuleExample(
            "<entity name='A'><attribute name='a' optional='YES' attributeType='String'/></entity>",
            """
            ◀
            <entity name='A'><attribute name='a' optional='YES' attributeType='String'/>\
            <fetchIndex name='i'><fetchIndexElement property='a' type='Binary' order='ascending'/></fetchIndex>\
            </entity>
            """
        ),
        fix: .movingHash("sets a version hash modifier on the entities whose indexes change"),
        check: .step { step in
            let changes = step.silentChanges.filter(\.isIndexChange)
            guard step.from.isWhole, step.to.isWhole, step.from.checksum == step.to.checksum,
                !changes.isEmpty
            else { return [] }
            return [
                Violation(
                    "'\(step.to.name)' only adds indexes to '\(step.from.name)': for Core Data it is the same "
                        + "version, and stores in the field never get them",
                    at: step.to.elementLocation,
                    fix: modifier(of: step.to, Set(changes.compactMap(\.subject.entity))),
                    version: step.to.name
                )
            ]
        }
    )

    static let modelNotInTarget = Rule(
        .named("model-not-in-target", .versions, .warning),
        summary: "A target compiles the model",
        rationale: """
            A model that the project lists, but no target compiles, is missing at run time: the app stops. A model \
            that a project around it does not list at all is only a note, unless code below the project loads it by \
            name: a package or another project may use it. A package compiles the models in its targets' folders, \
            except those under `exclude:`. If a target compiles the model, one must compile the mapping models into \
            the current version: without them Core Data infers the step, or refuses it.
            """,
        passing: .inProject(),
        failing: .inProject(target: "", mark: "◀"),
        check: .projects { _, projects in
            guard !projects.contains(where: { $0.membership == .inTarget }) else { return [] }
            return projects.compactMap { project in
                switch project.membership {
                case .inTarget, .unknown: nil
                case .inNoTarget:
                    Violation(
                        "no target of the project compiles the model: an app built"
                            + " from it has no model; add the model to a target",
                        at: project.location,
                        notes: project.loader.map { [Diagnostic.Note("loaded here", at: $0)] } ?? []
                    )
                case .unlisted:
                    Violation(
                        project.loader == nil
                            ? "the project does not list the model next to it"
                            : "the project does not list the model, which the app's code loads: an"
                                + " app built from it has no model; add the model to a target",
                        at: project.location,
                        notes: project.loader.map { [Diagnostic.Note("loaded here", at: $0)] }
                            ?? [],
                        severity: project.loader == nil ? .note : nil
                    )
                }
            }
        }
    )

    static let otherCurrentVersionInProject = Rule(
        .named("other-current-version-in-project", .versions, .warning),
        summary: "Project and model have the same current version",
        rationale: """
            Xcode stores the current version twice: in the project's version group and in the model's \
            `.xccurrentversion`. If they differ, the version that the app is built with depends on who builds it; \
            choose the version again in Xcode's inspector, so that both are written.
            """,
        passing: .inProject(),
        failing: .inProject(current: "V1", mark: "◀"),
        check: .projects { bundle, projects in
            guard let current = bundle.versions.first(where: \.isCurrent) else { return [] }
            return projects.compactMap { project in
                guard let other = project.currentVersion, other != current.name else { return nil }
                return Violation(
                    "the current version is '\(other)' in the project but '\(current.name)' in the"
                        + " model: choose it again in Xcode, so that both agree",
                    at: project.location,
                    notes: [
                        Diagnostic.Note("'\(current.name)' is here", at: current.elementLocation)
                    ],
                    version: current.name
                )
            }
        }
    )

    static let versionNotInProject = Rule(
        .named("version-not-in-project", .versions, .error),
        summary: "The project lists every version",
        rationale: """
            An app is built from the files that its project lists. A version that is in the model's folder but not in \
            the project's version group is not in the app: stores that it wrote no longer open, and one that is \
            current leaves the app without its model. Merges of project files lose such lines.
            """,
        passing: .inProject(),
        failing: .inProject(listing: ["V2"], mark: "◀"),
        fix: .keepingHash("lists the version in a project that Xcode made"),
        check: .projects { bundle, projects in
            projects.flatMap { project -> [Violation] in
                guard let listed = project.versions else { return [] }
                return bundle.versions.filter { !listed.contains($0.name) }.map { version in
                    Violation(
                        "the project does not list '\(version.name)', which is in the folder of the"
                            + " model: the app is built without it; add it to the version group",
                        at: project.location,
                        notes: [
                            Diagnostic.Note(
                                "'\(version.name)' is here",
                                at: version.elementLocation
                            )
                        ],
                        fix: project.fix(listing: version),
                        version: version.name
                    )
                }
            }
        }
    )
}

/// Advice where the later version lost a renaming identifier, which no hash contains; `nil` where it did not.
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

/// Gives the entities a new hash modifier, so that Core Data makes the step and with it the indexes.
private func modifier(of version: ModelVersion, _ names: Set<String>) -> Fix? {
    guard !version.path.hasSuffix(".swift") else { return nil }
    let changes = version.model.entities.filter { names.contains($0.name) }.compactMap { entity in
        entity.source.element.map { place in
            let isTaken = entity.versionHashModifier == version.name
            let value = version.name + (isTaken ? " indexes" : "")
            return Fix.Change(location: place, edit: .tag(.set("versionHashModifier", value)))
        }
    }
    let summary = "set a version hash modifier, so that stores get the indexes"
    return Fix(summary, changes, movesHash: true)
}

extension ProjectModel {
    /// Lists a version.
    ///
    /// If it is the current one, the project cannot have named another: both lines were lost.
    fileprivate func fix(listing version: ModelVersion) -> Fix? {
        guard location.path.hasSuffix(".pbxproj") else { return nil }
        return Fix(
            "list the version in the project",
            file: location.path,
            .enterInProject(version: version.name, isCurrent: version.isCurrent)
        )
    }
}

extension RuleExample {
    /// A model of two versions in an Xcode project that lists versions, has a current one, and compiles a bundle.
    ///
    /// `mark` is the sign for the location of a finding, which is the version group's.
    static func inProject(
        listing listed: [String] = ["V1", "V2"],
        current: String = "V2",
        target: String = "B1",
        mark: String = ""
    ) -> RuleExample {
        func entity(_ names: String...) -> String {
            let attributes = names.map {
                "<attribute name='\($0)' optional='YES' attributeType='String'/>"
            }
            return "<entity name='A'>\(attributes.joined())</entity>"
        }
        let files = listed.map { version in
            "\(version) = {isa = PBXFileReference; path = \(version).xcdatamodel; sourceTree = \"<group>\"; };"
        }
        return RuleExample(
            entity("a"),
            entity("a", "b"),
            project: """
                // !$*UTF8*$!
                { objects = {
                    \(files.joined(separator: "\n    "))
                    \(mark)A0 = {isa = XCVersionGroup; children = (\(listed.joined(separator: ", ")));
                        currentVersion = \(current); path = M.xcdatamodeld; sourceTree = SOURCE_ROOT; };
                    B1 = {isa = PBXBuildFile; fileRef = A0; };
                    C1 = {isa = PBXSourcesBuildPhase; files = (\(target)); };
                    D1 = {isa = PBXNativeTarget; buildPhases = (C1); };
                }; }
                """
        )
    }
}

/// The violation of two equal versions whose renaming identifiers give the values of one store to other properties; `nil`
/// where the current version takes the same from both.
private func tornApart(
    _ one: ModelVersion,
    _ other: ModelVersion,
    by current: ModelVersion
) -> Violation? {
    let sources = [one, other].map { version in
        let mappings = inferMapping(from: version, to: current).entityMappings
        let properties = mappings.flatMap { mapping -> [(String, PropertyReference?)] in
            let entity = mapping.destinationEntity ?? ""
            return mapping.attributeMappings.map { ("\(entity).\($0.destination.name)", $0.source) }
                + mapping.relationshipMappings.map {
                    ("\(entity).\($0.destination.name)", $0.source)
                }
        }
        return Dictionary(properties) { $1 }
    }
    let names = sources[0].filter { sources[1][$0.key] != $0.value }.keys.sorted()
    guard !names.isEmpty else { return nil }
    return Violation(
        "'\(other.name)' has the checksum of '\(one.name)', and '\(current.name)' takes other values from it: "
            + "\(names.listed(most: 3)); which of the two Core Data finds is not known: edit the renaming identifiers "
            + "of '\(current.name)'",
        at: other.elementLocation,
        notes: [Diagnostic.Note("'\(one.name)' is here", at: one.elementLocation)],
        version: other.name
    )
}
