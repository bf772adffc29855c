import Foundation
import SQLiteAccess
import TestSupport

/// A few runs of the command that show what no case of rows does: what it says of models, and what files are like.
struct Probe: Sendable {
    /// Its name.
    var name: String
    /// The files that it needs, by their paths.
    var files: [String: String]
    /// What is done, in order, each with what must be said and how it must end.
    var runs: [Run]
    /// A file that must have certain bytes at a place when all is done.
    var bytes: (file: String, place: Int, value: [UInt8])?

    /// A run of the command, or what is done to a file between two of them.
    struct Run: Sendable {
        /// What is done.
        enum Work: Sendable {
            /// The command runs with arguments.
            case command([String])
            /// Statements run on a store, which damage it or show its rows.
            case statements([String], store: String)
            /// A file is read.
            case look(String)
        }

        var work: Work
        var status: Int32 = 0
        /// What must be said.
        var says: [String]
        /// What must not be said.
        var omits: [String] = []

        /// The command, with arguments that hold no blanks.
        init(_ line: String, status: Int32 = 0, says: [String] = [], omits: [String] = []) {
            work = .command(line.split(separator: " ").map(String.init))
            (self.status, self.says, self.omits) = (status, says, omits)
        }

        /// Statements on a store; their rows are said line by line, as `1|Kit`.
        init(sql statements: String..., on store: String, says: [String] = []) {
            (work, self.says) = (.statements(statements, store: store), says)
        }

        /// A look into a file, which says what is in it.
        init(file: String, says: [String], omits: [String] = []) {
            (work, self.says, self.omits) = (.look(file), says, omits)
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
                guard try run.passes(command, in: folder, environment: environment) else {
                    return false
                }
            }
            guard let bytes else { return true }
            let data = try Data(contentsOf: folder.appending(path: bytes.file))
            return Array(data.dropFirst(bytes.place).prefix(bytes.value.count)) == bytes.value
        }
    }
}

extension Probe.Run {
    /// Does the work, and says whether it ended and said what it must.
    fileprivate func passes(
        _ command: URL,
        in folder: URL,
        environment: [String: String]
    ) throws -> Bool {
        let said: String
        switch work {
        case .command(let arguments):
            let result = try result(of: command, arguments, in: folder, environment: environment)
            guard !result.wasKilled, result.status == status else { return false }
            said = result.output + result.errors
        case .statements(let statements, let store):
            // A store that does not take them is not the one that was to be made.
            let url = folder.appending(path: store)
            guard let rows = try? Self.rows(of: statements, on: url) else { return false }
            said = rows
        case .look(let file):
            let url = folder.appending(path: file)
            guard let text = try? String(contentsOf: url, encoding: .utf8) else { return false }
            said = text
        }
        return says.allSatisfy(said.contains) && !omits.contains(where: said.contains)
    }

    private static func rows(of statements: [String], on store: URL) throws -> String {
        let connection = try SQLiteConnection(path: store.path, mode: .readWrite)
        return try statements.flatMap { try connection.rows($0) }.map { row in
            row.map { $0.integer.map(String.init) ?? $0.text ?? "" }.joined(separator: "|")
        }.joined(separator: "\n")
    }
}

extension Probe {
    static let all =
        [lint, writer, smallIntegers, log] + repairs + layouts + locks + merges + sources + logs
        + edits

    /// The contents of a version.
    static func model(_ body: String, identifier: String = "") -> String {
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
