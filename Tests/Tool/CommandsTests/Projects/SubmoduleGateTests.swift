import Foundation
import TestSupport
import Testing

struct SubmoduleGateTests {
    private static let model = "Kit/\(ShopVersions.bundle)"

    /// The branch `main` of both repositories has a locked model; the branch `change` of the outer one links the
    /// submodule's present `main`, which lacks an attribute and is locked again.
    private func withSubmodule(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            let kit = folder.appending(path: "Kit")
            try ShopVersions.write([ShopVersions.source("name", "pages")], in: kit)
            #expect(try momtool("lock \(ShopVersions.bundle)", in: kit).status == 0)
            try commit("one", in: kit)
            let list = "[submodule \"Kit\"]\n\tpath = Kit\n\turl = ../kit\n"
            try write(list, ".gitmodules", in: folder)
            try commit("one", in: folder)
            try git("checkout", "-q", "-b", "change", in: folder)
            try ShopVersions.write([ShopVersions.source("name")], in: kit)
            try expectRun("lock \(ShopVersions.bundle) --relock", in: kit, 0)
            try commit("two", in: kit)
            try commit("two", in: folder)
            try body(folder)
        }
    }

    private func check(_ words: String..., in folder: URL) throws -> CommandResult {
        try momtool(["check"] + words, in: folder)
    }

    @Test
    func `a submodule whose commit edits what shipped is red, by whatever name of the revision`()
        throws
    {
        try withSubmodule { folder in
            let commit = try git("rev-parse", "main", in: folder).output.trimmingCharacters(
                in: .whitespacesAndNewlines
            )
            for words in [
                ["--against", "main"], ["--against", commit], ["Kit", "--against", "main"],
            ] {
                let run = try momtool(["check"] + words, in: folder)
                #expect(run.status == 1, "\(words): \(run.output)\(run.errors)")
                #expect(run.output.contains("[locked-version-edited]"), "\(run.output)")
                #expect(run.output.contains("Item.pages"), "\(run.output)")
            }
            let diff = ["diff", Self.model, "--against", "main", "--exit-code"]
            #expect(try momtool(diff, in: folder).status == 2)
            let kit = folder.appending(path: "Kit")
            let own = try check("--against", "main", in: kit)
            #expect(own.status == 0 && !own.output.contains("since main"), "\(own.output)")
        }
    }

    @Test func `a model that is deleted in a submodule is told, with a lock or without`() throws {
        try withSubmodule { folder in
            let kit = folder.appending(path: "Kit")
            try FileManager.default.removeItem(at: folder.appending(path: Self.model))
            try FileManager.default.removeItem(at: folder.appending(path: Self.model + ".lock"))
            let locked = try check("--against", "main", in: folder)
            #expect(locked.status == 1, "\(locked.output)\(locked.errors)")
            let said = "\(Self.model).lock: error: since main: '\(Self.model)' is gone"
            #expect(locked.output.contains(said), "\(locked.output)")
            try git("rm", "-q", "--cached", ShopVersions.bundle + ".lock", in: kit)
            try git("commit", "-q", "-m", "three", in: kit)
            try git("checkout", "-q", ".", in: kit)
            try git("add", "Kit", in: folder)
            try git("commit", "-q", "-m", "three", in: folder)
            try FileManager.default.removeItem(at: folder.appending(path: Self.model))
            let open = try check("--against", "change", in: folder)
            #expect(open.status == 1, "\(open.output)\(open.errors)")
            #expect(open.output.contains("warning: since change: '\(Self.model)' is gone"))
        }
    }

    @Test func `a commit that the submodule lacks is told, and does not pass`() throws {
        try withSubmodule { folder in
            let missing = String(repeating: "5", count: 40)
            try git("checkout", "-q", "-b", "other", in: folder)
            try git("update-index", "--cacheinfo", "160000,\(missing),Kit", in: folder)
            try git("commit", "-q", "-m", "three", in: folder)
            let run = try check("--against", "other", in: folder)
            #expect(run.status == 1, "\(run.output)\(run.errors)")
            let said =
                "Kit: warning: nothing in here is compared with other: other has 555555555555"
            #expect(run.output.components(separatedBy: said).count == 2, "\(run.output)")
            #expect(run.output.contains("[not-checked]"))
            let part = try check("Kit", "--against", "other", in: folder)
            #expect(part.status == 66, "\(part.output)\(part.errors)")
        }
    }

    @Test func `a submodule that is new has nothing to be compared with`() throws {
        try withSubmodule { folder in
            try git("checkout", "-q", "--orphan", "empty", in: folder)
            try git("rm", "-r", "-q", "--cached", ".", in: folder)
            try write("x", "README", in: folder)
            try git("add", "README", in: folder)
            try git("commit", "-q", "-m", "nothing", in: folder)
            let run = try check("--against", "empty", in: folder)
            #expect(run.status == 0 && !run.output.contains("since"), "\(run.output)\(run.errors)")
        }
    }

    @Test func `a repository that is no submodule and lacks the revision is told`() throws {
        try withSubmodule { folder in
            try FileManager.default.removeItem(at: folder.appending(path: ".gitmodules"))
            let run = try check("--against", "change", in: folder)
            #expect(run.status == 1, "\(run.output)\(run.errors)")
            #expect(run.output.contains("this repository of its own does not have that revision"))
        }
    }
}

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
                try makeFolder(folder.appending(path: path))
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
            if command.contains("--check") { #expect(try momtool("lock", in: folder).status == 0) }
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
            #expect(try momtool("check", in: folder).status == 1)
            #expect(try momtool("check \(ShopVersions.bundle)", in: folder).status == 0)
            try ShopVersions.say("lint: {rules: {empty-submodule: off}}\n", in: folder)
            let run = try momtool("check", in: folder)
            #expect(run.status == 0 && !run.output.contains("submodule"), "\(run.output)")
        }
    }
}
