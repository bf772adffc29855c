import Foundation
import TestSupport
import Testing
import YAMLReading

/// The workflows of this repository: each line of shell in them is run here, or named with the reason why not.
struct WorkflowTests {
    /// How a line of a workflow is tried.
    private enum Trial {
        /// It is run in a folder where a release was built, with programs of other systems and services played by scripts.
        case here(check: @Sendable (Release) throws -> Void = { _ in })
        case elsewhere(String)
    }

    private static let trials: [String: Trial] = [
        #"git config --global --add safe.directory "$GITHUB_WORKSPACE""#: .here(check: { release in
            let settings = try release.text(".gitconfig")
            #expect(settings.contains("directory = /workspace"))
        }),
        ".ci/run": .elsewhere("is what runs this test"),
        ".ci/workflows": .elsewhere("installs programs; .ci/nightly workflows runs it"),
        ".ci/install": .elsewhere("takes macOS here; .ci/run runs it on Linux"),
        "swift build": .elsewhere("takes macOS; .ci/run runs it on Linux"),
        "swift test": .elsewhere("takes macOS; .ci/run runs it on Linux"),
        ".ci/accept": .elsewhere("takes macOS; .ci/run runs it on Linux"),
        ".ci/accept --write Kit": .elsewhere("builds momtool, as .ci/run does"),
        "sh Kit/run": .elsewhere("takes macOS"),
        ".ci/release tagged": .here(),
        ".ci/install release": .elsewhere("installs packages; .ci/nightly release runs it"),
        ".ci/release executable words notices tree archive sbom sources":
            .elsewhere("takes 18 minutes of a processor; .ci/nightly release runs it"),
        ".ci/release bundle && .ci/try-release notices":
            .elsewhere("needs what was linked; .ci/nightly release runs it"),
        "sudo .ci/try-release empty overlay containers":
            .elsewhere("needs root; .ci/nightly release runs it"),
        ".ci/release universal bundle plugins formula notes checksums": .here(check: { release in
            try release.expectJoined()
        }),
        ".ci/release publish": .here(check: { release in
            let files = try release.text("gh.txt")
            for kind in Release.kinds + ["macos-universal"] {
                #expect(files.contains("/momtool-\(release.version)-\(kind).tar.xz\n"), "\(kind)")
            }
            #expect(files.contains("--verify-tag\n") && files.contains("/SHA256SUMS\n"))
        }),
        ".ci/release push": .here(check: { release in
            let formula = try release.run(
                "git --git-dir=homebrew-momtool show main:Formula/momtool.rb"
            )
            let text = try release.text("dist/momtool.rb")
            #expect(formula.output == text)
            let tag = "git --git-dir=momtool-plugins show \(release.version):Package.swift"
            let manifest = try release.run(tag).output
            let sums = try release.text("dist/SHA256SUMS").split(separator: "\n")
            let sum = try #require(sums.first { $0.hasSuffix(".zip") }).prefix { $0 != " " }
            #expect(manifest.contains("checksum: \"\(sum)\""))
        }),
    ]

    private static func workflows() throws -> [(name: String, root: YAMLNode.Mapping)] {
        let folder = Corpus.package.appending(path: ".github/workflows")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
            ($0, try #require(parseYAML(fileText(folder.appending(path: $0)))?.mapping))
        }
    }

    private static func steps() throws -> [(job: String, step: YAMLNode.Mapping)] {
        try workflows().flatMap { name, root in
            try #require(root["jobs"]?.mapping).flatMap { key, job in
                (job.mapping?["steps"]?.sequence ?? []).compactMap(\.mapping).map {
                    ("\(name): \(key.string ?? "")", $0)
                }
            }
        }
    }

    @Test func `every line of shell runs here, or says why not`() throws {
        let lines = try Self.steps().compactMap { $0.step["run"]?.string }
        #expect(Set(lines) == Set(Self.trials.keys))
        try withFolder { folder in
            let release = try Release(in: folder)
            for line in lines {
                guard case .here(let check) = Self.trials[line] else { continue }
                let done = try release.run(line)
                #expect(done.status == 0, "\(line): \(done.output)\(done.errors)")
                try check(release)
            }
            let other = try release.run("GITHUB_REF_NAME=9.9.9 .ci/release tagged")
            #expect(other.status == 65)
        }
    }

    @Test func `what a workflow uses is pinned, and may do no more than it needs`() throws {
        for (name, root) in try Self.workflows() {
            #expect(root["permissions"]?.mapping?.isEmpty == true, "\(name)")
        }
        for (job, step) in try Self.steps() {
            guard let used = step["uses"]?.string else { continue }
            #expect(used.contains(/@[0-9a-f]{40}$/), "\(job): \(used)")
            guard used.hasPrefix("actions/checkout@") else { continue }
            let kept = step["with"]?.mapping?["persist-credentials"]?.string
            #expect(kept == "false", "\(job): \(used)")
        }
    }

    @Test func `an action of others has the same hash and version wherever it is written`() throws {
        let folder = Corpus.package.appending(path: ".github/workflows")
        let own = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            .map { ".github/workflows/\($0)" }
        var pins: [String: Set<String>] = [:]
        for path in own + [
            ".github/actions/check/action.yml", "Fixtures/Example/.github/workflows/momtool.yml",
            "Sources/Library/Momtool/Momtool.docc/CheckingModels.md",
            "Sources/Library/ProjectChecking/NewProject.swift",
        ] {
            let text = try fileText(Corpus.package.appending(path: path))
            let uses = text.matches(of: /[\s"]((?:actions|github)\/[\w\/-]+)@([^"\n]+)/)
            #expect(!uses.isEmpty, "\(path)")
            for use in uses { pins[String(use.1), default: []].insert(String(use.2)) }
        }
        for (action, pin) in pins {
            #expect(
                pin.count == 1 && pin.allSatisfy { $0.contains(/^[0-9a-f]{40} # v\d/) },
                "\(action): \(pin)"
            )
        }
    }
}

