import Foundation
import Momtool
import TestSupport
import Testing

@testable import FileSystem

struct HostileRepositoryTests {
    /// Each mark bears the name of its key, so that keys are set together; a file that is included must be one of git's.
    @Test func `no key that names a program makes it run`() throws {
        let included = programKeys.filter { $0.hasPrefix("include") }
        let together = [programKeys.filter { !included.contains($0) }] + included.map { [$0] }
        try withHostileRepository { repository in
            for keys in Sweep.isWhole ? programKeys.map({ [$0] }) : together {
                try repository.set(keys)
                repository.readInProcess()
                #expect(repository.marks == [], "\(keys)")
            }
        }
    }

    @Test func `git itself runs the programs, so that their marks would be seen`() throws {
        try withHostileRepository { repository in
            try repository.set(["gpg.program", "core.fsmonitor", "diff.x.textconv", "alias.x"])
            for command in [["log", "-p"], ["status"], ["x"]] {
                _ = try result(
                    of: URL(fileURLWithPath: "/usr/bin/env"),
                    ["git"] + command,
                    in: repository.work
                )
            }
            #expect(
                Set(repository.marks)
                    == ["gpg.program", "core.fsmonitor", "diff.x.textconv", "alias.x"]
            )
        }
    }

    @Test func `no command runs a program, with every key set at once`() throws {
        try withHostileRepository { repository in
            try repository.set(programKeys.filter { !$0.hasPrefix("include") })
            let (store, model) = ("Old.sqlite", "App/M.xcdatamodeld")
            let commands = [
                ["identify", store, "--model", model, "--git"],
                ["identify", store, "--model", model, "--git", "--range", "v0..HEAD"],
                ["doctor", store, "--model", model, "--git"], ["hash", "HEAD:\(model)"],
                ["diff", "v0:\(model)", "HEAD:\(model)"], ["diff", model, "--against", "v0"],
                ["plan", "v0:\(model)", model, "--from", "V1", "--to", "V1"],
                ["check", ".", "--against", "v0"], ["lint", "HEAD:\(model)"],
                ["graph", "HEAD:\(model)"],
                ["decompile", "HEAD:\(model)", "-o", "Out"],
                ["verify", store, "--model", "v0:\(model)"],
                ["hash", "missing:\(model)"], ["hash", "HEAD:./nothing"],
                [
                    "model", "merge", "v0:\(model)", "HEAD:\(model)", "HEAD:\(model)", "-o",
                    "Merged",
                ],
            ]
            for command in commands {
                let run = try momtool(command, in: repository.work)
                #expect(!run.wasKilled)
                #expect(repository.marks == [], "\(command): \(run.errors)")
            }
            try expectRun(commands[0], in: repository.work, 0)
        }
    }

    @Test func `hooks, attributes and the environment run nothing either`() throws {
        try withHostileRepository { repository in
            let hooks = repository.work.appending(path: ".git/hooks")
            let names = ["post-index-change", "reference-transaction", "fsmonitor-watchman"]
            for name in names { try repository.writeProgram("hook-\(name)", at: hooks, name) }
            let variables = [
                "GIT_EXTERNAL_DIFF", "GIT_PAGER", "GIT_EDITOR", "GIT_ASKPASS", "GIT_SSH",
                "GIT_SSH_COMMAND", "GIT_PROXY_COMMAND", "GIT_SEQUENCE_EDITOR",
            ]
            let environment = Dictionary(
                uniqueKeysWithValues: variables.map { ($0, repository.program($0)) }
            )
            let run = try result(
                of: commandURL,
                ["identify", "Old.sqlite", "--model", "App/M.xcdatamodeld", "--git"],
                in: repository.work,
                environment: environment
            )
            #expect(run.status == 0, "\(run.errors)")
            #expect(repository.marks == [])
        }
    }

    @Test func `what a partial clone lacks is not fetched`() throws {
        try withHostileRepository { repository in
            let hash = try git(
                "rev-parse",
                "v0:App/M.xcdatamodeld/V1.xcdatamodel/contents",
                in: repository.work
            )
            let name = hash.output.trimmingCharacters(in: .newlines)
            let object = ".git/objects/\(name.prefix(2))/\(name.dropFirst(2))"
            try FileManager.default.removeItem(at: repository.work.appending(path: object))
            let lacking = try momtool("hash v0:App/M.xcdatamodeld", in: repository.work)
            #expect(lacking.status == 66, "\(lacking.output)")
            for url in ["ext::\(repository.program("ext")) %S", "ssh://host/x", "x::y", "/tmp"] {
                try repository.configure(
                    "[extensions]\n\tpartialClone = origin\n[remote \"origin\"]\n\tpromisor = true\n"
                        + "\turl = \(url)\n\tuploadpack = \(repository.program("uploadpack"))\n"
                        + "[core]\n\trepositoryformatversion = 1\n\tsshCommand = \(repository.program("ssh"))\n"
                        + "[protocol \"ext\"]\n\tallow = always\n"
                )
                let run = try momtool("hash v0:App/M.xcdatamodeld", in: repository.work)
                #expect(run.status != 0)
                #expect(repository.marks == [], "\(url)")
            }
        }
    }

    @Test func `a folder that is a bare repository is one only when the caller says so`() throws {
        try withHostileRepository { repository in
            let disguised = repository.work.appending(path: "vendor")
            #expect(
                try git("clone", "-q", "--bare", ".", "vendor", in: repository.work).status == 0
            )
            let place = ["hash", "HEAD:App/M.xcdatamodeld"]
            let run = try momtool(place, in: disguised)
            #expect(run.status == 66)
            #expect(run.errors.contains("GIT_DIR"))
            let told = try result(
                of: commandURL,
                place,
                in: disguised,
                environment: ["GIT_DIR": "."]
            )
            #expect(told.status == 0, "\(told.errors)")
        }
    }

    @Test func `objects that replace others are not looked at`() throws {
        try withHostileRepository { repository in
            let model = "App/M.xcdatamodeld/V1.xcdatamodel/contents"
            let first = try momtool("hash v0:App/M.xcdatamodeld", in: repository.work)
            #expect(
                try git("replace", "v0:\(model)", "HEAD:\(model)", in: repository.work).status == 0
            )
            let replaced = try momtool("hash v0:App/M.xcdatamodeld", in: repository.work)
            #expect(replaced.output == first.output)
            let second = try momtool("hash HEAD:App/M.xcdatamodeld", in: repository.work)
            #expect(second.output != first.output)
        }
    }

    @Test func `one file of the sources starts git`() throws {
        let sources = Corpus.package.appending(path: "Sources")
        let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        var found: [String] = []
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift", !file.path.contains("/Development/") else {
                continue
            }
            let text = try fileText(file)
            if text.contains("\"git\", \"-C\"") { found.append(file.lastPathComponent) }
        }
        #expect(found == ["GitCommand.swift"])
    }
}

