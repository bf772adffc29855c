import Foundation
import TestSupport
import Testing

/// What counts where runs, shards and retries name a store several times, and how journals of any size are joined.
struct JoinReportsTests {
    private static let migrate = "migrate --model MODEL --to V2 -o New"

    private func outcome(
        _ store: String,
        _ status: String = "migrated",
        in result: String? = nil
    ) -> String {
        let result = result.map { "\"result\":\"\($0)\"," } ?? ""
        return "{\"store\":\"\(store)\",\(result)\"status\":\"\(status)\",\"losses\":[],"
            + "\"messages\":[],\"summary\":\"\"}\n"
    }

    @Test func `a result that was removed and made anew is one`() throws {
        try FleetStores.with(["a.sqlite", "b.sqlite"]) { stores in
            let line = Self.migrate + " --from-list list --journal j.jsonl"
            #expect(try stores.run(line).status == 0)
            try FileManager.default.removeItem(at: stores.folder.appending(path: "New/a.sqlite"))
            #expect(try stores.run(line).status == 0)
            try #require(
                try stores.text("j.jsonl").components(separatedBy: "\"migrated\"").count == 4
            )
            let joined = try stores.run("join-reports j.jsonl --expect list -o all.json")
            #expect(joined.status == 0, "\(joined.errors)")
        }
    }

    private static let commands = [
        migrate, "export -o Rows", "verify", "identify --model MODEL", "repair -o Sound", "doctor",
    ]

    @Test(arguments: commands, ["--format json=", "--journal "])
    func `a store that a retry mended is done, in whatever order the reports are given`(
        command: String,
        record: String
    ) throws {
        try FleetStores.with(["a.sqlite", "b.sqlite"]) { stores in
            try stores.cut("b.sqlite")
            #expect(try stores.run("\(command) --from-list list \(record)first").status != 0)
            let first = try stores.run("join-reports first --expect list -o all.json")
            #expect(first.status == 1, "\(first.errors)")
            try stores.put("b.sqlite")
            let retry = try stores.run("\(command) --retry-failed first \(record)second")
            #expect(retry.status == 0, "\(retry.output)\(retry.errors)")
            for order in ["first second", "second first"] {
                let joined = try stores.run("join-reports \(order) --expect list -o all.json")
                #expect(joined.status == 0, "\(order): \(joined.errors)")
                #expect(joined.errors == "")
                #expect(try !stores.text("all.json").contains("cut off"))
            }
        }
    }

    @Test(
        arguments: [
            // In one journal the last outcome counts.
            (["a migrated New/a", "a failed"], [], 1, ""),
            (["a failed", "a migrated New/a"], [], 0, ""),
            (["a migrated New/a", "a migrated New/a"], [], 0, ""),
            (["a migrated New/a", "a done New/a"], ["a done New/a"], 0, ""),
            (["a migrated New/a"], ["a failed"], 0, ""),
            (["a migrated New/a", "a failed"], ["a migrated New/a"], 0, ""),
            (["a migrated New/a"], ["a migrated New/a"], 1, "2 reports did this input"),
            (["a migrated New/a", "a migrated Old/a"], [], 1, "2 reports did this input"),
            (["a failed"], ["a refused"], 1, ""),
            (["a done New/a", "b done New/b"], [], 0, "b: warning: the list does not name"),
        ] as [([String], [String], Int32, String)]
    )
    func `one outcome of each store counts`(
        first: [String],
        second: [String],
        status: Int32,
        message: String
    ) throws {
        try FleetStores.with([]) { stores in
            try stores.write("a\n", to: "list")
            for (name, lines) in [("1", first), ("2", second)] {
                let text = lines.map { line in
                    let words = line.split(separator: " ").map(String.init)
                    return outcome(words[0], words[1], in: words.count > 2 ? words[2] : nil)
                }
                try stores.write(text.joined(), to: name)
            }
            for order in ["1 2", "2 1"] {
                let joined = try stores.run("join-reports \(order) --expect list -o all.json")
                #expect(joined.status == status, "\(order): \(joined.errors)")
                let isTold =
                    message.isEmpty ? joined.errors.isEmpty : joined.errors.contains(message)
                #expect(isTold, "\(order): \(joined.errors)")
            }
        }
    }

    @Test(arguments: ["--journal ", "--format json="])
    func `what is not done is named, with what takes it up`(record: String) throws {
        try FleetStores.with(["a.sqlite", "b.sqlite"]) { stores in
            try stores.cut("b.sqlite")
            for command in ["migrate --model MODEL --to V2 -o New", "verify", "doctor"] {
                try? FileManager.default.removeItem(at: stores.folder.appending(path: "r"))
                _ = try stores.run("\(command) --from-list list \(record)r")
                let joined = try stores.run("join-reports r -o all.json")
                #expect(joined.status == 1)
                let lines = joined.output.split(separator: "\n")
                #expect(lines.count == 2 && lines[0].hasPrefix("b.sqlite"), "\(joined.output)")
                #expect(lines.last == "1 of 2 stores not done; --retry-failed all.json takes these")
                #expect(try stores.run("join-reports r -o all.json -q").output == "")
                // The report alone stands on standard output.
                let printed = try stores.run("join-reports r").output
                #expect(try printed == stores.text("all.json"), "\(printed)")
                try stores.put("b.sqlite")
                _ = try stores.run("\(command) --retry-failed all.json \(record)second")
                let whole = try stores.run("join-reports r second -o all.json")
                #expect(whole.output == "2 stores, all done\n", "\(whole.output)")
                try stores.cut("b.sqlite")
                try FileManager.default.removeItem(at: stores.folder.appending(path: "second"))
                try? FileManager.default.removeItem(at: stores.folder.appending(path: "New"))
            }
            try stores.write("<testsuite><testcase name=\"a\"/></testsuite>", to: "x.xml")
            let tests = try stores.run("join-reports x.xml -o y.xml")
            #expect(tests.output.hasPrefix("1 report joined: 1 passed, 0 failed"))
        }
    }

    @Test func `a journal becomes the report of its run, whatever its size`() throws {
        try FleetStores.with(["a.sqlite", "b.sqlite"]) { stores in
            try stores.cut("b.sqlite")
            let records = " --from-list list --jobs 1 --journal j --format json=r"
            _ = try stores.run(Self.migrate + records)
            #expect(try stores.run("join-reports j -o of-journal").status == 1)
            #expect(try stores.run("join-reports r -o of-report").status == 1)
            #expect(try stores.text("of-journal") == stores.text("of-report"))
            // 257 MB without a line, as where a disk lost what was written.
            let journal = stores.folder.appending(path: "j").path
            #expect(truncate(journal, 257 << 20) == 0)
            let joined = try stores.run("join-reports j -o of-large")
            #expect(joined.status == 1, "\(joined.errors)")
            #expect(joined.errors.contains("j:3: warning: this line is longer than 16 MB"))
            #expect(try stores.text("of-large") == stores.text("of-report"))
        }
    }

    @Test func `a journal that was cut off behind its first sign goes on`() throws {
        try FleetStores.with(["a.sqlite"]) { stores in
            try stores.write("{", to: "j")
            #expect(try stores.run("join-reports j -o all.json").status == 0)
            let line = Self.migrate + " --from-list list --journal j"
            for _ in 0..<2 {
                let run = try stores.run(line)
                #expect(run.status == 0, "\(run.errors)")
            }
            let joined = try stores.run("join-reports j --expect list -o all.json")
            #expect(joined.status == 0, "\(joined.errors)")
            try stores.write("{\n  \"a\" : 1\n}\n", to: "other")
            #expect(try stores.run(line.dropLast() + "other").status == 73)
        }
    }

    @Test(arguments: ["junit", "gitlab", "json", "journal"])
    func `no name in a joined report is obeyed`(format: String) throws {
        let name = "q\u{202E}##[error]p##vso[x]/b.sqlite"
        try FleetStores.with([name]) { stores in
            try stores.cut(name)
            let record = format == "journal" ? "--journal v" : "--format \(format)=v"
            _ = try stores.run("verify --from-list list \(record)")
            try #require(try stores.text("v").contains("##[error]p##vso[x]"))
            for output in ["", " -o -", " -o /dev/stdout"] {
                let joined = try stores.run("join-reports v\(output)")
                #expect(joined.output.contains("[error]p"))
                for mark in ["##[", "##vso[", "\u{202E}"] {
                    #expect(!joined.output.contains(mark), "\(joined.output)")
                }
            }
        }
    }

    @Test func `a name that no line holds is found in a report of lines`() throws {
        try FleetStores.with(["a\u{202E}b.sqlite", "c\u{1B}d.sqlite"]) { stores in
            #expect(try stores.run("verify --from-list list --format junit=v").status == 0)
            let joined = try stores.run("join-reports v --expect list -o all.xml")
            #expect(joined.status == 0, "\(joined.errors)")
            #expect(joined.errors == "")
        }
    }

    @Test func `no line in a foreign report begins a command, and its values stay`() throws {
        try FleetStores.with([]) { stores in
            let junit =
                "<testsuite name=\"a\"><testcase classname=\"a\" name=\"b\"><failure>c\n::stop-commands::x</failure></testcase></testsuite>"
            try stores.write(junit, to: "v")
            let joined = try stores.run("join-reports v")
            #expect(joined.output.contains("stop-commands"))
            for line in joined.output.split(separator: "\n") {
                #expect(!line.drop(while: \.isWhitespace).hasPrefix("::"), "\(line)")
            }
        }
    }

    @Test func `the report of a shard without tests is joined with the others`() throws {
        try FleetStores.with(["a.sqlite"]) { stores in
            for shard in 1...2 {
                let line = "test --model MODEL --stores a.sqlite --shard \(shard)/2"
                // The store loses what nobody named.
                #expect(try stores.run("\(line) --format junit=\(shard).xml").status < 2)
            }
            for command in ["join-reports", "test --merge-junit"] {
                for order in ["1.xml 2.xml", "2.xml 1.xml"] {
                    let joined = try stores.run("\(command) \(order) -o all.xml")
                    #expect(joined.status == 1, "\(command) \(order): \(joined.errors)")
                    #expect(joined.errors == "")
                    let text = try stores.text("all.xml")
                    #expect(text.contains("<testsuites name=\"momtool test\" tests=\"1\""))
                }
            }
            // A case of tests is the input, not the model that it belongs to.
            for (list, fault) in [("a.sqlite\n", ""), ("a.sqlite\nb.sqlite\n", "b.sqlite: ")] {
                try stores.write(list, to: "list")
                let joined = try stores.run("join-reports 1.xml 2.xml --expect list -o all.xml")
                #expect(joined.errors.hasPrefix(fault), "\(joined.errors)")
                #expect(joined.errors.isEmpty == fault.isEmpty, "\(joined.errors)")
            }
            try stores.write("<testsuites><cases/></testsuites>", to: "2.xml")
            #expect(try stores.run("join-reports 1.xml 2.xml -o all.xml").status == 65)
        }
    }

    @Test(arguments: commands)
    func `a list without stores is no success, and a shard without stores is`(
        command: String
    ) throws {
        try FleetStores.with([]) { stores in
            let run = try stores.run("\(command) --from-list list")
            #expect(run.status == 66, "\(run.output)\(run.errors)")
            #expect(run.errors.contains("list: error: the list names no store [no-stores]"))
            let shard = try stores.run("\(command) --from-list list --shard 1/2")
            #expect(shard.status == 0, "\(shard.output)\(shard.errors)")
            #expect(!shard.output.hasPrefix(":"))
        }
    }
}
