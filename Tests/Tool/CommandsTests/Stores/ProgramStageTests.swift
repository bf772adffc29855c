import Foundation
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

struct ProgramStageTests {
    private static let old = """
        <model><entity name='City'><attribute name='name' optional='YES' attributeType='String'/>
        <relationship name='people' optional='YES' toMany='YES' deletionRule='Nullify' destinationEntity='Person' inverseName='home' inverseEntity='Person'/></entity>
        <entity name='Person'><attribute name='name' attributeType='String'/>
        <attribute name='born' optional='YES' attributeType='Date'/>
        <attribute name='photo' optional='YES' attributeType='Binary'/>
        <attribute name='isNew' optional='YES' attributeType='Boolean'/>
        <relationship name='home' optional='YES' maxCount='1' deletionRule='Nullify' destinationEntity='City' inverseName='people' inverseEntity='City'/>FURTHER</entity></model>
        """
    private static let further =
        "<attribute name='given' optional='YES' attributeType='String'/>"
        + "<attribute name='age' optional='YES' attributeType='Integer 16'/>"

    private static let split = """
        import json, sys
        cities = 0
        for line in sys.stdin:
            row = json.loads(line)
            assert set(row) == {"@id", "name", "born", "photo", "isNew", "home", "given", "age"}, row
            change = {"@id": row["@id"], "given": row["name"].split(" ")[0], "age": 36}
            if row["home"] is None:
                cities += 1
                print(json.dumps({"@insert": f"City/new{cities}", "name": "Nowhere"}))
                change["home"] = f"City/new{cities}"
            print(json.dumps(change), flush=cities % 2 == 0)
            if row["name"] == "Gone Away":
                print(json.dumps({"@delete": row["@id"]}))
        """

    func withStore(
        _ program: String,
        count: Int = 3,
        _ body: (_ folder: URL, _ arguments: [String]) throws -> Void
    ) throws {
        try withFolder { folder in
            for (name, text) in [
                ("Old", Self.old.replacing("FURTHER", with: "")),
                ("New", Self.old.replacing("FURTHER", with: Self.further)),
            ] {
                let model = folder.appending(path: "\(name).xcdatamodel")
                try FileManager.default.createDirectory(
                    at: model,
                    withIntermediateDirectories: true
                )
                try Data(text.utf8).write(to: model.appending(path: "contents"))
            }
            try Data(program.utf8).write(to: folder.appending(path: "work.py"))
            try Data(
                """
                stages:
                  - custom: {from: Old.xcdatamodel, to: New.xcdatamodel}
                    label: split
                    didMigrate: {program: [python3, \(folder.path)/work.py], entities: [Person]}
                """.utf8
            ).write(to: folder.appending(path: "Stages.yml"))
            var rows = (1...count).map { "{\"@id\": \"p\($0)\", \"name\": \"Ada \($0)\"}" }
            rows.append(
                "{\"@id\": \"x\", \"name\": \"Gone Away\", \"born\": \"2001-01-31T12:30:00Z\", \"isNew\": true, \"photo\": \"AAEC\"}"
            )
            let text = "{\"Person\": [\(rows.joined(separator: ", "))]}"
            try Data(text.utf8).write(to: folder.appending(path: "rows.json"))
            let store = folder.appending(path: "Store.sqlite").path
            let made = try momtool(
                "create",
                store,
                "--model",
                folder.appending(path: "Old.xcdatamodel").path,
                "--rows",
                folder.appending(path: "rows.json").path
            )
            #expect(made.status == 0, "\(made.errors)")
            let stages = folder.appending(path: "Stages.yml").path
            try body(folder, ["migrate", store, "--stages", stages, "--in-place"])
        }
    }

    private static let hasPython = ["/usr/bin/python3", "/usr/local/bin/python3"].contains {
        FileManager.default.fileExists(atPath: $0)
    }

    @Test(.enabled(if: hasPython))
    func `objects go in as lines, and changes come out`() throws {
        try withStore(Self.split, count: 2000) { folder, arguments in
            let result = try momtool(arguments + ["--allow-programs"])
            #expect(result.status == 0, "\(result.errors)")
            let store = folder.appending(path: "Store.sqlite").path
            let connection = try StoreFile(path: store).connection
            let people =
                "SELECT count(*) FROM ZPERSON WHERE ZGIVEN = 'Ada' AND ZAGE = 36 AND ZHOME NOT NULL"
            #expect(try connection.value(people) == .integer(2000))
            #expect(try connection.value("SELECT count(*) FROM ZPERSON") == .integer(2000))
            #expect(try connection.value("SELECT count(*) FROM ZCITY") == .integer(2001))
            let model = folder.appending(path: "New.xcdatamodel").path
            let verified = try momtool("verify", store, "--model", model)
            #expect(verified.status == 0, "\(verified.output)\(verified.errors)")
        }
    }

    @Test(.enabled(if: hasPython))
    func `a store that a program removes is no success, and its backup stays`() throws {
        let program = "import os, sys\nos.remove('Store.sqlite')\nsys.stdin.read()"
        try withStore(program) { folder, arguments in
            let backup = folder.appending(path: "Backup").path
            let result = try momtool(
                arguments + ["--backup", backup, "--allow-programs"],
                in: folder
            )
            #expect(result.status != 0 && result.errors.contains("removed"), "\(result)")
            let left = try FileManager.default.subpathsOfDirectory(atPath: backup)
            #expect(left.contains { $0.hasSuffix("Store.sqlite") }, "\(left)")
        }
    }

