package import Diagnostics
import ObjectModel

/// A rule about models, with its rationale and its check.
///
/// Documentation and tests are made from these values; an ID never changes its meaning.
package struct Rule: Sendable {
    package enum Family: String, Sendable, Hashable, CaseIterable {
        /// What a model needs to be read at all.
        case structure
        /// The demands of Apple's compiler, Xcode and Core Data on a single version.
        case apple
        /// Versions in the field.
        case versions
        /// Whether stores get from one version to the next, and what is lost.
        case migration
        /// What only the rows of a store can decide.
        case rows
        case cloudKit = "cloudkit"
        /// Legal, and better done otherwise.
        case style
    }

    package let id: RuleID
    package let family: Family
    /// The severity of a violation unless a configuration sets another one.
    ///
    /// An error keeps a store from opening or loses values, a warning does so with some rows, and a note is about what
    /// is usual, or may do harm that was never observed. Of versions that shipped it is a note at most.
    package let severity: Severity
    package let summary: String
    package let rationale: String
    /// The text of Apple's tools, word for word where known.
    package let appleText: String?
    package let passing: [RuleExample]
    /// Models that break the rule, with `◀` where the finding must be.
    package let failing: [RuleExample]
    /// Whether a mapping model for the step cures a breach, so that no version has to be edited.
    let isAnsweredByMapping: Bool
    /// How `lint --fix` cures a breach; `nil` where the cure is a choice.
    package let fix: RuleFix?
    let check: RuleCheck

    struct Heading {
        let id: RuleID
        let family: Family
        let severity: Severity
        let check: RuleCheck

        /// `check` says who checks it, where the rule has no code of its own.
        static func named(
            _ id: RuleID,
            _ family: Family,
            _ severity: Severity,
            by check: RuleCheck = .reading
        ) -> Heading { Heading(id: id, family: family, severity: severity, check: check) }
    }

    init(
        _ heading: Heading,
        summary: String,
        rationale: String,
        appleText: String? = nil,
        passing: RuleExample...,
        failing: RuleExample...,
        isAnsweredByMapping: Bool = false,
        fix: RuleFix? = nil,
        check: RuleCheck? = nil
    ) {
        (id, family, severity) = (heading.id, heading.family, heading.severity)
        (self.summary, self.rationale, self.appleText) = (summary, rationale, appleText)
        (self.passing, self.failing) = (passing, failing)
        (self.isAnsweredByMapping, self.fix) = (isAnsweredByMapping, fix)
        self.check = check ?? heading.check
    }

    package var reporter: RuleReporter {
        switch check {
        case .reading: .reader
        case .model, .step, .bundle, .projects, .stages: .linter
        case .source: .source
        case .lock: .lock
        case .project: .project
        case .planning: .planner
        case .schema: .schema
        case .schemaStep: .schemaStep
        }
    }
}

package enum RuleReporter: Sendable, Hashable {
    case reader, linter
    /// Commands that check models, from the bytes of the source.
    case source
    case lock, project, planner, schema, schemaStep
}

package struct RuleFix: Sendable, Hashable {
    /// In the third person.
    package let summary: String
    package let movesHash: Bool

    static func keepingHash(_ summary: String) -> RuleFix {
        RuleFix(summary: summary, movesHash: false)
    }

    /// An edit that moves the hash of its version: made only in the newest, if a lock shows that it has not shipped.
    static func movingHash(_ summary: String) -> RuleFix {
        RuleFix(summary: summary, movesHash: true)
    }
}

