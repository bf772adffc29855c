import Foundation
import TestSupport
import Testing

struct EmptySubmoduleTests {
    private let fault =
        "Vendor/Kit: warning: this submodule of git is empty here, so no model in it is looked at: bring it with git submodule init"

    private func withClone(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            try git("init", "-q", in: folder)
            let list = """
                [submodule "Kit"]
                \tpath = Vendor/Kit
                \turl = https://example.org/kit
                [submodule "Pod"]
                \tpath = Pods/Other
                \turl = https://example.org/other
                [submodule "Full"]
                \tpath = Vendor/Full
                \turl = https://example.org/full

                """
            try write(list, ".gitmodules", in: folder)
            try write("", "Vendor/Full/README", in: folder)
            for path in ["Vendor/Kit", "Pods/Other"] {
                try FileManager.default.createDirectory(
                    at: folder.appending(path: path),
                    withIntermediateDirectories: true
                )
            }
            try body(folder)
        }
    }

    @Test(arguments: [
        ["check"], ["check", "Vendor"], ["lint", "."], ["lock"], ["lock", "."],
        ["lock", "--check"],
        ["init"],
    ])
    func `it is told by every command`(command: [String]) throws {
        try withClone { folder in
            try ShopVersions.write([ShopVersions.source("a")], in: folder)
            if command.contains("--check") {
                #expect(try momtool(["lock"], in: folder).status == 0)
            }
            let run = try momtool(command, in: folder)
            let text = run.output + run.errors
            #expect(text.components(separatedBy: fault).count == 2, "\(text)")
            #expect(text.components(separatedBy: "empty here").count == 2, "\(text)")
        }
    }

    @Test(arguments: [["check"], ["lint", "."], ["init"], ["lock"]])
    func `it is told where nothing else is found`(command: [String]) throws {
        try withClone { folder in
            let run = try momtool(command, in: folder)
            #expect(run.status == 66 && run.errors.contains(fault), "\(run.output)\(run.errors)")
        }
    }

    @Test func `it is looked for below what is looked at, and let be where that is said`() throws {
        try withClone { folder in
            try ShopVersions.write([ShopVersions.source("a")], in: folder)
            #expect(try momtool(["check"], in: folder).status == 1)
            #expect(try momtool(["check", ShopVersions.bundle], in: folder).status == 0)
            try ShopVersions.say("lint: {rules: {empty-submodule: off}}\n", in: folder)
            let run = try momtool(["check"], in: folder)
            #expect(run.status == 0 && !run.output.contains("submodule"), "\(run.output)")
        }
    }
}
