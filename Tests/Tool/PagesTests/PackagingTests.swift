import Foundation
import TestSupport
import Testing

/// Makes the packages of a release from a small program that stands in for the executable, and installs them.
struct PackagingTests {
    private static let scripts = Corpus.package.appending(path: ".ci")

    private static func has(_ command: String) -> Bool {
        (try? result(of: URL(filePath: "/bin/sh"), ["-c", command]).status) == 0
    }

    private static let hasPython = has("command -v python3")
    private static let hasPip = has("python3 -m pip --version")

    /// Runs a test in a folder with a program that prints a version.
    private func withProgram(_ body: (URL, (String) throws -> CommandResult) throws -> Void) throws
    {
        try withFolder { folder in
            let program = folder.appending(path: "momtool")
            try Data("#!/bin/sh\necho 9.9.9\n".utf8).write(to: program)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755],
                ofItemAtPath: program.path
            )
            try Data("# momtool\n\nWords.\n".utf8).write(to: folder.appending(path: "README.md"))
            try body(folder) { command in
                try result(
                    of: URL(filePath: "/bin/sh"),
                    ["-c", command],
                    in: folder,
                    environment: ["CI": Self.scripts.path]
                )
            }
        }
    }

    @Test(.enabled(if: hasPip)) func `pip installs the wheel, whose bytes are always the same`()
        throws
    {
        try withProgram { folder, run in
            let make = "python3 $CI/wheel.py 9.9.9 1700000000 x86_64 momtool README.md"
            let made = try run("mkdir a b && \(make) a && \(make) b && cmp a/*.whl b/*.whl")
            #expect(made.status == 0, "\(made.output)\(made.errors)")
            let installed = try run(
                "python3 -m pip install -q --no-index --no-deps --target into a/*.whl && into/bin/momtool"
            )
            #expect(installed.output.contains("9.9.9"), "\(installed.errors)")
            let about = try run("cat into/momtool-9.9.9.dist-info/METADATA")
            #expect(about.output.contains("Name: momtool\nVersion: 9.9.9\n"))
            #expect(about.output.hasSuffix("# momtool\n\nWords.\n"))
        }
    }

    @Test(.enabled(if: hasPython)) func `the image has one layer, and the hashes that it names`()
        throws
    {
        try withProgram { folder, run in
            let made = try run(
                """
                set -e
                python3 $CI/image.py 9.9.9 1700000000 aarch64 momtool image.tar
                mkdir image root && tar -xf image.tar -C image && tar -xf image/layer.tar -C root
                root/momtool
                sha256sum < image/layer.tar | cut -d ' ' -f 1
                """
            )
            #expect(made.status == 0, "\(made.errors)")
            let lines = made.output.split(separator: "\n")
            #expect(lines.first == "9.9.9")
            func json(_ name: String) throws -> Any {
                let data = try Data(contentsOf: folder.appending(path: "image/\(name)"))
                return try JSONSerialization.jsonObject(with: data)
            }
            let manifest = try #require(json("manifest.json") as? [[String: Any]])
            let config = try #require(manifest.first?["Config"] as? String)
            let settings = try #require(json(config) as? [String: Any])
            #expect(settings["architecture"] as? String == "arm64")
            let layers = (settings["rootfs"] as? [String: Any])?["diff_ids"] as? [String]
            #expect(layers == ["sha256:\(lines.last ?? "")"])
        }
    }

    @Test func `the formula and aqua's entry name the archive, its sum and the publisher`() throws {
        try withProgram { folder, run in
            let made = try run(
                "echo x > momtool-9.9.9-linux-x86_64.tar.xz; "
                    + "$CI/entries 9.9.9 x86_64 momtool-9.9.9-linux-x86_64.tar.xz . && cat momtool.rb aqua.yaml"
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
            #expect(made.output.contains("repo_owner: "))
        }
    }

    /// The pages, the workflow of `init` and the packages say the same of who publishes.
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
