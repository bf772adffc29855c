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
            let publisher = try String(
                contentsOf: Self.scripts.appending(path: "publisher"),
                encoding: .utf8
            )
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
        let publisher = try String(
            contentsOf: Self.scripts.appending(path: "publisher"),
            encoding: .utf8
        )
        let owner = try #require(publisher.firstMatch(of: /OWNER=(.*)/)).output.1
        for path in [
            "Sources/Library/Momtool/Momtool.docc/Packages.md",
            "Sources/Library/Momtool/Momtool.docc/CheckingModels.md",
            "Sources/Library/ProjectChecking/NewProject.swift",
        ] {
            let text = try String(
                contentsOf: Corpus.package.appending(path: path),
                encoding: .utf8
            )
            let named = text.matches(of: /([\w-]+)\/momtool(?:"|\/\.github|\n)/).map { $0.output.1 }
            #expect(!named.isEmpty, "\(path)")
            #expect(named.allSatisfy { $0 == owner }, "\(path): \(named)")
        }
    }
}