/// A folder with the archives of four machines, in the place of what these would have built.
private struct Release {
    static let kinds = ["linux-aarch64", "linux-x86_64", "macos-arm64", "macos-x86_64"]
    let folder: URL
    let version: String

    init(in folder: URL) throws {
        self.folder = folder
        version = try String(#require(momtool("--version").output.split(separator: "\n").first))
        let made = try run(
            """
            mkdir -p bin dist tree/bin tree/share/doc/momtool
            printf 'echo joined >"$3"\\n' >bin/lipo
            printf ':\\n' >bin/codesign
            printf 'printf "%%s\\\\n" "$@" >"$HOME/gh.txt"\\n' >bin/gh
            for name in lipo codesign gh; do
                { echo '#!/bin/sh'; cat bin/$name; } >bin/new && mv bin/new bin/$name && chmod +x bin/$name
            done
            echo a >tree/share/doc/momtool/LICENSE
            echo b >tree/share/doc/momtool/THIRD_PARTY_NOTICES
            for kind in \(Self.kinds.joined(separator: " ")); do
                echo $kind >tree/bin/momtool
                tar -cJf dist/momtool-\(version)-$kind.tar.xz -C tree bin share
            done
            echo '{}' >dist/momtool-\(version)-linux-x86_64.spdx.json
            for name in homebrew-momtool momtool-plugins; do git init -q --bare -b main $name; done
            """,
            in: folder
        )
        try #require(made.status == 0, "\(made.errors)")
    }

    func run(_ line: String, in place: URL = Corpus.package) throws -> CommandResult {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return try result(
            of: URL(filePath: "/bin/bash"),
            ["-ec", line.hasPrefix("git --git-dir") ? "cd && \(line)" : line],
            in: place,
            environment: [
                "PATH": "\(folder.path)/bin:\(path)", "HOME": folder.path,
                "GITHUB_WORKSPACE": "/workspace", "GITHUB_REF_NAME": version,
                "MOMTOOL_SCRATCH": folder.path, "GH_TOKEN": "secret",
                "PUSH_TO": folder.path, "PUSH_TOKEN": "secret",
            ]
        )
    }

    func text(_ path: String) throws -> String { try fileText(folder.appending(path: path)) }

    /// The bundle has a variant for each system, the formula an archive, and each file its sum.
    func expectJoined() throws {
        let unpacked = try run(
            "cd && python3 -m zipfile -e dist/momtool-\(version).artifactbundle.zip out"
        )
        #expect(unpacked.status == 0, "\(unpacked.errors)")
        struct Info: Decodable {
            struct Artifact: Decodable { var variants: [Variant] }
            struct Variant: Decodable { var path: String; var supportedTriples: [String] }
            var artifacts: [String: Artifact]
        }
        let bundle = folder.appending(path: "out/momtool.artifactbundle")
        let data = try Data(contentsOf: bundle.appending(path: "info.json"))
        let variants = try JSONDecoder().decode(Info.self, from: data).artifacts["momtool"]?
            .variants
        let triples = try #require(variants).flatMap(\.supportedTriples)
        #expect(
            Set(triples) == [
                "aarch64-unknown-linux-gnu", "aarch64-swift-linux-musl", "x86_64-unknown-linux-gnu",
                "x86_64-swift-linux-musl", "arm64-apple-macosx", "x86_64-apple-macosx",
            ]
        )
        let programs = try #require(variants).map {
            try fileText(bundle.appending(path: $0.path)).trimmingCharacters(in: .newlines)
        }
        #expect(programs == ["linux-aarch64", "linux-x86_64", "joined"])
        let formula = try text("dist/momtool.rb")
        for kind in ["macos-universal", "linux-x86_64", "linux-aarch64"] {
            #expect(formula.contains("/\(version)/momtool-\(version)-\(kind).tar.xz\""), "\(kind)")
        }
        let sums = try text("dist/SHA256SUMS").split(separator: "\n")
        #expect(sums.count == 7, "\(sums)")
        #expect(try text("dist/notes.md").contains("| gone | instead |"))
    }
}
