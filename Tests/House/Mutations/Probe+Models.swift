/// Probes of locks, of merges, and of what is read from Swift sources and made for CloudKit.
extension Probe {
    static let locks = [editedVersions, otherNames, soundLocks]
    static let merges = [contradictions, joinedChanges]
    static let sources = [swift, cloudKit]

    /// A bundle of versions, the last of which is current.
    static func bundle(_ name: String, _ versions: KeyValuePairs<String, String>) -> [String:
        String]
    {
        var files: [String: String] = [:]
        for (version, text) in versions {
            files["\(name).xcdatamodeld/\(version).xcdatamodel/contents"] = text
            files["\(name).xcdatamodeld/.xccurrentversion"] = currentVersion(version)
        }
        return files
    }

    private static func currentVersion(_ name: String) -> String {
        "<plist version='1.0'><dict><key>_XCCurrentVersionName</key>"
            + "<string>\(name).xcdatamodel</string></dict></plist>"
    }

    private static func joined(_ bundles: [String: String]...) -> [String: String] {
        bundles.reduce(into: [:]) { $0.merge($1) { $1 } }
    }

    /// An attribute that is an optional text.
    static func text(_ name: String) -> String {
        "<attribute name='\(name)' optional='YES' attributeType='String'/>"
    }

    private static let shipped = model(
        "<entity name='A'>\(text("a"))</entity><entity name='B'>\(text("b"))</entity>"
    )

    /// A version with another setting of an entity and a property under another name.
    private static let editedVersions = Probe(
        "locks-tell-what-was-edited",
        files: joined(
            bundle("M", ["V1": shipped]),
            bundle(
                "Edited",
                [
                    "V1": model(
                        "<entity name='A' isAbstract='YES'>\(text("a"))</entity>"
                            + "<entity name='B'>\(text("c"))</entity>"
                    )
                ]
            )
        ),
        [
            Run("lock M.xcdatamodeld"),
            Run("lock M.xcdatamodeld --check", says: ["nothing found"]),
            Run(
                "lock Edited.xcdatamodeld --check --lock M.xcdatamodeld.lock",
                status: 1,
                says: [
                    "the entity 'A' was 'nothing' and is 'abstract'", "'B.b' was renamed to 'c'",
                    "[locked-version-edited]",
                ]
            ),
        ]
    )

    /// A version that has another name now, and one that comes before what shipped.
    private static let otherNames = Probe(
        "locks-know-versions-by-their-hashes",
        files: joined(
            bundle("M", ["V1": shipped]),
            bundle("Renamed", ["First": shipped]),
            bundle("Early", ["V0": model("<entity name='C'/>"), "V1": shipped])
        ),
        [
            Run("lock M.xcdatamodeld"),
            Run(
                "lock Renamed.xcdatamodeld --check --lock M.xcdatamodeld.lock",
                says: ["'V1' shipped and is now named 'First'", "[locked-version-renamed]"]
            ),
            Run(
                "lock Early.xcdatamodeld --check --lock M.xcdatamodeld.lock",
                status: 1,
                says: ["the new version 'V0' comes before 'V1'", "[locked-versions-reordered]"]
            ),
        ]
    )

    /// A lock that was edited, and a version that may not be locked yet.
    private static let soundLocks = Probe(
        "locks-hold-only-what-is-sound",
        files: joined(
            bundle("M", ["V1": shipped]),
            bundle(
                "Losing",
                ["V1": model("<entity name='A'>\(text("a"))\(text("b"))</entity>"), "V2": shipped]
            ),
            [
                "Edited.lock":
                    "version V1\nchecksum AAAA\nentity \(String(repeating: "0", count: 64)) A\n"
            ]
        ),
        [
            Run(
                "lock M.xcdatamodeld --check --lock Edited.lock",
                status: 1,
                says: ["the checksum of 'V1' does not match its entities", "[invalid-lock]"]
            ),
            Run(
                "lock Losing.xcdatamodeld",
                status: 3,
                says: ["A.b: the attribute is dropped", "nothing was locked"]
            ),
        ]
    )

    /// A model as one side has it.
    private static func side(
        _ tools: Int,
        _ properties: String,
        _ rest: String = "<entity name='B'/>"
    ) -> String {
        "<model lastSavedToolsVersion='\(tools)'>\n<entity name='A'>\n\(properties)\n</entity>\n"
            + "\(rest)\n</model>\n"
    }

