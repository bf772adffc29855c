import Foundation
import TestSupport
import Testing

struct PackagingTests {
    private static let scripts = Corpus.package.appending(path: ".ci")

    private func run(_ script: String, in folder: URL) throws -> CommandResult {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return try result(
            of: URL(filePath: "/bin/sh"),
            ["-ec", script],
            in: folder,
            environment: ["PATH": path, "CI": Self.scripts.path]
        )
    }

    @Test func `the formula names the archive of each system, its sum and the publisher`() throws {
        let kinds = ["macos-universal", "linux-x86_64", "linux-aarch64"]
        let files = kinds.map { "momtool-9.9.9-\($0).tar.xz" }
        try withFolder { folder in
            for file in files { try Data("\(file)".utf8).write(to: folder.appending(path: file)) }
            let made = try run("$CI/formula 9.9.9 *.tar.xz", in: folder)
            #expect(made.status == 0, "\(made.errors)")
            let publisher = try fileText(Self.scripts.appending(path: "publisher"))
            let address = try #require(publisher.firstMatch(of: /REPOSITORY=(.*)/)).output.1
            for file in files {
                let sum = try run("shasum -a 256 \(file) || sha256sum \(file)", in: folder).output
                let lines = made.output.split(separator: "\n").map { $0.drop { $0 == " " } }
                let place = lines.firstIndex(
                    of: "url \"\(address)/releases/download/9.9.9/\(file)\""
                )
                let next = try #require(place).advanced(by: 1)
                #expect(lines[next] == "sha256 \"\(sum.prefix { $0 != " " })\"")
            }
            #expect(!made.output.contains(":linux"))
            #expect(try run("$CI/formula 9.9.8 *.tar.xz", in: folder).status == 1)
        }
    }

