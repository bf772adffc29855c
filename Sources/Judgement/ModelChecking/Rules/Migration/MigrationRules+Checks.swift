import Diagnostics
import MappingInference
import ModelDiffing
import ObjectModel

extension Rule {
    static let dataLoss = Rule(
        .named("data-loss", .migration, .error),
        summary: "The step from the previous version drops no data without permission",
        rationale: """
            Core Data infers the step, and part of the old version has no counterpart in the new one: objects, values, \
            links or their order. If this is intended, list it for the version under `losses` in `.momtool.yml`: this \
            allows it in every command, also when the version is locked. A loss in a version that has shipped is a \
            note.
            """,
        passing: .attributeAdded,
        failing: RuleExample(
            """
            <entity name='A'><attribute name='a' optional='YES' attributeType='String'/>
            <attribute name='b' optional='YES' attributeType='String'/></entity>
            """,
            "◀<entity name='A'><attribute name='a' optional='YES' attributeType='String'/></entity>"
        ),
        isAnsweredByMapping: true,
        check: .step { step in
            let misspelled = step.judgesSpelling ? step.misspelledNames : []
            return step.losses.filter { loss in
                loss.kind == .dropped && misspelled.isDisjoint(with: loss.names)
            }
            .map { violation(of: $0, in: step) }
        }
    )

    /// The breach for a loss of a step, or a demand on rows, and how to agree to it.
    static func violation(
        of loss: StepLoss,
        in step: CheckedStep,
        severity: Severity? = nil
    ) -> Violation {
        let place =
            loss.oldLocation.map { [Diagnostic.Note("it was here", at: $0).having(.earlierPlace)] }
            ?? []
        return Violation(
            "the step from '\(step.from.name)': \(loss.name): \(loss.effect)",
            at: loss.location ?? step.to.elementLocation,
            element: loss.name,
            notes: place + [loss.advice(for: step.to, step.ledger)]
                + step.conversionNotes(for: loss),
            severity: min(severity ?? .error, step.lossSeverity),
            loss: loss.name
        )
    }

    static let newRequiredWithoutDefault = Rule(
        .named("new-required-without-default", .migration, .error),
        summary: "Every row has a value for a mandatory property",
        rationale: """
            A lightweight step fails with 134110 as soon as a row has no value: for a new mandatory relationship, or a \
            new mandatory attribute without a default, that is any row. Give the attribute a default, or make it \
            optional; with Core Data a mapping model may fill it. If no store has such rows, allow it under `losses` \
            in `.momtool.yml`. `momtool migrate` still refuses such rows. A new unique attribute with a default is \
            reported too: any two rows get the same value.
            """,
        passing: RuleExample(
            "<entity name='A'><attribute name='x' optional='YES' attributeType='String'/></entity>",
            """
            <entity name='A'><attribute name='x' optional='YES' attributeType='String'/>
            <attribute name='y' attributeType='String' defaultValueString='-'/></entity>
            """
        ),
        failing: RuleExample(
            "<entity name='A'><attribute name='x' optional='YES' attributeType='String'/></entity>",
            """
            <entity name='A'><attribute name='x' optional='YES' attributeType='String'/>
            ◀<attribute name='y' attributeType='String'/></entity>
            """
        ),
        RuleExample(
            "<entity name='A'><attribute name='x' optional='YES' attributeType='String'/></entity>",
            "<entity name='A'><attribute name='x' ◀optional='NO' attributeType='String'/></entity>"
        ),
        isAnsweredByMapping: true,
        check: .step { step in
            step.losses.filter { $0.kind == .required }.map { Rule.violation(of: $0, in: step) }
        }
    )

