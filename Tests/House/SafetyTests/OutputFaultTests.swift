import Diagnostics
import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: canInjectSystemFaults, "a sanitizer has the C library's place"))
struct OutputFaultTests {
    private static let commands = [
        "export Store.sqlite -o Rows.json", "lint Shop.xcdatamodeld --fix",
        "compile Shop.xcdatamodeld -o New", "compile Shop.xcdatamodeld -o Old",
        "decompile Shop.xcdatamodeld -o New", "lock Shop.xcdatamodeld --lock Rows.json --relock",
    ]

    private static let cases = commands.enumerated().flatMap { number, command in
        SystemFaultTests.fates.enumerated().map { (command, $1, 5 * number + $0) }
    }

    @Test(arguments: cases)
    func `whichever call goes wrong, each file is the old one or the new one`(
        line: String,
        fate: String,
        place: Int
    ) throws {
        try withFolder { folder in
            let work = folder.appending(path: "Work")
            try fill(work)
            let old = try files(in: work)
            let arguments = line.split(separator: " ").map(String.init)
            let (new, calls) = try sound(arguments, in: work)
            #expect(new != old)
            #expect(calls > 4)
            for number in faultyCalls(among: calls, ofCase: place) {
                try fill(work)
                let fault = fate.replacing("%", with: "\(number)")
                let result = try run(arguments, in: work, ["MOMTOOL_FAULT": fault])
                let title = "\(fault): \(result.status) \(result.errors)"
                let found = try files(in: work)
                let drafts = Set(
                    found.keys.filter { $0.contains(".momtool-draft-") || $0 == ".momtool-turn" }
                )
                if result.wasKilled {
                    #expect(fate.hasPrefix("kill") || fate.hasPrefix("torn"), "\(title)")
                } else {
                    #expect(drafts == [], "\(title)")
                    #expect(Self.isDone(result) || [73, 74].contains(result.status), "\(title)")
                    if Self.isDone(result) { #expect(found == new, "\(title)") }
                }
                for path in Set(old.keys).union(new.keys).union(found.keys).subtracting(drafts) {
                    let isWhole = found[path] == old[path] || found[path] == new[path]
                    #expect(isWhole, "\(title): \(path)")
                }
                #expect(Self.isDone(try momtool(arguments, in: work)), "\(title), then")
                #expect(try files(in: work) == new, "\(title), then")
            }
        }
    }

    private static let sound = Locked<[[String]: (files: [String: Data], calls: Int)]>([:])

    private func sound(
        _ arguments: [String],
        in work: URL
    ) throws -> (files: [String: Data], calls: Int) {
        if let known = Self.sound.withLock({ $0[arguments] }) { return known }
        let log = work.deletingLastPathComponent().appending(path: "calls.log")
        let result = try run(arguments, in: work, ["MOMTOOL_FAULT_LOG": log.path])
        #expect(Self.isDone(result), "\(result.errors)")
        let lines = try fileText(log).split(separator: "\n")
        let found = (files: try files(in: work), calls: lines.count)
        Self.sound.withLock { $0[arguments] = found }
        return found
    }

    /// Findings are reported after the fixes are written.
    private static func isDone(_ result: CommandResult) -> Bool {
        !result.wasKilled && [0, 1].contains(result.status)
    }

    private func fill(_ work: URL) throws {
        let files = FileManager.default
        try? files.removeItem(at: work)
        for name in ["V1", "V2"] {
            let version = work.appending(path: "Shop.xcdatamodeld/\(name).xcdatamodel")
            try files.createDirectory(at: version, withIntermediateDirectories: true)
            try write(fixableModel, "contents", in: version)
        }
        try write(Self.current, "Shop.xcdatamodeld/.xccurrentversion", in: work)
        try files.copyItem(
            at: Corpus.package.appending(path: "Fixtures/Library-V1.sqlite"),
            to: work.appending(path: "Store.sqlite")
        )
        let compiled = work.appending(path: "Old/Shop.momd")
        try files.createDirectory(at: compiled, withIntermediateDirectories: true)
        for path in ["Rows.json", "Old/Shop.momd/V1.mom", "Old/Shop.momd/V1.omo"] {
            try write("old", path, in: work)
        }
    }

    private func files(in folder: URL) throws -> [String: Data] {
        var files: [String: Data] = [:]
        for path in FileManager.default.enumerator(atPath: folder.path)?.allObjects ?? [] {
            guard let path = path as? String else { continue }
            files[path] = FileManager.default.contents(atPath: folder.appending(path: path).path)
        }
        return files
    }

    private func run(
        _ arguments: [String],
        in work: URL,
        _ environment: [String: String]
    ) throws -> CommandResult {
        let temporary = work.deletingLastPathComponent().appending(path: "Temporary")
        try makeFolder(temporary)
        let all = environment.merging(["TMPDIR": temporary.path]) { $1 }
        return try result(of: faultyProgram, arguments, in: work, environment: all)
    }

    private static let current = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0">
        <dict><key>_XCCurrentVersionName</key><string>V2.xcdatamodel</string></dict>
        </plist>
        """
}
