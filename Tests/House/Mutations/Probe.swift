import Foundation
import TestSupport

/// A few runs of the command that show what no case of rows does: what it says of models, and what files are like.
struct Probe: Sendable {
    /// Its name.
    var name: String
    /// The files that it needs, by their paths.
    var files: [String: String]
    /// The runs, each with what it must say and how it must end.
    var runs: [Run]
    /// A file that must have certain bytes at a place when all is done.
    var bytes: (file: String, place: Int, value: [UInt8])?

    /// A run of the command.
    struct Run: Sendable {
        var arguments: [String]
        var status: Int32
        /// What must be said.
        var says: [String]

        init(_ line: String, status: Int32 = 0, says: [String] = []) {
            arguments = line.split(separator: " ").map(String.init)
            self.status = status
            self.says = says
        }
    }

    init(
        _ name: String,
        files: [String: String],
        _ runs: [Run],
        bytes: (file: String, place: Int, value: [UInt8])? = nil
    ) {
        (self.name, self.files, self.runs, self.bytes) = (name, files, runs, bytes)
    }

    /// Says whether all is as it must be.
    ///
    /// - Parameters:
    ///   - command: the built command.
    ///   - environment: what is added to that of the tests.
    /// - Returns: whether every run ended and said what it must.
    /// - Throws: what the system says when a file cannot be written, or the command cannot be started.
    func passes(_ command: URL, environment: [String: String] = [:]) throws -> Bool {
        try withFolder { folder in
            for (path, text) in files {
                let url = folder.appending(path: path)
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
                try Data(text.utf8).write(to: url)
            }
            for run in runs {
                let result = try result(
                    of: command,
                    run.arguments,
                    in: folder,
                    environment: environment
                )
                let said = result.output + result.errors
                guard !result.wasKilled, result.status == run.status,
                    run.says.allSatisfy(said.contains)
                else { return false }
            }
            guard let bytes else { return true }
            let data = try Data(contentsOf: folder.appending(path: bytes.file))
            return Array(data.dropFirst(bytes.place).prefix(bytes.value.count)) == bytes.value
        }
    }
}

extension Probe {
    static let all = [lint, writer, smallIntegers, log]

    private static func model(_ body: String, identifier: String = "") -> String {
        "<model userDefinedModelVersionIdentifier='\(identifier)'>\(body)</model>"
    }

    /// What is wrong in a sub-entity only.
    private static let lint = Probe(
        "lint-inside-a-hierarchy",
        files: [
            "M.xcdatamodel/contents": model(
                """
                <entity name='Base' isAbstract='YES'/>
                <entity name='A' parentEntity='Base'>
                <attribute name='description' optional='YES' attributeType='String'/>
                <attribute name='n' optional='YES' attributeType='Integer 16' minValueString='5' maxValueString='2'/>
                <relationship name='b' optional='YES' maxCount='1' destinationEntity='B'/></entity>
                <entity name='B' parentEntity='Base'/>
                """
            )
        ],
        [
            Run(
                "lint M.xcdatamodel",
                status: 1,
                says: ["[reserved-property-name]", "[impossible-limits]", "[missing-inverse]"]
            )
        ]
    )

    /// Versions with equal hashes.
    private static let writer: Probe = {
        func version(_ identifier: String, _ value: String) -> String {
            model(
                "<entity name='A'><attribute name='a' optional='YES' attributeType='String' "
                    + "defaultValueString='\(value)'/></entity>",
                identifier: identifier
            )
        }
        return Probe(
            "writer-among-equal-versions",
            files: [
                "M.xcdatamodeld/V1.xcdatamodel/contents": version("one", "x"),
                "M.xcdatamodeld/V2.xcdatamodel/contents": version("two", "x"),
                "N.xcdatamodeld/V1.xcdatamodel/contents": version("", "x"),
                "N.xcdatamodeld/V2.xcdatamodel/contents": version("", "y"),
            ],
            ["M", "N"].flatMap { bundle in
                ["V1", "V2"].flatMap { version in
                    [
                        Run(
                            "create \(bundle)\(version).sqlite --model \(bundle).xcdatamodeld#\(version)"
                        ),
                        Run(
                            "identify \(bundle)\(version).sqlite --model \(bundle).xcdatamodeld",
                            says: [
                                "written by \(version), as \(bundle == "M" ? "its version identifiers" : "the model that it contains")"
                            ]
                        ),
                    ]
                }
            }
        )
    }()

    /// A value that 16 bits do not hold, in a sub-entity.
    private static let smallIntegers: Probe = {
        func version(_ type: String) -> String {
            model(
                "<entity name='Base'/><entity name='A' parentEntity='Base'>"
                    + "<attribute name='n' optional='YES' attributeType='\(type)'/></entity>"
            )
        }
        return Probe(
            "values-of-sixteen-bits",
            files: [
                "Wide.xcdatamodel/contents": version("Integer 32"),
                "Narrow.xcdatamodel/contents": version("Integer 16"),
                "rows.json": #"{"A": [{"@id": "p1", "n": 40000}]}"#,
            ],
            [
                Run("create S.sqlite --model Wide.xcdatamodel --rows rows.json"),
                // The columns are the same, so that the store passes for one of the other version.
                Run(
                    "verify S.sqlite --model Narrow.xcdatamodel",
                    status: 1,
                    says: ["A.n", "Integer 16"]
                ),
            ]
        )
    }()

    /// The mode of the journal, which stands in the header of the file.
    private static let log = Probe(
        "write-ahead-log-stays",
        files: [
            "M.xcdatamodeld/V1.xcdatamodel/contents": model("<entity name='A'/>"),
            "M.xcdatamodeld/V2.xcdatamodel/contents": model("<entity name='A'/><entity name='B'/>"),
        ],
        [
            Run("create S.sqlite --model M.xcdatamodeld#V1"),
            Run("migrate S.sqlite --model M.xcdatamodeld#V2 -o N.sqlite"),
        ],
        bytes: ("N.sqlite", 18, [2, 2])
    )
}
