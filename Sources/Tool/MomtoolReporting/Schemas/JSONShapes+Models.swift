import MappingInference

extension JSONShapes {
    /// Models, their hashes and their differences.
    static let modelShapes: [String: JSONShape] = [
        "model": model, "version": version, "entity": entity, "attribute": attribute,
        "relationship": relationship, "hashes": hashes, "difference": difference, "change": change,
        "refusal": refusal, "rename": rename, "place": place,
    ]

    private static let model: JSONShape = .report(
        .key("model", .string, "The path."),
        .key("versions", .list(.named("version"))),
        .maybe(
            "versionNames",
            .list(.string),
            "With --current: all versions; MODEL#VERSION shows another one."
        )
    )

    private static let version: JSONShape = .object([
        .key("name", .string), .key("current", .boolean), .key("identifiers", .list(.string)),
        .key("checksum", .string, "Apple's version checksum, in base64."),
        .key("counts", .map(.integer)),
        .maybe("entities", .list(.named("entity")), "But with --brief."),
        .maybe(
            "outline",
            .list(
                .object([
                    .key("name", .string), .maybe("parent", .string),
                    .key("attributes", .integer), .key("relationships", .integer),
                ])
            ),
            "With --brief: how many properties each entity has."
        ),
        .key("configurations", .list(.string)), .key("fetchRequests", .list(.string)),
        .key(
            "composites",
            .list(
                .object([
                    .key("name", .string), .key("attributes", .list(.named("attribute"))),
                ])
            )
        ),
    ])

    private static let entity: JSONShape = .object([
        .key("name", .string), .maybe("parent", .string), .key("abstract", .boolean),
        .maybe("className", .string), .maybe("renamingIdentifier", .string),
        .maybe("versionHashModifier", .string), .key("attributes", .list(.named("attribute"))),
        .key("relationships", .list(.named("relationship"))),
        .key("fetchedProperties", .list(.string)), .key("indexes", .list(.string)),
        .key("uniquenessConstraints", .list(.list(.string))),
    ])

    private static let attribute: JSONShape = .object([
        .key("name", .string), .key("type", .string, "As sources name it, as Integer 64."),
        .key("optional", .boolean), .key("transient", .boolean),
        .maybe("derivation", .string),
        .maybe("defaultValue", .string, "As sources write it; of a date, seconds since 2001."),
        .maybe("minimum", .string, "The least value or length."),
        .maybe("maximum", .string, "The greatest value or length."),
        .maybe("regularExpression", .string),
        .maybe("renamingIdentifier", .string, "The name in older versions."),
        .maybe("versionHashModifier", .string),
    ])

    private static let relationship: JSONShape = .object([
        .key("name", .string), .maybe("destination", .string), .maybe("inverse", .string),
        .key("toMany", .boolean), .key("ordered", .boolean), .key("optional", .boolean),
        .key("deleteRule", .values(["No Action", "Nullify", "Cascade", "Deny"])),
        .maybe("renamingIdentifier", .string), .maybe("versionHashModifier", .string),
    ])

    private static let hashes: JSONShape = .report(
        .key("model", .string),
        .key(
            "versions",
            .list(
                .object([
                    .key("name", .string), .key("current", .boolean),
                    .maybe("checksum", .string, "Apple's version checksum, in base64."),
                    .maybe("digest", .string, "Apple's digest of all hashes, in base64."),
                    .key("entities", .map(.string), "The hash of each, in hexadecimal."),
                    .maybe("notUnderstood", .map(.list(.string))),
                    .maybe("unproven", .map(.list(.string))),
                ])
            )
        )
    )

    private static let difference: JSONShape = .report(
        .key("from", side),
        .key("to", side),
        .maybe(
            "oneStore",
            .object([
                .key("opens", .boolean), .key("equal", .list(.string)),
                .key("unequal", .list(.string)),
            ])
        ),
        .key("verdict", verdict, "The worst of all."),
        .key("isEmpty", .boolean),
        .key("movedEntities", .list(.string)),
        .key("changes", .list(.named("change"))),
        .key("refusals", .list(.named("refusal"))),
        .key("suspectedRenames", .list(.named("rename"))),
        .maybe("meant", .list(.string))
    )

    private static let change: JSONShape = .object([
        .maybe("element", .string), .key("change", .string), .maybe("from", .string),
        .maybe("to", .string), .key("rule", .string), .key("verdict", verdict),
        .key("movesHash", .boolean), .key("effect", .string, "What happens to rows."),
        .key("evidence", .string, "What shows that Core Data does so."),
        .maybe("cure", .string), .maybe("queries", .list(.string)),
        .maybe(
            "cloudKit",
            .object([
                .key("verdict", .values(CloudKitVerdict.allCases.map(\.rawValue))),
                .key("effect", .string), .key("evidence", .string),
            ]),
            "What CloudKit makes of it, where it is mirrored."
        ),
        .maybe("fromPlace", .named("place")), .maybe("toPlace", .named("place")),
    ])

    private static let refusal: JSONShape = .object([
        .key("rule", .string), .maybe("code", .integer, "Core Data's error."),
        .key("reason", .string), .key("evidence", .string), .maybe("element", .string),
        .key("cure", .string, "What makes the step legal."),
    ])

    private static let rename: JSONShape = .object([
        .maybe("entity", .string), .key("from", .string), .key("to", .string),
        .key("elementID", .string, "The renaming identifier to write."),
        .maybe("place", .named("place")),
    ])

    private static let place: JSONShape = .object([
        .key("path", .string), .maybe("line", .integer), .maybe("column", .integer),
    ])

    static let side = JSONShape.object([.key("name", .string), .key("checksum", .string)])

    static let verdict = JSONShape.values([
        "no-effect-on-hash", "lightweight", "lightweight-though-undocumented", "depends-on-rows",
        "loses-data", "needs-custom-stage", "impossible",
    ])
}