/// Every key in git's documentation (`git help --config`, `man git-config`) that holds a command, or a path at which
/// git finds one; `x` is any name.
private let programKeys = [
    "alias.cat-file", "alias.rev-list", "alias.x", "browser.x.cmd", "browser.x.path",
    "completion.commands", "core.alternateRefsCommand", "core.askPass", "core.attributesFile",
    "core.editor", "core.fsmonitor", "core.gitProxy", "core.hooksPath", "core.pager",
    "core.sshCommand", "credential.helper", "credential.x.helper", "diff.external", "diff.guitool",
    "diff.tool", "diff.x.command", "diff.x.textconv", "difftool.x.cmd", "difftool.x.path",
    "filter.x.clean", "filter.x.process", "filter.x.smudge", "format.signatureFile",
    "gc.recentObjectsHook",
    "gitcvs.dbDriver", "gpg.openpgp.program", "gpg.program", "gpg.ssh.allowedSignersFile",
    "gpg.ssh.defaultKeyCommand", "gpg.ssh.program", "gpg.x509.program", "guitool.x.cmd",
    "help.browser", "hook.x.command", "http.proxy", "imap.tunnel", "include.path",
    "includeIf.onbranch:**.path", "init.templateDir", "instaweb.browser", "instaweb.httpd",
    "interactive.diffFilter", "man.viewer", "man.x.cmd", "man.x.path", "merge.guitool",
    "merge.tool",
    "merge.x.driver", "merge.x.recursive", "mergetool.x.cmd", "mergetool.x.path",
    "notes.rewrite.rebase", "pager.cat-file", "pager.diff-tree", "pager.log", "pager.rev-list",
    "rebase.instructionFormat", "receive.procReceiveRefs", "remote.origin.proxy",
    "remote.origin.receivepack", "remote.origin.uploadpack", "remote.origin.vcs",
    "sendemail.ccCmd", "sendemail.headerCmd", "sendemail.sendmailCmd", "sendemail.smtpServer",
    "sendemail.toCmd", "sequence.editor", "submodule.x.update", "tar.x.command",
    "trailer.x.cmd", "trailer.x.command", "uploadpack.packObjectsHook", "web.browser",
]

/// A repository with a signed commit in its history, its own attributes, and a configuration that asks for everything.
private struct HostileRepository {
    let folder: URL
    var work: URL { folder.appending(path: "work") }

    var marks: [String] {
        let names = try? FileManager.default.contentsOfDirectory(
            atPath: folder.appending(path: "marks").path
        )
        return (names ?? []).sorted()
    }

    func program(_ name: String) -> String {
        let safe = name.replacing("/", with: "_")
        return (try? writeProgram(safe, at: folder.appending(path: "bin"), safe)) ?? ""
    }

