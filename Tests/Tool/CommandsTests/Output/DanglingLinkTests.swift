import Foundation
import TestSupport
import Testing

struct DanglingLinkTests {
    private func link(_ name: String, to target: String, in stores: FleetStores) throws {
        try FileManager.default.createSymbolicLink(
            atPath: stores.folder.appending(path: name).path,
            withDestinationPath: target
        )
    }

    @Test(arguments: ["check", "config", "lint M.xcdatamodeld", "plan M.xcdatamodeld", "rules"])
    func `a configuration`(command: String) throws {
        try FleetStores.with([]) { stores in
            try copyModel(to: stores)
            try link(".momtool.yml", to: "../shared/nothere.yml", in: stores)
            let run = try stores.run(command)
            #expect(run.status != 0, "\(run.output)")
            let message =
                ".momtool.yml: error: no such file; this is a link to '../shared/nothere.yml', where nothing is [unreadable-file]"
            #expect((run.output + run.errors).contains(message), "\(run.output)\(run.errors)")
        }
    }

    @Test(arguments: ["check", "lint M.xcdatamodeld", "lock M.xcdatamodeld --check"])
    func `a lock`(command: String) throws {
        try FleetStores.with([]) { stores in
            try copyModel(to: stores)
            try link("M.xcdatamodeld.lock", to: "/nowhere/M.lock", in: stores)
            let run = try stores.run(command)
            #expect(run.status != 0, "\(run.output)")
            let message = "this is a link to '/nowhere/M.lock', where nothing is"
            #expect((run.output + run.errors).contains(message), "\(run.output)\(run.errors)")
        }
    }

    @Test(arguments: ["verify", "repair", "inspect", "export", "doctor"])
    func `a store`(command: String) throws {
        try FleetStores.with([]) { stores in
            try link("dangling.sqlite", to: "/nowhere/a.sqlite", in: stores)
            let run = try stores.run("\(command) dangling.sqlite")
            #expect(run.status == 66)
            let message = "; this is a link to '/nowhere/a.sqlite', where nothing is"
            #expect(run.errors.contains(message), "\(run.errors)")
            #expect(!run.errors.contains("did you mean"))
        }
    }

    @Test func `a name with a line break begins no line`() throws {
        try FleetStores.with([]) { stores in
            try stores.write("losses: {\"a\\n::b\": \"a\\n::b\"}\n", to: ".momtool.yml")
            let settings = try stores.run("config")
            #expect(settings.output.contains("losses of a\\u000A::b: a\\u000A::b\n"))
            for words in [["lint", "--x\n::b"], ["rules", "--format", "x\n::b"]] {
                let run = try momtool(words, in: stores.folder)
                #expect(run.status == 64)
                #expect(run.errors.contains("x\\u000A::b"), "\(run.errors)")
            }
        }
    }

    private func copyModel(to stores: FleetStores) throws {
        try FileManager.default.copyItem(
            atPath: FleetStores.model,
            toPath: stores.folder.appending(path: "M.xcdatamodeld").path
        )
    }
}
