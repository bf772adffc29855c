import Diagnostics
import Foundation
import TestSupport
import Testing

struct ArgumentTests {
    private typealias Command = (words: [String], options: Set<String>)

    private static func commands() throws -> [Command] {
        func below(_ command: [String: Any], _ words: [String]) -> [Command] {
            let inner = command["subcommands"] as? [[String: Any]] ?? []
            guard inner.isEmpty else {
                return inner.flatMap { below($0, words + [$0["commandName"] as? String ?? ""]) }
            }
            let arguments = command["arguments"] as? [[String: Any]] ?? []
            let names = arguments.flatMap { $0["names"] as? [[String: Any]] ?? [] }
            return [(words, Set(names.compactMap { $0["name"] as? String }))]
        }
        let help = try momtool("--experimental-dump-help").output
        let dump = try JSONSerialization.jsonObject(with: Data(help.utf8)) as? [String: Any]
        return below(try #require(dump?["command"] as? [String: Any]), [])
            .filter { !$0.words.contains("help") }
    }

    @Test func `no command goes on with --version that names no version`() throws {
        let commands = try Self.commands()
        let own = try momtool("--version").output
        #expect(commands.count { $0.options.contains("version") } >= 5)
        try withFolder { folder in
            try writeBundle(["<model/>", "<model/>"], "Shop.xcdatamodeld", in: folder)
            let before = try Set(FileManager.default.subpathsOfDirectory(atPath: folder.path))
            let results = commands.concurrentMap { command in
                Result { try momtool(command.words + ["--version"], in: folder) }
            }
            for (command, result) in zip(commands, results) {
                let (run, words) = (try result.get(), command.words.joined(separator: " "))
                guard command.options.contains("version") else {
                    #expect(run.status == 0 && run.output == own, "\(words): \(run.errors)")
                    continue
                }
                #expect(run.status == 64, "\(words): \(run.output)\(run.errors)")
                let missing = "'--version <version>' [usage]"
                #expect(run.errors.contains(missing), "\(words): \(run.errors)")
            }
            #expect(try Set(FileManager.default.subpathsOfDirectory(atPath: folder.path)) == before)
        }
    }
}
