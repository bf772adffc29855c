import Diagnostics
import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: canInjectSystemFaults, "a sanitizer has the C library's place"))
struct ModelEditFaultTests {
    static let commands = [
        ["new-version"], ["set-current", "Shop"], ["rename-version", "Shop 2", "Other"],
        ["undo-version"], ["rename", "Stop.label", "caption", "--new-version"],
        ["add", "entity", "Tag"],
    ]

    private static let cases = commands.enumerated().flatMap { number, command in
        (SystemFaultTests.fates + ["stop:%"]).enumerated().map { (command, $1, 6 * number + $0) }
    }

    private typealias Sound = (old: [String: Data], new: [String: Data], calls: Int)

    private static let sound = Locked<[[String]: Sound]>([:])

    /// The files before and after a command that nothing disturbs, and the calls of the system that it makes.
    private func sound(_ command: [String], in work: URL) throws -> Sound {
        if let known = Self.sound.withLock({ $0[command] }) { return known }
        try Self.fill(work)
        let old = try Self.files(in: work)
        let log = work.deletingLastPathComponent().appending(path: "calls.log")
        let result = try runFaulty(command, in: work, ["MOMTOOL_FAULT_LOG": log.path])
        #expect(result.status == 0, "\(result.errors)")
        let calls = try fileText(log).split(separator: "\n").count
        let sound = (old: old, new: try Self.files(in: work), calls: calls)
        Self.sound.withLock { $0[command] = sound }
        return sound
    }

    @Test(arguments: cases)
    func `whatever call goes wrong, all files are changed or none`(
        command: [String],
        fate: String,
        place: Int
    ) throws {
        try withFolder { folder in
            let work = folder.appending(path: "Work")
            let (old, new, calls) = try sound(command, in: work)
            #expect(new != old)
            #expect(calls > 3)
            // A command that has renamed its first file is done: what interrupts it comes before.
            let isStop = fate.hasPrefix("stop")
            var stopped = 0
            for number in faultyCalls(among: calls, ofCase: isStop ? 0 : place) {
                try Self.fill(work)
                let fault = fate.replacing("%", with: "\(number)")
                let result = try runFaulty(command, in: work, ["MOMTOOL_FAULT": fault])
                let title = "\(command) \(fault): \(result.status) \(result.errors)"
                if isStop {
                    stopped += result.status == 4 ? 1 : 0
                    try expectStopped(result, in: work, old, new, title)
                } else if !result.wasKilled {
                    #expect([0, 3, 66, 73, 74].contains(result.status), "\(title)")
                }
                try expectAllOrNone(command, in: work, old, new, title)
            }
            if isStop { #expect(stopped > 0, "\(command) is never interrupted") }
        }
    }

    /// A stopped command prints one line and leaves nothing, or is done.
    private func expectStopped(
        _ result: CommandResult,
        in work: URL,
        _ old: [String: Data],
        _ new: [String: Data],
        _ title: String
    ) throws {
        #expect([0, 4].contains(result.status), "\(title)")
        #expect(try Self.files(in: work) == (result.status == 4 ? old : new), "\(title)")
        guard result.status == 4 else { return }
        #expect(result.errors.split(separator: "\n").count == 1, "\(title)")
        #expect(result.errors.contains("[interrupted]"), "\(title)")
    }

    /// The next command, which is refused itself, completes or rolls back all files.
    private func expectAllOrNone(
        _ command: [String],
        in work: URL,
        _ old: [String: Data],
        _ new: [String: Data],
        _ title: String
    ) throws {
        let hasJournal = try Self.files(in: work).keys.contains { $0.hasSuffix("-journal") }
        if hasJournal {
            let before = try Self.files(in: work)
            let dry = try run(["add", "entity", "Tag", "--dry-run"], in: work)
            #expect(dry.status == 3 && dry.errors.contains("was killed"), "\(title)")
            #expect(try Self.files(in: work) == before, "\(title)")
            try expectOwn(in: work, title)
        }
        let next = try run(["add", "entity", "Book"], in: work)
        #expect(
            next.status == 3 && next.errors.contains("Book already exists"),
            "\(title), then \(next.errors)"
        )
        #expect(next.errors.contains("was killed") == hasJournal, "\(title), then \(next.errors)")
        let found = try Self.files(in: work).filter { !$0.key.contains(".momtool-draft-") }
        #expect(found == old || found == new, "\(title): \(found.keys.sorted())")
        guard found == old else { return }
        let again = try run(command, in: work)
        #expect(again.status == 0, "\(title), then \(again.errors)")
        #expect(try Self.files(in: work) == new, "\(title), then")
    }