/// One or more versions of a model, oldest first, as the elements inside of `<model>`.
package struct RuleExample: Sendable, Hashable, ExpressibleByStringLiteral {
    /// Their names are `V1`, `V2` and so on.
    package var versions: [String]
    /// The index of the current version, by default the last one.
    package var current: Int
    package var modelAttributes: String
    /// The text of the `project.pbxproj` beside the model, where there is one.
    package var project: String?

    package init(
        _ versions: String...,
        current: Int? = nil,
        modelAttributes: String = "",
        project: String? = nil
    ) {
        (self.versions, self.project) = (versions, project)
        self.current = current ?? versions.count - 1
        self.modelAttributes = modelAttributes
    }

    package init(stringLiteral value: String) { self.init(value) }

    static let attribute: RuleExample =
        "<entity name='A'><attribute name='a' optional='YES' attributeType='String'/></entity>"
    static let toOne: RuleExample =
        "<entity name='A'><relationship name='r' maxCount='1' optional='YES' destinationEntity='A' inverseName='r' inverseEntity='A'/></entity>"

    static let attributeAdded = RuleExample(
        "<entity name='A'><attribute name='a' optional='YES' attributeType='String'/></entity>",
        """
        <entity name='A'><attribute name='a' optional='YES' attributeType='String'/>
        <attribute name='b' optional='YES' attributeType='String'/></entity>
        """
    )

    /// A version whose entity 'A' is in a configuration for CloudKit.
    static func cloud(_ example: RuleExample) -> RuleExample {
        let configuration =
            "<configuration name='Cloud' usedWithCloudKit='YES'><memberEntity name='A'/></configuration>"
        return RuleExample(example.versions[0] + "\n" + configuration)
    }
}

enum RuleCheck: Sendable {
    case reading
    /// By a single version.
    case model(@Sendable (CheckedModel) -> [Violation])
    case source(@Sendable (ModelVersion, _ path: String, _ bytes: [UInt8]) -> [Violation])
    /// By a version and the previous one.
    case step(@Sendable (CheckedStep) -> [Violation])
    /// By all versions of a bundle.
    case bundle(@Sendable (CheckedBundle) -> [Violation])
    /// By projects around the model and its versions.
    case projects(@Sendable (CheckedBundle, [ProjectModel]) -> [Violation])
    case lock, stages, project, planning, schema, schemaStep

    static func each<Checked: Property>(
        _ properties: any (KeyPath<Entity, [Checked]> & Sendable),
        _ check: @escaping @Sendable (Checked) -> Violation?
    ) -> RuleCheck { .model { model in model.each(properties) { property, _ in check(property) } } }

    static func eachProperty(
        _ check: @escaping @Sendable (CheckedProperty) -> Violation?
    ) -> RuleCheck { .model { $0.eachProperty(check) } }

    /// By the stored properties of the entities that are used with CloudKit.
    static func mirrored<Checked: Property>(
        _ properties: any (KeyPath<Entity, [Checked]> & Sendable),
        _ check: @escaping @Sendable (Checked) -> Violation?
    ) -> RuleCheck {
        .model { model in
            model.each(properties, of: model.cloudKitEntities) { property, _ in
                property.isTransient ? nil : check(property)
            }
        }
    }
}

struct Violation {
    var wording: Wording
    var location: FileLocation?
    var element: String?
    var notes: [Diagnostic.Note] = []
    var fix: Fix?
    var version: String?
    var severity: Severity?
    var loss: String?
    var explained: [String] = []
    /// The setting of a checked property whose location it has.
    private var setting = "name"

    init(
        _ wording: Wording,
        at location: FileLocation?,
        element: String? = nil,
        notes: [Diagnostic.Note] = [],
        fix: Fix? = nil,
        version: String? = nil,
        severity: Severity? = nil,
        loss: String? = nil
    ) {
        (self.wording, self.location, self.element) = (wording, location, element)
        (self.notes, self.fix, self.version) = (notes, fix, version)
        (self.severity, self.loss) = (severity, loss)
    }

    /// Creates one whose place is the property that is checked, at a setting of its source.
    init(
        _ wording: Wording,
        of setting: String = "name",
        fix: Fix? = nil,
        severity: Severity? = nil
    ) {
        self.init(wording, at: nil, fix: fix, severity: severity)
        self.setting = setting
    }

    func placed(at source: SourceMark, _ element: String) -> Violation {
        var violation = self
        (violation.location, violation.element) = (source.location(of: setting), element)
        return violation
    }
}
