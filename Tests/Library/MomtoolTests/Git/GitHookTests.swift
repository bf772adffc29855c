import Foundation
import TestSupport
import Testing

@testable import FileSystem

struct GitHookTests {
    private static let model = "App/M.xcdatamodeld"

    private static func source(_ type: String) -> String {
        "<model><entity name='A'><attribute name='a' optional='YES' attributeType='\(type)'/>"
            + "</entity></model>"
    }

    private func write(_ type: String, at path: String = model, in folder: URL) throws {
        try writeBundle([Self.source(type)], path, in: folder)
    }

    /// The model was edited in a linked worktree; another model of that name is at the root.
    private func withWorktrees(_ body: (_ main: URL, _ linked: URL) throws -> Void) throws {
        try withFolder { folder in
            let main = folder.appending(path: "main")
            try write("String", in: main)
            try write("URI", at: "M.xcdatamodeld", in: main)
            for command in [["init", "-q"], ["add", "-A"], ["commit", "-qm", "one"]] {
                try run(command, in: main)
            }
            try run(["worktree", "add", "-q", "../linked", "-b", "other"], in: main)
            let linked = folder.appending(path: "linked")
            try write("Date", in: linked)
            try body(main, linked)
        }
    }

    private func run(_ arguments: [String], in folder: URL) throws {
        let identity = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org"]
        let run = try result(
            of: URL(fileURLWithPath: "/usr/bin/env"),
            identity + arguments,
            in: folder,
            environment: ["m": commandURL.path]
        )
        #expect(run.status == 0, "\(arguments): \(run.output)\(run.errors)")
    }

    /// Lets a hook write the output of commands into files beside the repository.
    private func hook(_ lines: String, in main: URL) throws {
        let hook = main.appending(path: ".git/hooks/pre-commit")
        try Data("#!/bin/sh\n\(lines)\n".utf8).write(to: hook)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: hook.path)
    }

    private func text(_ name: String, beside folder: URL) throws -> String {
        let file = folder.deletingLastPathComponent().appending(path: name)
        return try fileText(file)
    }

    @Test(arguments: ["cd .", "cd App"])
    func `a hook of a linked worktree sees the edit`(place: String) throws {
        try withWorktrees { main, linked in
            let below = place == "cd ." ? "App/" : ""
            try hook(
                """
                out=$(dirname "$(git rev-parse --show-toplevel)"); \(place)
                "$m" check --against HEAD >"$out/check" 2>&1; echo "status $?" >>"$out/check"
                "$m" diff \(below)M.xcdatamodeld --against HEAD >"$out/diff" 2>&1
                exit 0
                """,
                in: main
            )
            try run(["commit", "-qam", "two"], in: linked)
            let check = try text("check", beside: linked)
            #expect(check.contains("[changed-since]") && check.contains("status 1"), "\(check)")
            let diff = try text("diff", beside: linked)
            #expect(diff.contains("String") && !diff.contains("URI"), "\(diff)")
        }
    }

    @Test func `an alias in a linked worktree sees the edit`() throws {
        try withWorktrees { _, linked in
            let alias = "alias.m=!\"$m\" diff \(Self.model) --against HEAD >../diff 2>&1"
            try run(["-c", alias, "m"], in: linked)
            let diff = try text("diff", beside: linked)
            #expect(diff.contains("String") && !diff.contains("URI"), "\(diff)")
        }
    }

    @Test func `the commits of a model are found in a hook`() throws {
        try withWorktrees { main, linked in
            let store = linked.deletingLastPathComponent().appending(path: "s.sqlite").path
            let old = main.appending(path: Self.model).path
            #expect(try momtool("create", store, "--model", old).status == 0)
            try hook(
                "\"$m\" identify ../s.sqlite --model \(Self.model) --git >../names 2>&1; exit 0",
                in: main
            )
            try run(["commit", "-qam", "two"], in: linked)
            let names = try text("names", beside: linked)
            #expect(names.contains("V1 (") && names.contains(" of "), "\(names)")
        }
    }

    @Test func `a repository that is named counts from the present folder`() throws {
        try withWorktrees { main, linked in
            for (folder, directory) in [(main, ".git"), (linked, "../main/.git")] {
                try write("Date", in: folder)
                let diff = try result(
                    of: commandURL,
                    ["diff", Self.model, "--against", "HEAD"],
                    in: folder,
                    environment: ["GIT_DIR": directory]
                )
                #expect(diff.status == 0, "\(diff.errors)")
                #expect(diff.output.contains("String") && !diff.output.contains("URI"))
            }
        }
    }

    /// The plumbing takes a line for a question.
    @Test func `a path with line ends does not shift the tags`() throws {
        try withFolder { folder in
            let bundle = Self.model
            try write("String", in: folder)
            for command in [
                ["init", "-q"], ["add", "-A"], ["commit", "-qm", "one"], ["tag", "v0"],
            ] {
                try run(command, in: folder)
            }
            let odd = folder.appending(path: "\(bundle)/V\r\nX.xcdatamodel")
            try copyFile(folder.appending(path: "\(bundle)/V1.xcdatamodel"), to: odd)
            for command in [["add", "-A"], ["commit", "-qm", "odd"], ["tag", "t1"]] {
                try run(command, in: folder)
            }
            let new = folder.appending(path: "\(bundle)/V2.xcdatamodel")
            try makeFolder(new)
            try Data(Self.source("Boolean").utf8).write(to: new.appending(path: "contents"))
            for command in [
                ["add", "-A"], ["commit", "-qm", "new"], ["tag", "t2"], ["tag", "t3"],
            ] {
                try run(command, in: folder)
            }
            let place = "t2:\(bundle)"
            try expectRun("create s.sqlite --model \(place) --version V2", in: folder, 0)
            try FileManager.default.removeItem(at: new)
            let named = try momtool("identify s.sqlite --model \(bundle) --git", in: folder)
            #expect(named.output.contains("tags t2, t3"), "\(named.output)\(named.errors)")
        }
    }

    /// Git opens files of a repository, and would wait for the writer of a pipe.
    @Test(arguments: ["HEAD", "packed-refs"])
    func `an answer that does not come is an error`(name: String) throws {
        try withFolder { folder in
            try write("String", in: folder)
            for command in [["init", "-q"], ["add", "-A"], ["commit", "-qm", "one"]] {
                try run(command, in: folder)
            }
            let file = folder.appending(path: ".git/\(name)").path
            unlink(file)
            #expect(mkfifo(file, 0o600) == 0)
            let objects = GitObjects(folder.path, within: .seconds(1))
            for _ in 0..<2 {
                let error = #expect(throws: GitError.self) { try objects.name(of: "none:App") }
                #expect(error?.reason.contains(" 1 seconds") == true)
            }
        }
    }
}