    /// A journal is reported, is no file for git, and a copy of it is believed by nobody.
    private func expectOwn(in work: URL, _ title: String) throws {
        let checked = try momtool(["check", "--format", "text"], in: work)
        #expect(checked.output.contains(".momtool-journal: warning:"), "\(title)\n\(checked)")
        let copy = work.deletingLastPathComponent().appending(path: "Copy")
        try FileManager.default.copyItem(at: work, to: copy)
        defer { try? FileManager.default.removeItem(at: copy) }
        try makeRepository(copy)
        let status = try git("status", "--porcelain", "-uall", in: copy)
        #expect(!status.output.contains("momtool-journal"), "\(status.output)")
        try FileManager.default.removeItem(at: copy.appending(path: ".git"))
        // What locks go by goes with the next run.
        try? FileManager.default.removeItem(at: copy.appending(path: ".momtool-turn"))
        let before = try Self.files(in: copy)
        let edited = try run(["add", "entity", "Tag"], in: copy)
        #expect(edited.status == 3 && edited.errors.contains("journal"), "\(title)\n\(edited)")
        #expect(try Self.files(in: copy) == before, "\(title)")
    }

    @Test
    func `a journal that names other files, or was overtaken, is refused and touches nothing`()
        throws
    {
        try withFolder { folder in
            let work = folder.appending(path: "Work")
            try Self.fill(work)
            let outside = folder.appending(path: "outside")
            try Data("mine".utf8).write(to: outside)
            let journal = work.appending(path: "Shop.xcdatamodeld/.momtool-journal")
            let version = work.resolvingSymlinksInPath().path + "/Shop.xcdatamodeld"
            let mine = Data("mine".utf8).base64EncodedString()
            let entries = [
                #"[{"write":{"path":"\#(outside.path)","new":"\#(mine)"}}]"#,
                #"[{"move":{"path":"\#(folder.path)/other","to":"\#(outside.path)"}}]"#,
                #"[{"makeFolder":{"path":"\#(version)/New.xcdatamodel","files":{"../../x":"\#(mine)"}}}]"#,
                #"[{"write":{"path":"\#(version)/../../outside","new":"\#(mine)"}}]"#,
                #"[{"write":{"path":"\#(version)/.xccurrentversion","old":"\#(mine)","new":"\#(mine)"}}]"#,
                "no journal",
            ]
            for text in entries {
                try Data(text.utf8).write(to: journal)
                let before = try Self.files(in: folder)
                let result = try run(["add", "entity", "Tag"], in: work)
                #expect(
                    result.status == 3 && result.errors.contains("journal"),
                    "\(text)\n\(result)"
                )
                #expect(try Self.files(in: folder) == before, "\(text)")
            }
            let lock = try momtool("lock Shop.xcdatamodeld", in: work)
            #expect(lock.status == 3 && lock.errors.contains("momtool-journal"), "\(lock)")
        }
    }

    private func run(_ words: [String], in work: URL) throws -> CommandResult {
        try momtool(["model", words[0], "Shop.xcdatamodeld"] + words.dropFirst(), in: work)
    }

    private func runFaulty(
        _ words: [String],
        in work: URL,
        _ environment: [String: String]
    ) throws -> CommandResult {
        let temporary = work.deletingLastPathComponent().appending(path: "Temporary")
        try makeFolder(temporary)
        let all = environment.merging(["TMPDIR": temporary.path]) { $1 }
        let arguments = ["model", words[0], "Shop.xcdatamodeld"] + words.dropFirst()
        return try result(of: faultyProgram, arguments, in: work, environment: all)
    }

    static func fill(_ work: URL) throws {
        try? FileManager.default.removeItem(at: work)
        let project = work.appending(path: "App.xcodeproj")
        try makeFolder(project)
        try write(shopProject(["Shop", "Shop 2"]), "project.pbxproj", in: project)
        try writeBundle(["Shop": model, "Shop 2": model], "Shop.xcdatamodeld", in: work)
        let folder = work.appending(path: "Cases/old")
        try makeFolder(folder)
        try write(
            "model: ../../Shop.xcdatamodeld\nfrom: Shop\nbefore: {}\n",
            "case.yml",
            in: folder
        )
        try write("order: [Shop, Shop 2]\n", ".momtool.yml", in: work)
    }

    static func files(in folder: URL) throws -> [String: Data] {
        var files: [String: Data] = [:]
        for path in FileManager.default.enumerator(atPath: folder.path)?.allObjects ?? [] {
            guard let path = path as? String, !path.hasPrefix("Temporary") else { continue }
            files[path] =
                FileManager.default.contents(atPath: folder.appending(path: path).path) ?? Data()
        }
        return files
    }

    private static let model = xcodeSource(
        """
            <entity name="Book" representedClassName="Book" syncable="YES" codeGenerationType="class"/>
            <entity name="Stop" representedClassName="Stop" syncable="YES" codeGenerationType="class">
                <attribute name="label" optional="YES" attributeType="String"/>
            </entity>
        """
    )
}
