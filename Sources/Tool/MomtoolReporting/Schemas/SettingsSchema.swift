package import Essentials
import Diagnostics
import ModelChecking

/// The JSON Schema of `.momtool.yml`, by which editors complete and check it.
package enum SettingsSchema {
    package static let name = ".momtool.yml"
    package static let about = "The settings of a project in .momtool.yml."

    /// The schema as a document of JSON Schema, draft 2020-12.
    package static var document: JSONValue {
        guard case .object(var keywords) = closed(shape) else { return [:] }
        keywords["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        keywords["$id"] = "urn:momtool:settings"
        keywords["title"] = ".momtool.yml"
        keywords["description"] = .string(about)
        return .object(keywords)
    }

    /// Returns a schema in which no object has unknown keys: in a settings file they are mistakes.
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

    private static let shape = ShapeNotation.read(text, knowing: known).shapes["settings"] ?? [:]

    private static let known = [
        "subject": ShapeNotation.oneOf(HouseRule.Subject.allCases.map(\.rawValue)),
        "severity": ShapeNotation.oneOf(Severity.allCases.map(\.rawValue)),
        "ruling": ShapeNotation.oneOf(["off"] + Severity.allCases.map(\.rawValue)),
    ]

    // Texts that YAML reads as another type are texts too, such as a version `1.0`; it reads `off` as false.
    private static let text = """
        text := string | number | boolean
        examples := [string | [string]]
        rule := { id: string "Lower-case letters, digits and hyphens, such as acme-no-binary.",
          for: subject "What it is about.", when: string "The predicate that makes a finding.",
          message: string "The message; {name} and other keys in braces are filled in.", severity?: severity,
          applies?: "new" | "all" "Whether versions that shipped are left alone.",
          passes?: examples "Examples without a finding.", fails?: examples "Examples with one." }
        lint := { versions?: "all" | "changeable", rules?: {ruling | boolean} "The severity of a rule, or off.",
          ignore?: [{ rule?: string, element?: string, version?: text, reason: string }]
          "Findings that are not reported." }
        swift := { define?: [string] "The conditions of #if that hold.", platform?: string "iOS when left out.",
          models?: [string] "Where the list of a schema is made at run time.",
          cloudkit?: boolean "The container is mirrored to CloudKit.",
          sources?: [string] "The folders and files that are read.", exclude?: [string] "Those that are left out.",
          inverses?: {string} "Item.folder: Folder.items, or none." }
        settings = {
          order?: [text] "The versions from the oldest to the newest, if names and numbers do not show it.",
          releases?: [string] "The patterns of tags that are releases, such as v*.",
          losses?: {string | [string]}
          "Allowed losses, by the version whose step drops the data: Entity or Entity.property.",
          allowDataLoss?: boolean | string | [string] "What every migration may drop; true for all.",
          mappingModels?: [string] "Mapping models, or folders that hold them.",
          stages?: [string] "Stages files, or Swift sources with a plan.",
          policies?: {string} "What migration policies do, by their class: delete, copy, or the path of a map.",
          rows?: {string} "The files with the rows of versions in the corpus, instead of generated ones.",
          migration?: "direct" | "stepwise" "Whether the app's code migrates version by version.",
          joinTables?: [string] "Of an entity with itself, the side that names the table.",
          claimants?: [string] "Of several with one renaming identifier, the one that is renamed.",
          lock?: { unshipped?: [text] "Versions that are still being edited." } "What momtool lock leaves out.",
          rules?: [rule] "Rules of the team.", lint?: lint "How models are checked.",
          swift?: swift "How Swift sources are read.",
          types?: {string | {string}}
          "What types of other modules are: another type, an enum, or the values of a struct." }
        """
}