    static let oneDefaultForAll = Rule(
        .named("one-default-for-all", .migration, .warning),
        summary: "Values that identify objects do not come from a default",
        rationale: """
            A lightweight step gives every existing row the same default of a new attribute: `UUID()`, `Date()` and what \
            is made of them are evaluated when the schema is built, not for each row. Make the attribute optional and fill it in a custom \
            stage or a script.
            """,
        passing: RuleExample(
            "<entity name='A'><attribute name='x' optional='YES' attributeType='String'/></entity>",
            """
            <entity name='A'><attribute name='x' optional='YES' attributeType='String'/>
            <attribute name='id' optional='YES' attributeType='UUID'/></entity>
            """
        ),
        failing: RuleExample(
            "<entity name='A'><attribute name='x' optional='YES' attributeType='String'/></entity>",
            """
            <entity name='A'><attribute name='x' optional='YES' attributeType='String'/>
            ◀<attribute name='id' attributeType='UUID' \
            defaultValueString='6F9619FF-8B86-D011-B42D-00C04FC964FF'/></entity>
            """
        ),
        check: .step { step in
            step.diff.changes.compactMap { change in
                guard case .attributeAdded(let attribute, _) = change else { return nil }
                let text: String
                switch attribute.unstatedDefault {
                case .moment(let expression)?: text = expression
                case .expression?:
                    guard let made = attribute.unreadDefault, isOfMoment(made) else { return nil }
                    text = made
                case nil:
                    guard attribute.type == .uuid, attribute.defaultValue != nil else { return nil }
                    text = "its default"
                }
                let path = change.subject.path ?? attribute.name
                return Violation(
                    "all existing rows get the same value of '\(path)', that of \(text)",
                    at: attribute.source.element,
                    element: path
                )
            }
        }
    )

    static let silentDefaultChange = Rule(
        .named("silent-default-change", .migration, .note),
        summary: "A change of a default comes with a change of the hash",
        rationale: """
            The default is not part of any hash: Core Data opens old stores as they are, and existing objects keep \
            their values, such as the old default. To change them too, set a version hash modifier in a version that \
            has not shipped, and fill the values in a custom stage.
            """,
        passing: RuleExample(
            "<entity name='A'><attribute name='a' attributeType='Integer 16' defaultValueString='1'/></entity>",
            "<entity name='A'><attribute name='a' attributeType='Integer 16' defaultValueString='2' versionHashModifier='2'/></entity>"
        ),
        failing: RuleExample(
            "<entity name='A'><attribute name='a' attributeType='Integer 16' defaultValueString='1'/></entity>",
            "<entity name='A'><attribute name='a' attributeType='Integer 16' ◀defaultValueString='2'/></entity>"
        ),
        check: .step { step in
            step.silentChanges.compactMap { change in
                guard case .attributeChanged(_, .defaultValue(let old, let new)) = change else {
                    return nil
                }
                // A class whose initializer sets the value has no new default that old objects could lack.
                guard new != nil || change.toLocation?.path.hasSuffix(".swift") != true else {
                    return nil
                }
                let name = "'\(change.subject.path ?? "")'"
                let kept =
                    old == nil
                    ? "existing objects do not get the new default of \(name)"
                    : "existing objects keep the old default of \(name)"
                return Violation(
                    "\(kept): no version hash changes",
                    at: change.toLocation,
                    element: change.subject.path,
                    notes: [Diagnostic.Note("it was here", at: change.fromLocation)]
                )
            }
        }
    )

    static let silentIndexChange = Rule(
        .named("silent-index-change", .migration, .note),
        summary: "A change of a fetch index comes with a change of the hash",
        rationale: """
            Indexes are not part of any hash: Core Data opens old stores as they are, and they never get the index. \
            Set a version hash modifier on the entity so that the index is created; if the version has shipped, in a \
            new version, as the modifier makes it a different version.
            """,
        passing: RuleExample(
            "<entity name='A'><attribute name='a' optional='YES' attributeType='String'/></entity>",
            "<entity name='A' versionHashModifier='index'><attribute name='a' optional='YES' attributeType='String'/><fetchIndex name='i'><fetchIndexElement property='a' type='Binary' order='ascending'/></fetchIndex></entity>"
        ),
        failing: RuleExample(
            "<entity name='A'><attribute name='a' optional='YES' attributeType='String'/></entity>",
            "<entity name='A'><attribute name='a' optional='YES' attributeType='String'/>◀<fetchIndex name='i'><fetchIndexElement property='a' type='Binary' order='ascending'/></fetchIndex></entity>"
        ),
        check: .step { step in
            step.silentChanges.compactMap { change in
                guard change.isIndexChange else { return nil }
                let entity = "'\(change.subject.entity ?? "")'"
                let cure =
                    step.lossSeverity == .note
                    ? "a new version with a hash modifier on \(entity) has them rebuilt"
                    : "set a version hash modifier on \(entity) to have them rebuilt, unless this version shipped"
                return Violation(
                    "existing stores keep their indexes: \(cure)",
                    at: change.toLocation,
                    element: change.subject.path,
                    notes: [Diagnostic.Note("it was here", at: change.fromLocation)]
                )
            }
        }
    )