    private static let sides: [String: String] = [
        "base": side(9000, text("a")),
        "typed": side(9000, "<attribute name='a' optional='YES' attributeType='Integer 32'/>"),
        "filled": side(
            21000,
            "<attribute name='a' optional='YES' attributeType='String' defaultValueString='x'/>"
        ),
        "removed": side(9000, ""),
        "renamed": side(
            9000,
            "<attribute name='b' optional='YES' attributeType='String' elementID='a'/>"
        ),
        "alone": side(9000, text("a"), ""),
        "linked": side(
            9000,
            text("a")
                + "<relationship name='r' optional='YES' maxCount='1' destinationEntity='B'/>"
        ),
    ]

    private static func merge(
        _ ours: String,
        _ theirs: String,
        status: Int32 = 0,
        says: [String] = []
    ) -> Run {
        Run(
            "model merge base \(ours) \(theirs) -o merged --path M.xcdatamodel/contents",
            status: status,
            says: says
        )
    }

    /// What two branches make of one thing, or what one of them needs and the other removed.
    private static let contradictions = Probe(
        "merges-tell-contradictions",
        files: sides,
        [
            merge(
                "typed",
                "filled",
                status: 1,
                says: [#"A.a: attributeType is "Integer 32" in ours and "String" in theirs"#]
            ),
            merge(
                "removed",
                "filled",
                status: 1,
                says: ["A.a: removed in ours and changed in theirs"]
            ),
            merge(
                "alone",
                "linked",
                status: 1,
                says: ["the two sides do not fit together: the destination entity 'B'"]
            ),
        ]
    )

    /// What two branches changed that has nothing to do with each other.
    private static let joinedChanges: Probe = {
        let first = "version V1\nchecksum a\n"
        return Probe(
            "merges-put-changes-together",
            files: joined(
                sides,
                [
                    "1.lock": first, "10.lock": first + "\nversion V10\nchecksum c\n",
                    "2.lock": first + "\nversion V2\nchecksum b\n",
                    "8": currentVersion("V8"), "9": currentVersion("V9"),
                    "10": currentVersion("V10"),
                ]
            ),
            [
                merge("renamed", "filled"),
                Run(
                    file: "merged",
                    says: ["name='b'", "defaultValueString='x'", "lastSavedToolsVersion='21000'"],
                    omits: ["name='a'"]
                ),
                Run("model merge 1.lock 10.lock 2.lock -o M.lock"),
                Run(
                    file: "M.lock",
                    says: ["version V1\nchecksum a\n\nversion V2\nchecksum b\n\nversion V10\n"]
                ),
                Run("model merge 8 9 10 -o current --path .xccurrentversion"),
                Run(file: "current", says: ["V10"]),
            ]
        )
    }()

    /// What the macros of SwiftData say, and what `#if` leaves of a class.
    private static let swift = Probe(
        "swift-sources-are-read-for-a-platform",
        files: [
            "Models.swift": """
            import SwiftData
            @Model class Person {
                @Attribute(.unique) var code: String
                @Relationship(deleteRule: .cascade, inverse: \\Pet.owner) var pets: [Pet] = []
                #if os(macOS)
                var dock: String?
                #endif
                init(code: String) { self.code = code }
            }
            @Model class Pet {
                var owner: Person?
                init() {}
            }
            """
        ],
        [
            Run(
                "inspect Models.swift",
                says: ["1 uniqueness constraint", "pets → Pet [many]"],
                omits: ["dock: String?"]
            ),
            Run("inspect Models.swift --platform macOS", says: ["dock: String?"]),
        ]
    )

    /// What mirroring makes of a model, and what Production makes of a change.
    private static let cloudKit: Probe = {
        let secret = """
            <entity name='A'><attribute name='secret' optional='YES' attributeType='String'
            allowsCloudEncryption='YES'/></entity>
            """
        func schema(_ line: String) -> String {
            "DEFINE SCHEMA\n\nRECORD TYPE CD_A (\n\(line)CD_n INT64 QUERYABLE\n);\n"
        }
        return Probe(
            "cloudkit-schemas-follow-the-model",
            files: [
                "M.xcdatamodel/contents": model(secret),
                "old.ckdb": schema("\"___etag\" STRING,\n"), "new.ckdb": schema(""),
            ],
            [
                Run("cloudkit schema M.xcdatamodel -o made.ckdb"),
                Run(
                    file: "made.ckdb",
                    says: ["ENCRYPTED STRING,\n", "CD_secret_ckAsset      ASSET,"]
                ),
                Run(
                    "cloudkit diff old.ckdb new.ckdb",
                    says: ["'CD_A' has no line for '___etag'", "[cloudkit-settings-change]"]
                ),
            ]
        )
    }()
}
