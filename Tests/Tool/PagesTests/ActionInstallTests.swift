import Foundation
import TestSupport
import Testing

/// How the action installs momtool: on Linux and macOS, from a release or a file, or not at all.
struct ActionInstallTests {
    /// Installs in a folder that holds the release 9.8, whose archives hold a small program, on a system of that name.
    private func install(
        on system: String,
        _ environment: [String: String] = [:],
        changing line: String = ":"
    ) throws -> (result: CommandResult, path: String?) {
        var installed: (CommandResult, String?)?
        try withFolder { folder in
            func run(_ line: String, _ environment: [String: String]) throws -> CommandResult {
                let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
                return try result(
                    of: URL(filePath: "/bin/sh"),
                    ["-ec", line],
                    in: folder,
                    environment: ["PATH": "\(folder.path)/stand-ins:\(path)"].merging(environment) {
                        $1
                    }
                )
            }
            let words = system.split(separator: " ")
            let made = try run(
                """
                mkdir bin stand-ins 9.8
                printf '#!/bin/sh\\necho 9.8\\n' >bin/momtool
                printf '#!/bin/sh\\n[ "$1" = -m ] && echo \(words[1]) || echo \(words[0])\\n' >stand-ins/uname
                # A Mac has no other.
                printf '#!/bin/sh\\n[ "$1" = -a ] && [ "$2" = 256 ] && shift 2 && exec sha256sum "$@"\\n' >stand-ins/shasum
                chmod +x bin/momtool stand-ins/*
                for kind in linux-x86_64 linux-aarch64 macos-universal; do
                    echo $kind >bin/kind
                    tar -cJf 9.8/momtool-9.8-$kind.tar.xz bin
                done
                cd 9.8 && sha256sum *.xz >SHA256SUMS
                \(line)
                """,
                [:]
            )
            try #require(made.status == 0, "\(made.errors)")
            let script = Corpus.package.appending(path: ".github/actions/check/install.sh").path
            let done = try run(
                script,
                [
                    "RELEASES": "file://\(folder.path)", "VERSION": "v9.8",
                    "RUNNER_TEMP": folder.path, "GITHUB_PATH": "path",
                ].merging(environment) { $1 }
            )
            let path = try? fileText(folder.appending(path: "path"))
            let kind = try? fileText(folder.appending(path: "momtool/bin/kind"))
            #expect((path == "\(folder.path)/momtool/bin\n") == (done.status == 0))
            installed = (done, done.status == 0 ? kind?.trimmingCharacters(in: .newlines) : nil)
        }
        return try #require(installed)
    }

    @Test(arguments: [
        ("Linux x86_64", "linux-x86_64"), ("Linux aarch64", "linux-aarch64"),
        ("Darwin arm64", "macos-universal"), ("Darwin x86_64", "macos-universal"),
    ])
    func `each system gets its archive, on the path of the next steps`(
        system: String,
        kind: String
    ) throws {
        let installed = try install(on: system)
        #expect(
            installed.result.status == 0,
            "\(installed.result.output)\(installed.result.errors)"
        )
        #expect(installed.path == kind)
    }

    @Test(arguments: ["Linux x86_64", "Darwin arm64", "MINGW64_NT x86_64"])
    func `a file is installed on any system`(system: String) throws {
        let installed = try install(
            on: system,
            ["ARCHIVE": "9.8/momtool-9.8-linux-aarch64.tar.xz", "VERSION": "7"]
        )
        #expect(installed.path == "linux-aarch64", "\(installed.result.errors)")
    }

    @Test(arguments: [
        ("Linux x86_64", "rm *linux*", "has no momtool-9.8-linux-x86_64.tar.xz"),
        ("Darwin arm64", "rm *macos*", "has no momtool-9.8-macos-universal.tar.xz"),
        ("Linux riscv64", ":", "has no momtool-9.8-linux-riscv64.tar.xz"),
        ("Darwin arm64", "cp *aarch64* *macos*", "is not the file that was released"),
        ("Linux x86_64", "cp *aarch64* *x86_64*", "is not the file that was released"),
        ("Linux x86_64", ": >SHA256SUMS", ""),
        ("MINGW64_NT x86_64", ":", "'archive'"),
    ])
    func `where its archive is not, nothing is installed, and it says why`(
        system: String,
        change: String,
        words: String
    ) throws {
        let installed = try install(on: system, changing: change)
        #expect(installed.result.status == 1)
        let said = installed.result.output + installed.result.errors
        #expect(
            words.isEmpty || said.contains("::error title=momtool::") && said.contains(words),
            "\(said)"
        )
    }
}