    static let silentTransformerChange = Rule(
        .named("silent-transformer-change", .migration, .warning),
        summary: "A change of a value transformer comes with a change of the hash",
        rationale: """
            The transformer is not part of any hash: Core Data opens old stores as they are, and the new transformer \
            gets the bytes of the old one. Set a version hash modifier and convert the values in a custom stage, or \
            make the new transformer read both. The secure transformer reads what Core Data writes without one, but only \
            objects of Foundation.
            """,
        passing: RuleExample(
            "<entity name='A'><attribute name='t' optional='YES' attributeType='Transformable' valueTransformerName='One'/></entity>",
            "<entity name='A'><attribute name='t' optional='YES' attributeType='Transformable' valueTransformerName='Two' versionHashModifier='2'/></entity>"
        ),
        failing: RuleExample(
            "<entity name='A'><attribute name='t' optional='YES' attributeType='Transformable' valueTransformerName='One'/></entity>",
            "<entity name='A'><attribute name='t' optional='YES' attributeType='Transformable' ◀valueTransformerName='Two'/></entity>"
        ),
        check: .step { step in
            step.silentChanges.compactMap { change in
                guard case .attributeChanged(_, let own) = change,
                    case .setting(.valueTransformerName, let from, let to) = own,
                    !(writesKeyedArchives(from) && writesKeyedArchives(to))
                else { return nil }
                return Violation(
                    "'\(change.subject.property ?? "")' has a new transformer but keeps its old bytes: set a"
                        + " version hash modifier and convert them in a custom stage",
                    at: change.toLocation,
                    element: change.subject.path,
                    notes: [Diagnostic.Note("it was here", at: change.fromLocation)]
                )
            } + step.diff.changes.compactMap(refusedClass)
        }
    )

    static let stepNotInferable = Rule(
        .named("step-not-inferable", .migration, .error),
        summary: "Core Data can infer the step from the previous version",
        rationale: """
            A step that cannot be inferred needs a mapping model or a custom stage; without one, stores do not open \
            (134140, 134190). `momtool plan` shows the whole step. A mapping model for the step in the project \
            resolves it. A finding that rests on a guess is a warning.
            """,
        passing: .attributeAdded,
        failing: RuleExample(
            "<entity name='A'><attribute name='a' optional='YES' attributeType='String'/></entity>",
            "<entity name='A'><attribute name='a' optional='YES' ◀attributeType='Date'/></entity>"
        ),
        isAnsweredByMapping: true,
        check: .step { step in
            let refusals = step.mapping.refusals
            let bridging = refusals.isEmpty ? [] : step.bridgingNotes
            return refusals.enumerated().map { index, refusal in
                let diagnostic = refusal.diagnostic
                return Violation(
                    "the step from '\(step.from.name)' needs a mapping model or a custom stage:"
                        + " \(refusal.sentence)",
                    at: diagnostic.location,
                    element: diagnostic.element,
                    notes: diagnostic.notes + (index == 0 ? bridging : []),
                    severity: refusal.evidence.isGuess ? .warning : nil
                )
            }
        }
    )