    @Test func `a program is not run unless that is allowed`() throws {
        try withStore("open('\("ran")', 'w')") { folder, arguments in
            let store = folder.appending(path: "Store.sqlite")
            let before = try Data(contentsOf: store)
            let result = try momtool(arguments)
            #expect(result.status == 3)
            #expect(result.errors.contains("Stages.yml:4:"), "\(result.errors)")
            #expect(result.errors.contains("--allow-programs"))
            #expect(try Data(contentsOf: store) == before)
        }
    }

    static let faults: [(what: String, said: String)] = [
        ("sys.exit(3)", "ended with status 3"),
        ("print('what', flush=True)", "no object of JSON"),
        ("print('{\"@id\": ', end='', flush=True); sys.exit(0)", "no object of JSON"),
        ("os.kill(os.getpid(), 9)", "a signal ended it"),
        ("os.close(0); os.close(1); time.sleep(0.2); os._exit(0)", "before it had everything"),
        ("raise ValueError('no such name')", "no such name"),
        (
            "print('{\"@id\": \"Person/p99999\", \"age\": 1}', flush=True)",
            "no object 'Person/p99999'"
        ),
        ("print('{\"@id\": \"Person/p1\", \"ag\": 1}', flush=True)", "no property 'ag'"),
        ("print('{\"@id\": \"Person/p1\", \"age\": 99999}', flush=True)", "is no Integer 16"),
        (
            "print('{\"@id\": \"Person/p1\", \"name\": null}', flush=True)",
            "leaves the store broken"
        ),
        ("print('{\"@delete\": \"City/p1\"}', flush=True)", "no object 'City/p1'"),
        ("print('{\"@insert\": \"Town\"}', flush=True)", "no entity 'Town'"),
        ("print('[' * 100000, flush=True)", "no object of JSON"),
        ("print('\\0\\0', flush=True)", "no object of JSON"),
    ]

    @Test(.enabled(if: hasPython), arguments: faults.indices)
    func `whatever goes wrong with a program, the store is as it was`(_ index: Int) throws {
        let fault = Self.faults[index]
        let program = """
            import os, sys, time
            for place, line in enumerate(sys.stdin):
                print('{"@id": "Person/p1", "given": "x"}', flush=True)
                if place == 1:
                    \(fault.what)
            """
        try withStore(program, count: 5000) { folder, arguments in
            let store = folder.appending(path: "Store.sqlite")
            let before = try Data(contentsOf: store)
            let result = try momtool(arguments + ["--allow-programs"])
            #expect(result.status == 4, "\(fault.what): \(result.errors)")
            #expect(result.errors.contains(fault.said), "\(fault.what): \(result.errors)")
            #expect(try Data(contentsOf: store) == before)
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(left.filter { $0.hasPrefix("Store") } == ["Store.sqlite"])
        }
    }

    @Test(
        .enabled(if: hasPython),
        arguments: [
            "time.sleep(1000)", "signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(1000)",
            "os.close(1); time.sleep(1000)", "sys.stdin.read(); time.sleep(1000)",
        ]
    )
    func `a program that hangs is ended when its time is over`(_ what: String) throws {
        let program = "import os, signal, sys, time\nsys.stdin.readline()\n\(what)\n"
        try withStore(program, count: 3000) { folder, arguments in
            let store = folder.appending(path: "Store.sqlite")
            let before = try Data(contentsOf: store)
            let result = try momtool(arguments + ["--allow-programs", "--timeout", "1"])
            #expect(result.status == 4, "\(result.errors)")
            #expect(result.errors.contains("took too long"), "\(result.errors)")
            #expect(try Data(contentsOf: store) == before)
        }
    }

    @Test func `a program that cannot be started is named where the file does`() throws {
        try withStore("") { folder, arguments in
            let stages = folder.appending(path: "Stages.yml")
            let text = try String(contentsOf: stages, encoding: .utf8)
            try Data(text.replacing("python3,", with: "./nothing,").utf8).write(to: stages)
            let result = try momtool(arguments + ["--allow-programs"])
            #expect(result.status == 4, "\(result.errors)")
            #expect(result.errors.contains("nothing"), "\(result.errors)")
            #expect(result.errors.contains("Stages.yml:4:"), "\(result.errors)")
        }
    }

    @Test(arguments: [
        ("{program: [], entities: [Person]}", "name the program"),
        ("{program: python3}", "'program'"), ("{programs: [a]}", "programs"),
        ("{program: [python3], entities: Person}", "'entities'"),
    ])
    func `a mistake in the file is told where it stands`(_ value: String, _ said: String) throws {
        try withStore("") { folder, arguments in
            let stages = folder.appending(path: "Stages.yml")
            var lines = try String(contentsOf: stages, encoding: .utf8)
                .split(separator: "\n").map(String.init)
            lines[3] = "    didMigrate: \(value)"
            try Data(lines.joined(separator: "\n").utf8).write(to: stages)
            let result = try momtool(arguments + ["--allow-programs"])
            #expect(result.status != 0)
            #expect(result.errors.contains("Stages.yml:4:"), "\(result.errors)")
            #expect(result.errors.contains(said), "\(result.errors)")
        }
    }
}
