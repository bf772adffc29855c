import Foundation
import TestSupport
import Testing

struct PackagingTests {
    private static let scripts = Corpus.package.appending(path: ".ci")

    @Test func `the formula names the archive, its sum and the publisher`() throws {
        try withFolder { folder in
            let script =
                "echo x > momtool-9.9.9-linux-x86_64.tar.xz; "
                + "$CI/formula 9.9.9 x86_64 momtool-9.9.9-linux-x86_64.tar.xz"
            let made = try result(
                of: URL(filePath: "/bin/sh"),
                ["-c", script],
                in: folder,
                environment: ["CI": Self.scripts.path]
            )
            #expect(made.status == 0, "\(made.errors)")
            let publisher = try fileText(Self.scripts.appending(path: "publisher"))
            let address = try #require(publisher.firstMatch(of: /REPOSITORY=(.*)/)).output.1
            let archive = "\(address)/releases/download/9.9.9/momtool-9.9.9-linux-x86_64.tar.xz"
            #expect(made.output.contains("url \"\(archive)\""))
            #expect(
                made.output.contains(
                    "73cb3858a687a8494ca3323053016282f3dad39d42cf62ca4e79dda2aac7d9ac"
                )
            )
        }
    }

    @Test func `the publisher's address is the same wherever it stands`() throws {
        let publisher = try fileText(Self.scripts.appending(path: "publisher"))
        let owner = try #require(publisher.firstMatch(of: /OWNER=(.*)/)).output.1
        for path in [
            "Sources/Library/Momtool/Momtool.docc/Packages.md",
            "Sources/Library/Momtool/Momtool.docc/CheckingModels.md",
            "Sources/Library/ProjectChecking/NewProject.swift",
        ] {
            let text = try fileText(Corpus.package.appending(path: path))
            let named = text.matches(of: /([\w-]+)\/momtool(?:"|\/\.github|\n)/).map { $0.output.1 }
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
        let rule = try #require(guideBlocks("Packages.md", "python").first)
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
        let phase = try #require(guideBlocks("Packages.md", "yaml").first)
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