    static let valueTypeChangesHash = Rule(
        .named("value-type-changes-hash", .migration, .note),
        summary: "The members of composites are those of the previous version",
        rationale: """
            A member of a stored struct, or a case of a stored enum without raw values, is part of the entity's hash, \
            however far its declaration is from the class. In a new version that is fine, like any other change; in a \
            version that shipped it fails with 134504. Cases of enums with raw values are free.
            """,
        passing: RuleExample(
            "<entity name='A'><attribute name='p' attributeType='Composite' composite='P'/></entity>"
                + "<composite name='P'><attribute name='x' attributeType='String'/></composite>",
            "<entity name='A'><attribute name='p' attributeType='Composite' composite='P'/></entity>"
                + "<composite name='P'><attribute name='x' attributeType='String'/></composite>"
        ),
        failing: RuleExample(
            "<entity name='A'><attribute name='p' attributeType='Composite' composite='P'/></entity>"
                + "<composite name='P'><attribute name='x' attributeType='String'/></composite>",
            "<entity name='A'><attribute name='p' attributeType='Composite' composite='P'/></entity>"
                + "<composite name='P'><attribute name='x' attributeType='String'/>"
                + "◀<attribute name='y' attributeType='String' optional='YES'/></composite>"
        ),
        check: .step { step in
            step.diff.changes.compactMap { change in
                guard case .attributeChanged(_, .element(let path, let element)) = change,
                    change.movesVersionHash
                else { return nil }
                let name = path.joined(separator: ".")
                let (what, source): (String, SourceMark?) =
                    switch element {
                    case .added(let attribute):
                        ("the member or case '\(name)' is new", attribute.source)
                    case .removed: ("the member or case '\(name)' was removed", nil)
                    case .changed(_, let attribute, _):
                        ("the member '\(name)' was changed", attribute.source)
                    }
                return Violation(
                    "\(what): the hash of '\(change.subject.entity ?? "")' changes with it",
                    at: source?.element ?? change.toLocation,
                    element: change.subject.path
                )
            }
        }
    )
}

/// Whether values are kept as keyed archives, Core Data's default; the secure transformer reads the same bytes.
private func writesKeyedArchives(_ transformer: String?) -> Bool {
    [
        nil, "", "NSKeyedUnarchiveFromData", "NSKeyedUnarchiveFromDataTransformerName",
        "NSSecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformerName",
    ].contains(transformer)
}

/// A warning where the secure transformer is new and does not allow the class of the values.
private func refusedClass(after change: ModelChange) -> Violation? {
    guard
        case .attributeChanged(let pair, .setting(.valueTransformerName, let from, let to)) = change,
        writesKeyedArchives(from), from?.hasPrefix("NSSecure") != true,
        writesKeyedArchives(to), to?.hasPrefix("NSSecure") == true,
        let name = pair.to.property.customClassName,
        // Types of Swift become classes of Foundation.
        !name.contains(/[\[<:?]/), !foundationClasses.contains(name.replacing("Mutable", with: ""))
    else { return nil }
    return Violation(
        "the transformer of '\(pair.to.property.name)' does not allow '\(name)': name one that does",
        at: change.toLocation,
        element: change.subject.path,
        notes: [Diagnostic.Note("it was here", at: change.fromLocation)]
    )
}

/// The classes that the secure transformer reads; of `NSObject` it is not known.
private let foundationClasses: Set = [
    "", "NSArray", "NSData", "NSDate", "NSDecimalNumber", "NSDictionary", "NSNull", "NSNumber",
    "NSObject", "NSSet", "NSString", "NSURL", "NSUUID",
]

/// Whether an expression takes a value of the clock or of chance, which is the same for all rows of a step.
private func isOfMoment(_ expression: String) -> Bool {
    ["UUID()", "Date()", "Date.now", "timeIntervalSinceNow", ".random("]
        .contains(where: code(of: expression).contains)
}

/// An expression without its texts, but with what they interpolate.
private func code(of expression: String) -> String {
    var (code, isText, isEscaped) = ("", false, false)
    /// The parentheses that are open in each interpolation.
    var depths: [Int] = []
    for character in expression {
        if isText {
            isText = isEscaped ? character != "(" : character != "\""
            if isEscaped, !isText { depths.append(0) }
            isEscaped = character == "\\" && !isEscaped
        } else if character == ")", depths.last == 0 {
            depths.removeLast()
            isText = true
        } else {
            isText = character == "\""
            let step = character == "(" ? 1 : character == ")" ? -1 : 0
            if let depth = depths.popLast() { depths.append(depth + step) }
            code.append(character)
        }
    }
    return code
}