    @discardableResult
    func writeProgram(_ mark: String, at place: URL, _ name: String) throws -> String {
        try makeFolder(place)
        let path = place.appending(path: name)
        let text = "#!/bin/sh\n: > '\(folder.path)/marks/\(mark)'\n"
        try Data(text.utf8).write(to: path)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path.path)
        return path.path
    }

    func configure(_ text: String) throws {
        let base = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n"
        try Data((base + text).utf8).write(to: work.appending(path: ".git/config"))
    }

    /// Sets keys, each to a program of its own, and what would make git use them.
    func set(_ keys: [String]) throws {
        var text = "[log]\n\tshowSignature = true\n[core]\n\tuntrackedCache = true\n"
        for key in keys {
            let parts = key.split(separator: ".", omittingEmptySubsequences: false)
            let middle = parts.dropFirst().dropLast().joined(separator: ".")
            let head = middle.isEmpty ? "[\(parts[0])]" : "[\(parts[0]) \"\(middle)\"]"
            let mark = parts[0] == "alias" || key.hasSuffix("update") ? "!" : ""
            text += "\(head)\n\t\(parts[parts.count - 1]) = \"\(mark)\(program(key))\"\n"
        }
        try configure(text)
    }

    func readInProcess() {
        let model = work.appending(path: "App/M.xcdatamodeld").path
        _ = try? ModelHistory(of: model)
        _ = try? ModelPlace(model, at: "v0").read()
        _ = try? ModelPlace(model, at: "none").read()
    }
}

private func withHostileRepository(_ body: (HostileRepository) throws -> Void) throws {
    try withFolder { folder in
        let repository = HostileRepository(folder: folder)
        let work = repository.work
        for place in [work, folder.appending(path: "marks")] { try makeFolder(place) }
        try makeRepository(work)
        let attributes =
            "* diff=x filter=x merge=x text eol=crlf ident working-tree-encoding=UTF-16\n"
        for (number, type) in ["String", "Date"].enumerated() {
            let model =
                "<model><entity name='A'><attribute name='a' optional='YES' attributeType='\(type)'/>"
                + "</entity></model>"
            try writeBundle([model], "App/M.xcdatamodeld", in: work)
            if number == 0 {
                let create = ["create", "Old.sqlite", "--model", "App/M.xcdatamodeld"]
                #expect(try momtool(create, in: work).status == 0)
            }
            #expect(try git("add", "App", in: work).status == 0)
            #expect(try git("commit", "-qm", type, in: work).status == 0)
            #expect(try git("tag", "v\(number)", in: work).status == 0)
        }
        try write(attributes, ".gitattributes", in: work)
        // A commit that claims to be signed, for which git looks for the verifying program.
        let commit = try git("cat-file", "commit", "HEAD", in: work).output
        let signature =
            "gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n"
        let signed = commit.replacing("\n\n", with: "\n" + signature, maxReplacements: 1)
        try write(signed, "commit", in: folder)
        let made = try git("hash-object", "-t", "commit", "-w", "../commit", in: work).output
        let name = made.trimmingCharacters(in: .newlines)
        #expect(try git("update-ref", "HEAD", name, in: work).status == 0)
        try body(repository)
    }
}

struct TreeBombTests {
    /// Makes a repository with such trees, and a model that is in none of its commits.
    private func withBomb(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            try makeTreeBomb(in: folder)
            try writeBundle(["<model><entity name='A'/></model>"], "M.xcdatamodeld", in: folder)
            try body(folder)
        }
    }

    @Test(arguments: Sweep.part(of: ["v0:Swift", "v0:.", "v0:M.xcdatamodeld"], every: 3))
    func `trees without end are refused`(place: String) throws {
        try withBomb { folder in
            let run = try momtool(["hash", place], in: folder)
            #expect(run.status >= 64, "\(run.output)")
            #expect(run.errors.contains("1000000"))
            #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
        }
    }

    @Test func `git is stopped when its own walk takes too long`() throws {
        try withBomb { folder in
            let walk = GitCommand(
                .revList,
                ["--all", "--objects", "--full-history", "--", "**/none"],
                in: folder.path,
                matchesPatterns: true
            )
            let error = #expect(throws: GitError.self) { try walk.run(within: .seconds(1)) }
            #expect(error?.reason.contains(" 1 seconds") == true)
        }
    }

    @Test func `a request to end ends git too`() throws {
        try withBomb { folder in
            let model = folder.appending(path: "M.xcdatamodeld").path
            let store = folder.appending(path: "S.sqlite").path
            #expect(try momtool("create", store, "--model", model).status == 0)
            let process = try startedCommand(["identify", store, "--model", model, "--git"])
            let isRunning = { programs(naming: folder.path).contains { $0.contains("git\0-C") } }
            for _ in 0..<600 where !isRunning() { usleep(50_000) }
            usleep(300_000)
            process.terminate()
            process.waitUntilExit()
            #expect(process.terminationStatus == 4)
            for _ in 0..<100 where isRunning() { usleep(50_000) }
            #expect(!isRunning())
        }
    }
}

private func programs(naming folder: String) -> [String] {
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return entries.compactMap { entry in
        let file = "/proc/\(entry)/cmdline"
        guard Int(entry) != nil, let words = FileManager.default.contents(atPath: file)
        else { return nil }
        let text = String(decoding: words, as: UTF8.self)
        return text.contains(folder) ? text : nil
    }
}