    /// The packages of Debian that the manifest names, and what their archives are made from.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/dpkg-query")))
    func `what is linked has a licence, or nothing is released`() throws {
        let manifest = try fileText(Corpus.package.appending(path: "Package.swift"))
        let needed = manifest.matches(of: /\("[^"]+", "([^"]+-dev)", "[^"]+"\)/).map { $0.output.1 }
        #expect(needed.count >= 5)
        try withFolder { folder in
            let prepared = try run(
                """
                mkdir -p Sources/Ground/Own build/release/momtool.product
                for name in swift-argument-parser swift-syntax; do
                    mkdir -p "build/checkouts/$name/Sources/In/Of-$name"
                    echo 'Apache License, Runtime Library Exception' >"build/checkouts/$name/LICENSE.txt"
                done
                echo '{"pins": [{"identity": "swift-syntax", "location": "", "state": {"version": "1"}}]}' >Package.resolved
                printf '/a/%s.build/A.swift.o\n' Own Of-swift-syntax >build/release/momtool.product/Objects.LinkFileList
                for package in libc6-dev \(needed.joined(separator: " ")); do
                    dpkg -L $package | grep -m 1 '/lib[^/]*\\.a$' >>build/linked.txt
                done
                swift -print-target-info | sed -n 's|.*"runtimeResourcePath": "\\(.*\\)".*|\\1/x/libswiftCore.a|p' >>build/linked.txt
                """,
                in: folder
            )
            #expect(prepared.status == 0, "\(prepared.errors)")
            let listed = try run("python3 $CI/contents.py sbom 1 0 build", in: folder)
            #expect(listed.status == 0, "\(listed.errors)")
            let names = listed.output.matches(of: /"name": "(.*)"/).map { $0.output.1 }
            #expect(names.count == needed.count + 5, "\(names)")
            #expect(Set(names).isSuperset(of: ["glibc", "swift", "swift-syntax"]))
            let notices = try run("python3 $CI/contents.py notices 1 0 build", in: folder).output
            #expect(notices.contains("GNU LESSER GENERAL PUBLIC LICENSE"))
            for line in [
                "echo /a/libnew.a >>build/linked.txt",
                "echo /a/New.build/A.o | tee -a build/release/*/*List >&2",
            ] {
                let refused = try run(
                    "\(line); python3 $CI/contents.py notices 1 0 build",
                    in: folder
                )
                #expect(refused.status == 1 && refused.output.isEmpty)
                #expect(refused.errors.contains(line.contains("lib") ? "/a/libnew.a: " : "New: "))
            }
        }
    }

    @Test func `the publisher's address is the same wherever it stands`() throws {
        let publisher = try fileText(Self.scripts.appending(path: "publisher"))
        let owner = try #require(publisher.firstMatch(of: /OWNER=(.*)/)).output.1
        let site = try fileText(Corpus.package.appending(path: ".spi.yml"))
        #expect(site.contains("https://\(owner).github.io/momtool/"))
        for path in [
            ".ci/gitlab.yml", ".github/SECURITY.md",
            "Sources/Library/Momtool/Momtool.docc/UsingTheLibrary.md",
            "Sources/Library/Momtool/Momtool.docc/CheckingModels.md",
            "Sources/Library/ProjectChecking/NewProject.swift",
        ] {
            // A formula's name repeats that of its tap.
            let text = try fileText(Corpus.package.appending(path: path))
                .replacing("momtool/momtool", with: "momtool")
            let named = text.matches(of: /([\w-]+)\/momtool(?:"|\/\.github|\/security|\/\d|\n)/).map
            {
                $0.output.1
            }
            #expect(!named.isEmpty, "\(path)")
            #expect(named.allSatisfy { $0 == owner }, "\(path): \(named)")
        }
    }
}

struct PackageRecipeTests {
    private func withModel(_ body: (URL, (String) throws -> CommandResult) throws -> Void) throws {
        try withFolder { folder in
            let text =
                "<model><entity name='A'><attribute name='A' optional='YES' attributeType='String'/></entity></model>"
            try writeBundle(["Shop": text], "Shop.xcdatamodeld", in: folder)
            let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
            try body(folder) { line in
                try result(
                    of: URL(filePath: "/bin/sh"),
                    ["-c", line],
                    in: folder,
                    environment: ["PATH": "\(commandFolder):\(path)", "SRCROOT": folder.path]
                )
            }
        }
    }

    @Test func `the rule for Bazel makes the files that it promises`() throws {
        let rule = try #require(guideBlocks("UsingTheLibrary.md", "python").first)
        let command = try #require(rule.firstMatch(of: #/cmd = "(.*)"/#)).output.1
        let outputs = rule.matches(of: #/"(Shop\.momd/[^"]+)"/#).map { String($0.output.1) }
        #expect(outputs.count == 2)
        try withModel { folder, run in
            // As Bazel does it: sources are named by their paths, outputs by paths in a folder of its own.
            let line = String(command).replacing("$$", with: "$").replacing(
                #/\$\(location ([^)]+)\)/#
            ) { match in
                let path = String(match.output.1)
                return path.hasPrefix("Shop.momd") ? "out/\(path)" : path
            }
            let made = try run(line)
            #expect(made.status == 0, "\(made.errors)")
            for output in outputs {
                let path = folder.appending(path: "out/\(output)").path
                #expect(FileManager.default.fileExists(atPath: path), "\(output)")
            }
        }
    }

    @Test func `the build phase prints what Xcode reads`() throws {
        let phase = try #require(guideBlocks("UsingTheLibrary.md", "yaml").first)
        let script = try #require(phase.firstMatch(of: #/script: (.*)/#)).output.1
        try withModel { folder, run in
            let said = try run(String(script))
            #expect(said.status == 0 || said.status == 1, "\(said.errors)")
            let finding = "\(folder.path)/Shop.xcdatamodeld/Shop.xcdatamodel/contents:1:"
            #expect(said.output.hasPrefix(finding), "\(said.output)")
            #expect(said.output.contains("[property-name-case]"))
        }
    }
}
