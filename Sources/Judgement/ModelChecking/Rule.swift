package import Diagnostics
import ObjectModel

/// A rule about models: what it asks for, why, and how it is checked.
///
/// Documentation and tests are made from these values; an ID never changes its meaning.
package struct Rule: Sendable {
    /// What a rule is about.
    package enum Family: String, Sendable, Hashable, CaseIterable {
        /// What a model must be to be read at all.
        case structure
        /// What Apple's compiler, Xcode and Core Data say about a single version.
        case apple
        /// What happens to versions that are in the field.
        case versions
        /// Whether stores come from one version to the next, and what is lost on the way.
        case migration
        /// What only the rows of a store can decide.
        case rows
        /// What CloudKit asks of a model.
        case cloudKit = "cloudkit"
        /// What is legal, and better done otherwise.
        case style
    }

    /// The stable ID.
    package let id: RuleID
    /// What the rule is about.
    package let family: Family
    /// How bad a breach is unless a configuration says otherwise.
    ///
    /// An error keeps a store from opening or loses values, a warning does so with some rows, and a note is about what
    /// is usual, or may do harm that was never observed. What shipped is not edited any more: there it is a note at most.
    package let severity: Severity
    /// The rule in one line.
    package let summary: String
    /// Why the rule is there, and what to do about a breach.
    package let rationale: String
    /// What Apple's tools say, word for word where that is known.
    package let appleText: String?
    /// Models that keep the rule.
    package let passing: [RuleExample]
    /// Models that break the rule, with `◀` where the finding must stand.
    package let failing: [RuleExample]
    /// Whether a mapping model for the step is an answer to a breach, so that no version need be edited.
    let isAnsweredByMapping: Bool
    /// What `lint --fix` does about a breach; `nil` where the cure is a choice.
    package let fix: RuleFix?
    let check: RuleCheck

    /// What a rule is called, what it is about, and how bad a breach is.
    struct Heading {
        let id: RuleID
        let family: Family
        let severity: Severity

        static func named(_ id: RuleID, _ family: Family, _ severity: Severity) -> Heading {
            Heading(id: id, family: family, severity: severity)
        }
    }

    init(
        _ heading: Heading,
        summary: String,
        rationale: String,
        appleText: String? = nil,
        passing: [RuleExample] = [],
        failing: [RuleExample] = [],
        isAnsweredByMapping: Bool = false,
        fix: RuleFix? = nil,
        check: RuleCheck
    ) {
        (id, family, severity) = (heading.id, heading.family, heading.severity)
        self.summary = summary
        self.rationale = rationale
        self.appleText = appleText
        self.passing = passing
        self.failing = failing
        self.isAnsweredByMapping = isAnsweredByMapping
        self.fix = fix
        self.check = check
    }
}

/// Who reports a breach of a rule.
package enum RuleReporter: Sendable, Hashable {
    /// Whoever reads a model.
    case reader
    /// Whoever judges models.
    case linter
    /// Whoever judges models, from the bytes of the source.
    case source
    /// Whoever compares a model with its lock.
    case lock
    /// Whoever checks a project.
    case project
    /// Whoever plans a migration.
    case planner
    /// Whoever compares a model with a CloudKit schema.
    case schema
    /// Whoever compares two CloudKit schemas.
    case schemaStep
}

extension Rule {
    /// Who reports a breach of the rule.
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

/// What a fix does about breaches of a rule, as the list of rules says it.
package enum RuleFix: Sendable, Hashable {
    /// An edit that moves no version hash.
    case keepingHash(String)
    /// An edit that moves the hash of its version, so that it is made only in the newest one, and if a lock says that it
    /// has not shipped.
    case movingHash(String)

    /// What it does, in the third person.
    package var summary: String {
        switch self {
        case .keepingHash(let summary), .movingHash(let summary): summary
        }
    }

    /// Whether the version becomes another one by it.
    package var movesHash: Bool {
        switch self {
        case .keepingHash: false
        case .movingHash: true
        }
    }
}

/// One or more versions of a model, oldest first, as the elements inside of `<model>`.
package struct RuleExample: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The versions; their names are `V1`, `V2` and so on.
    package var versions: [String]
    /// The index of the current version; the last one unless it is said.
    package var current: Int
    /// The attributes of the `<model>` elements.
    package var modelAttributes: String

    /// The text of the `project.pbxproj` beside the model, where there is one.
    package var project: String?

    /// Creates an example of several versions.
    package init(
        _ versions: [String],
        current: Int? = nil,
        modelAttributes: String = "",
        project: String? = nil
    ) {
        self.versions = versions
        self.project = project
        self.current = current ?? versions.count - 1
        self.modelAttributes = modelAttributes
    }

    /// Creates an example of one version.
    package init(stringLiteral value: String) {
        self.init([value])
    }
}

/// How a rule is checked.
enum RuleCheck: Sendable {
    /// The reader of models reports it.
    case reading
    /// One version by itself tells.
    case model(@Sendable (CheckedModel) -> [Violation])
    /// The bytes of a version's source tell.
    case source(@Sendable (ModelVersion, _ path: String, _ bytes: [UInt8]) -> [Violation])
    /// A version and the one before it tell.
    case step(@Sendable (CheckedStep) -> [Violation])
    /// All versions of a bundle tell.
    case bundle(@Sendable (CheckedBundle) -> [Violation])
    /// What projects say of the model tells, beside its versions.
    case projects(@Sendable (CheckedBundle, [ProjectModel]) -> [Violation])
    /// Versions and the lock that freezes them tell.
    case lock
    /// Lists of stages are walked.
    case stages
    /// All that a project holds tells.
    case project
    /// The inference of mappings reports it.
    case planning
    /// A model and a CloudKit schema tell.
    case schema
    /// Two CloudKit schemas tell.
    case schemaStep
}

/// A breach of a rule, as its check reports it.
struct Violation {
    var wording: Wording
    var location: FileLocation?
    var element: String?
    var notes: [Diagnostic.Note]
    var fix: Fix?
    var version: String?
    /// The severity where it is not that of the rule.
    var severity: Severity?
    /// The name of what is lost, where that is not named as meant.
    var loss: String?

    init(
        _ message: String,
        at location: FileLocation?,
        element: String? = nil,
        notes: [Diagnostic.Note] = [],
        fix: Fix? = nil,
        version: String? = nil,
        severity: Severity? = nil,
        loss: String? = nil
    ) {
        self.init(
            saying: Wording(message),
            at: location,
            element: element,
            notes: notes,
            fix: fix,
            version: version,
            severity: severity,
            loss: loss
        )
    }

    init(
        saying wording: Wording,
        at location: FileLocation?,
        element: String? = nil,
        notes: [Diagnostic.Note] = [],
        fix: Fix? = nil,
        version: String? = nil,
        severity: Severity? = nil,
        loss: String? = nil
    ) {
        self.loss = loss
        self.wording = wording
        self.location = location
        self.element = element
        self.notes = notes
        self.fix = fix
        self.version = version
        self.severity = severity
    }
}
