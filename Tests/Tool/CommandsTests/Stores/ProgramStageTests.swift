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
                try write(text, "\(name).xcdatamodel/contents", in: folder)
            }
            try write(program, "work.py", in: folder)
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
            try write("{\"Person\": [\(rows.joined(separator: ", "))]}", "rows.json", in: folder)
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
            try expectRun(arguments + ["--allow-programs"], 0)
            let store = folder.appending(path: "Store.sqlite").path
            let connection = try StoreFile(path: store).connection
            let people =
                "SELECT count(*) FROM ZPERSON WHERE ZGIVEN = 'Ada' AND ZAGE = 36 AND ZHOME NOT NULL"
            #expect(try connection.value(people) == .integer(2000))
            #expect(try connection.value("SELECT count(*) FROM ZPERSON") == .integer(2000))
            #expect(try connection.value("SELECT count(*) FROM ZCITY") == .integer(2001))
            let model = folder.appending(path: "New.xcdatamodel").path
            try expectRun(["verify", store, "--model", model], 0)
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
            try expectRun(arguments, 3, errors: ["Stages.yml:4:", "--allow-programs"])
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
            let result = try expectRun(arguments + ["--allow-programs"], 4)
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
            let text = try fileText(stages)
            try Data(text.replacing("python3,", with: "./nothing,").utf8).write(to: stages)
            try expectRun(
                arguments + ["--allow-programs"],
                4,
                errors: ["nothing", "Stages.yml:4:"]
            )
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
            var lines = try fileText(stages)
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

struct ProgramLineTests {
    private static let count = 7

    private static let faults: [(name: String, what: String, said: String)] = [
        ("a kill", "os.kill(os.getpid(), 9)", "a signal ended it"),
        ("a hang", "time.sleep(1000)", "took too long"),
        ("garbage", "os.write(1, b'what\\n')", "no object of JSON"),
        ("half a line", "os.write(1, b'{\"@id\"'); os._exit(0)", "no object of JSON"),
        ("a failure", "os._exit(3)", "ended with status 3"),
        ("a broken pipe", "os.close(0); os.close(1); os._exit(0)", "before it had"),
    ]

    /// A program that answers line by line, without reading ahead, and fails before it reads one of them, or at the end
    /// of its input.
    private static func text(_ what: String, at place: Int) -> String {
        """
        import os, sys, time

        def fail():
            \(what)

        place, line = 0, b""
        while True:
            if place == \(place):
                fail()
            sign = os.read(0, 1)
            if not sign:
                break
            line += sign
            if sign == b"\\n":
                place, line = place + 1, b""
                os.write(1, b'{"@id": "Person/p1", "given": "x"}\\n')
        if place + 1 == \(place):
            fail()
        """
    }

    private static let hasPython = ["/usr/bin/python3", "/usr/local/bin/python3"].contains {
        FileManager.default.fileExists(atPath: $0)
    }

    @Test(.enabled(if: hasPython), arguments: faults.indices)
    func `whatever goes wrong at whichever line, the old store stays`(_ index: Int) throws {
        let fault = Self.faults[index]
        try ProgramStageTests().withStore("", count: Self.count - 1) { folder, arguments in
            let store = folder.appending(path: "Store.sqlite")
            let before = try Data(contentsOf: store)
            let script = folder.appending(path: "work.py")
            // A program that has read everything, and ends well, is done, whatever it closed before.
            let end = fault.name == "a broken pipe" ? Self.count - 1 : Self.count + 1
            // Only what hangs may run out of time, however slow the machine is.
            let patience = fault.name == "a hang" ? "1" : "600"
            for place in 0...end {
                try Data(Self.text(fault.what, at: place).utf8).write(to: script)
                let result = try momtool(arguments + ["--allow-programs", "--timeout", patience])
                let title = "\(fault.name) at line \(place): \(result.errors)"
                #expect(result.status == 4, "\(title)")
                #expect(result.errors.contains(fault.said), "\(title)")
                #expect(try Data(contentsOf: store) == before, "\(title)")
                let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                #expect(left.filter { $0.hasPrefix("Store") } == ["Store.sqlite"], "\(title)")
            }
            try Data(Self.text("pass", at: 0).utf8).write(to: script)
            try expectRun(arguments + ["--allow-programs", "--timeout", "600"], 0)
        }
    }
}

struct ProgramCaseTests {
    private static let source = """
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Person" syncable="YES"><attribute name="name" optional="YES" attributeType="String"/>FURTHER</entity></model>
        """

    private func withProject(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            let given = "<attribute name=\"given\" optional=\"YES\" attributeType=\"String\"/>"
            try writeBundle(
                [
                    Self.source.replacing("FURTHER", with: ""),
                    Self.source.replacing("FURTHER", with: given),
                ],
                "Shop.xcdatamodeld",
                in: folder
            )
            let program = """
                import json, sys
                for line in sys.stdin:
                    row = json.loads(line)
                    print(json.dumps({"@id": row["@id"], "given": row["name"]}))
                """
            try write(program, "split.py", in: folder)
            let stages = """
                model: Shop.xcdatamodeld
                stages:
                  - custom: {from: V1, to: V2}
                    label: split
                    didMigrate: {program: [python3, \(folder.path)/split.py], entities: [Person]}

                """
            try write(stages, "Stages.yml", in: folder)
            try write("stages: [Stages.yml]\n", ".momtool.yml", in: folder)
            let place = folder.appending(path: "Cases/one")
            try makeFolder(place)
            let text = """
                model: ../../Shop.xcdatamodeld
                from: V1
                stages: ../../Stages.yml
                before: {Person: [{name: Ada}]}
                after: {Person: [{name: Ada, given: Ada}]}

                """
            try write(text, "case.yml", in: place)
            try body(folder)
        }
    }

    private static let hasPython = ["/usr/bin/python3", "/usr/local/bin/python3"].contains {
        FileManager.default.fileExists(atPath: $0)
    }

    @Test(
        .enabled(if: hasPython),
        arguments: [
            ["test", "Cases"], ["test", "--matrix", "Shop.xcdatamodeld"], ["check", "."],
        ]
    )
    func `programs run where that is allowed, and nowhere else`(_ words: [String]) throws {
        try withProject { folder in
            try expectRun(words, in: folder, 1, "--allow-programs")
            try expectRun(words + ["--allow-programs"], in: folder, 0)
        }
    }
}
