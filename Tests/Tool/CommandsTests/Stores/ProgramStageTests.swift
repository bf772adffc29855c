import Foundation
import SQLiteAccess
import TestSupport
import Testing

/// By its path: a name may lead through a shim that starts twenty programs.
private let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first {
    FileManager.default.fileExists(atPath: $0)
}

@Suite(.enabled(if: python != nil))
struct ProgramStageTests {
    private static let migrate =
        "migrate Store.sqlite --stages Stages.yml --in-place --allow-programs"

    /// Runs with a store of some persons and one who goes away, and with a stage that runs a program in Python.
    private func withStore(
        _ program: String = "",
        count: Int = 3,
        _ body: (_ folder: URL) throws -> Void
    ) throws {
        try withFolder { folder in
            let old =
                "City(name String?, people >> Person.home); Person(name String, born Date?, "
                + "photo Binary?, isNew Boolean?, home > City.people"
            let models = [old + ")", old + ", given String?, age Integer 16?)"].map(typedModel)
            try writeBundle(models, "M.xcdatamodeld", in: folder)
            try write(program, "work.py", in: folder)
            let stages = """
                model: M.xcdatamodeld
                stages:
                  - custom: {from: V1, to: V2}
                    label: split
                    didMigrate: {program: [\(python ?? ""), \(folder.path)/work.py], entities: [Person]}
                """
            try write(stages, "Stages.yml", in: folder)
            var rows = (1...count).map { #"{"@id": "p\#($0)", "name": "Ada \#($0)"}"# }
            rows.append(
                #"{"@id": "x", "name": "Gone Away", "born": "2001-01-31T12:30:00Z", "#
                    + #""isNew": true, "photo": "AAEC"}"#
            )
            try write("{\"Person\": [\(rows.joined(separator: ", "))]}", "rows.json", in: folder)
            let create = "create Store.sqlite --model M.xcdatamodeld#V1 --rows rows.json"
            try expectRun(create, in: folder, 0)
            try body(folder)
        }
    }

    /// Expects that the migration fails with some words, and leaves the store as it was, and nothing beside it.
    private func expectFailure(
        _ said: String,
        in folder: URL,
        timeout: Int,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let store = folder.appending(path: "Store.sqlite")
        let before = try Data(contentsOf: store)
        let line = "\(Self.migrate) --timeout \(timeout)"
        try expectRun(line, in: folder, 4, errors: [said], location: location)
        #expect(try Data(contentsOf: store) == before, sourceLocation: location)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let stores = left.filter { $0.hasPrefix("Store") }
        #expect(stores == ["Store.sqlite"], sourceLocation: location)
    }

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

    @Test func `objects go in as lines, and changes come out`() throws {
        try withStore(Self.split, count: 2000) { folder in
            try expectRun(Self.migrate, in: folder, 0)
            let path = folder.appending(path: "Store.sqlite").path
            let store = try SQLiteConnection(path: path, mode: .readWrite)
            let people = "SELECT count(*) FROM ZPERSON"
            let done = people + " WHERE ZGIVEN = 'Ada' AND ZAGE = 36 AND ZHOME NOT NULL"
            #expect(try store.value(done) == .integer(2000))
            #expect(try store.value(people) == .integer(2000))
            #expect(try store.value("SELECT count(*) FROM ZCITY") == .integer(2001))
            try expectRun("verify Store.sqlite --model M.xcdatamodeld", in: folder, 0)
        }
    }

    @Test func `a store that a program removes is no success, and its backup stays`() throws {
        let program = "import os, sys\nos.remove('Store.sqlite')\nsys.stdin.read()"
        try withStore(program) { folder in
            let run = try momtool(Self.migrate + " --backup Backup", in: folder)
            #expect(run.status != 0 && run.errors.contains("removed"), "\(run)")
            let left = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            #expect(left.contains("Backup/Store.sqlite"), "\(left)")
        }
    }

    private static let faults: [(what: String, said: String)] = [
        ("sys.exit(3)", "status 3"),
        ("print('what', flush=True)", "JSON"),
        ("print('{\"@id\": ', end='', flush=True); sys.exit(0)", "JSON"),
        ("os.kill(os.getpid(), 9)", "signal"),
        ("os.close(0); os.close(1); time.sleep(0.2); os._exit(0)", "input"),
        ("raise ValueError('no such name')", "no such name"),
        (#"print('{"@id": "Person/p99999", "age": 1}', flush=True)"#, "'Person/p99999'"),
        (#"print('{"@id": "Person/p1", "ag": 1}', flush=True)"#, "'ag'"),
        (#"print('{"@id": "Person/p1", "age": 99999}', flush=True)"#, "Integer 16"),
        (#"print('{"@id": "Person/p1", "name": null}', flush=True)"#, "damaged"),
        (#"print('{"@delete": "City/p1"}', flush=True)"#, "'City/p1'"),
        (#"print('{"@insert": "Town"}', flush=True)"#, "'Town'"),
        ("print('[' * 100000, flush=True)", "JSON"),
        ("print('\\0\\0', flush=True)", "JSON"),
    ]

    @Test(arguments: faults.indices)
    func `whatever goes wrong with a program, the store is as it was`(_ index: Int) throws {
        let fault = Self.faults[index]
        let program = """
            import os, sys, time
            for place, line in enumerate(sys.stdin):
                print('{"@id": "Person/p1", "given": "x"}', flush=True)
                if place == 1:
                    \(fault.what)
            """
        try withStore(program, count: 5000) { try expectFailure(fault.said, in: $0, timeout: 600) }
    }

    @Test(arguments: [
        "time.sleep(1000)", "signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(1000)",
        "os.close(1); time.sleep(1000)", "sys.stdin.read(); time.sleep(1000)",
    ])
    func `a program that hangs is ended when its time is over`(_ what: String) throws {
        let program = "import os, signal, sys, time\nsys.stdin.readline()\n\(what)\n"
        try withStore(program, count: 3000) {
            try expectFailure("too long", in: $0, timeout: 1)
        }
    }

    private static let lineFaults: [(what: String, said: String)] = [
        ("os.kill(os.getpid(), 9)", "signal"),
        ("time.sleep(1000)", "too long"),
        (#"os.write(1, b'what\n')"#, "JSON"),
        (#"os.write(1, b'{"@id"'); os._exit(0)"#, "JSON"),
        ("os._exit(3)", "status 3"),
        ("os.close(0); os.close(1); os._exit(0)", "before"),
    ]

    /// A program that answers line by line, without reading ahead, and fails before it reads one of them, or at the end
    /// of its input.
    private static func answering(_ what: String, at place: Int) -> String {
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

    @Test(arguments: lineFaults.indices)
    func `whatever goes wrong at whichever line, the old store stays`(_ index: Int) throws {
        let (fault, count) = (Self.lineFaults[index], 7)
        try withStore(count: count - 1) { folder in
            // A program that has read everything, and ends well, is done, whatever it closed before.
            let end = fault.said == "before" ? count - 1 : count + 1
            // Only what hangs may run out of time, however slow the machine is.
            let timeout = fault.said == "too long" ? 1 : 600
            for place in 0...end {
                try write(Self.answering(fault.what, at: place), "work.py", in: folder)
                try expectFailure(fault.said, in: folder, timeout: timeout)
            }
            try write(Self.answering("pass", at: 0), "work.py", in: folder)
            try expectRun(Self.migrate + " --timeout 600", in: folder, 0)
        }
    }

    @Test(arguments: ["test Cases", "test --matrix Shop.xcdatamodeld", "check ."])
    func `programs run where that is allowed, and nowhere else`(_ words: String) throws {
        try withFolder { folder in
            let models = [textModel("Person", ["name"]), textModel("Person", ["name", "given"])]
            try writeBundle(models, "Shop.xcdatamodeld", in: folder)
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
                    didMigrate: {program: [\(python ?? ""), \(folder.path)/split.py], entities: [Person]}

                """
            try write(stages, "Stages.yml", in: folder)
            try write("stages: [Stages.yml]\n", ".momtool.yml", in: folder)
            let text = """
                model: ../../Shop.xcdatamodeld
                from: V1
                stages: ../../Stages.yml
                before: {Person: [{name: Ada}]}
                after: {Person: [{name: Ada, given: Ada}]}

                """
            try write(text, "Cases/one/case.yml", in: folder)
            try expectRun(words, in: folder, 1, "--allow-programs")
            try expectRun(words + " --allow-programs", in: folder, 0)
        }
    }
}
