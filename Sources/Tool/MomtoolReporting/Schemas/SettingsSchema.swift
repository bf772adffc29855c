package import Essentials
import Diagnostics
import ModelChecking

/// The JSON Schema of `.momtool.yml`, by which editors complete and check it.
package enum SettingsSchema {
    /// The word that names it among the schemas of reports.
    package static let name = ".momtool.yml"
    /// What it describes, in a sentence.
    package static let about = "The settings of a project, as .momtool.yml has them."

    /// The schema as a document of JSON Schema, draft 2020-12.
    package static var document: JSONValue {
        guard case .object(var keywords) = closed(JSONShape.object(members).schema) else {
            return [:]
        }
        keywords["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        keywords["$id"] = "urn:momtool:settings"
        keywords["title"] = ".momtool.yml"
        keywords["description"] = .string(about)
        return .object(keywords)
    }

    /// Returns a schema in which no object has keys that it does not describe: of a settings file they are mistakes.
    private static func closed(_ schema: JSONValue) -> JSONValue {
        switch schema {
        case .object(var keywords):
            keywords = keywords.mapValues(closed)
            if keywords["properties"] != nil { keywords["additionalProperties"] = .boolean(false) }
            return .object(keywords)
        case .list(let items): return .list(items.map(closed))
        default: return schema
        }
    }

    private static let names = JSONShape.list(.string)

    /// Texts that YAML reads as something else count as texts too, such as a version `1.0`.
    private static let text = JSONShape.either([.string, .number, .boolean])

    private static let members: [JSONMember] = [
        .maybe(
            "order",
            .list(text),
            "The versions from the oldest to the newest, where names and numbers do not tell."
        ),
        .maybe(
            "losses",
            .map(.either([.string, names])),
            "What is meant to be lost, by the version whose step loses it: Entity or Entity.property."
        ),
        .maybe(
            "allowDataLoss",
            .either([.boolean, .string, names]),
            "What every migration may drop; true for all."
        ),
        .maybe("mappingModels", names, "Mapping models, or folders that hold them."),
        .maybe("stages", names, "Stages files, or Swift sources with a plan."),
        .maybe(
            "policies",
            .map(.string),
            "What migration policies do, by their class: delete, copy, or the path of a map."
        ),
        .maybe(
            "migration",
            .values(["direct", "stepwise"]),
            "Whether the app's code goes through every version."
        ),
        .maybe("joinTables", names, "Of an entity with itself, the side that names the table."),
        .maybe(
            "claimants",
            names,
            "Of several with one renaming identifier, the one that is renamed."
        ),
        .maybe(
            "lock",
            .object([.maybe("unshipped", .list(text), "Versions that are still being edited.")]),
            "What momtool lock leaves out."
        ),
        .maybe("rules", .list(.object(houseRule)), "Rules of the team."),
        .maybe("lint", .object(lint), "How models are checked."),
        .maybe("swift", .object(swift), "How Swift sources are read."),
        .maybe(
            "types",
            .map(.either([.string, .map(.string)])),
            "What types of other modules are: another type, an enum, or the values of a struct."
        ),
    ]

    private static let severities = Severity.allCases.map(\.rawValue)

    private static let houseRule: [JSONMember] = [
        .key("id", .string, "Small letters, digits and hyphens, as acme-no-binary."),
        .key("for", .values(HouseRule.Subject.allCases.map(\.rawValue)), "What it is about."),
        .key("when", .string, "The predicate that makes a finding."),
        .key("message", .string, "What is told; {name} and other keys in braces are filled in."),
        .maybe("severity", .values(severities)),
        .maybe(
            "applies",
            .values(["new", "all"]),
            "Whether versions that shipped are left alone."
        ),
        .maybe("passes", .list(.either([.string, names])), "Examples without a finding."),
        .maybe("fails", .list(.either([.string, names])), "Examples with one."),
    ]

    private static let lint: [JSONMember] = [
        .maybe("versions", .values(["all", "changeable"])),
        .maybe(
            "rules",
            // YAML reads off as false.
            .map(.either([.values(["off"] + severities), .boolean])),
            "The severity of a rule, or off."
        ),
        .maybe(
            "ignore",
            .list(
                .object([
                    .maybe("rule", .string), .maybe("element", .string), .maybe("version", text),
                    .key("reason", .string),
                ])
            ),
            "Findings that are not told."
        ),
    ]

    private static let swift: [JSONMember] = [
        .maybe("define", names, "The conditions of #if that hold."),
        .maybe("platform", .string, "iOS when left out."),
        .maybe("models", names, "Where the list of a schema is made at run time."),
        .maybe("cloudkit", .boolean, "The container is mirrored to CloudKit."),
        .maybe("sources", names, "The folders and files that are read."),
        .maybe("exclude", names, "What of them is left out."),
        .maybe("inverses", .map(.string), "Item.folder: Folder.items, or none."),
    ]
}
