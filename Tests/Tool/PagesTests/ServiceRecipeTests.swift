import Foundation
import TestSupport
import Testing
import YAMLReading

/// The recipes for services of apps' teams, run on the example: green before its pull request, and red in it.
struct ServiceRecipeTests {
    /// The block of a page's recipe.
    private func recipe(_ title: String) throws -> String {
        let page = try fileText(pagesFolder.appending(path: "CheckingModels.md"))
        let section = try #require(page.components(separatedBy: "\n### \(title)\n").last)
        let block = try #require(section.components(separatedBy: "```").dropFirst().first)
        let text = block.drop { $0 != "\n" }.dropFirst()
        #expect(text.split(separator: "\n").count <= 10, "\(title)")
        return String(text)
    }

    /// What a recipe's service gives it, as a script of shell that has the recipe in `$recipe`.
    private static let services = [
        "Xcode Cloud": """
        if [ -n "$pr" ]; then export CI_PULL_REQUEST_TARGET_COMMIT=$(git rev-parse origin/main); fi
        CI_PRIMARY_REPOSITORY_PATH=$PWD && export CI_PRIMARY_REPOSITORY_PATH && cd / && sh "$recipe"
        """,
        "fastlane": """
        mkdir -p fastlane && cd fastlane
        ruby -e 'def lane(_) = yield; def sh(*words) = system(*words) || exit(1); load ENV["recipe"]'
        """,
        "Danger": """
        ruby -e '
            def github = Struct.new(:base_commit).new("origin/main")
            def fail(text, file:, line:) = $failed = File.readlines(file)[line - 1]
            def warn(text, file:, line:) = nil
            def markdown(text) = text.start_with?("<!-- momtool -->") || abort
            load ENV["recipe"]
            exit $failed ? 1 : 0'
        """,
        "Bitrise": #"BITRISE_SOURCE_DIR=$PWD BITRISEIO_GIT_BRANCH_DEST=main bash -e "$recipe""#,
        "mise": #"bash -e "$recipe""#,
    ]

    private static let hasRuby =
        (try? result(
            of: URL(filePath: "/usr/bin/env"),
            ["ruby", "-e", "exit(RUBY_VERSION >= '3')"]
        ))?
        .status == 0

    /// The script in the form that the service runs.
    private func script(of title: String) throws -> String {
        let text = try recipe(title)
        switch title {
        case "Bitrise":
            let root = try #require(parseYAML(text)?.mapping)
            let steps = root["workflows"]?.mapping?["models"]?.mapping?["steps"]?.sequence
            let inputs = steps?.last?.mapping?["script"]?.mapping?["inputs"]?.sequence
            return try #require(inputs?.first?.mapping?["content"]?.string)
        case "mise":
            return try String(#require(text.firstMatch(of: /(?m)^run = "(.*)"$/)).output.1)
        default: return text
        }
    }

    @Test(arguments: services.keys.sorted())
    func `a recipe is green on the example, and red on its pull request`(title: String) throws {
        let isRuby = ["fastlane", "Danger"].contains(title)
        guard !isRuby || Self.hasRuby else { return }
        try withFolder { folder in
            let recipe = folder.appending(path: "recipe")
            try Data(script(of: title).utf8).write(to: recipe)
            let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
            func run(_ line: String, _ pullRequest: String) throws -> CommandResult {
                try result(
                    of: URL(filePath: "/bin/bash"),
                    ["-ec", line],
                    in: folder,
                    environment: [
                        "PATH": "\(folder.path)/bin:\(commandFolder):\(path)", "HOME": folder.path,
                        "recipe": recipe.path, "pr": pullRequest,
                        "example": Corpus.package.appending(path: "Fixtures/Example").path,
                        "GIT_CONFIG_COUNT": "2",
                        "GIT_CONFIG_KEY_0": "user.name", "GIT_CONFIG_VALUE_0": "a",
                        "GIT_CONFIG_KEY_1": "user.email", "GIT_CONFIG_VALUE_1": "a@example.com",
                    ]
                )
            }
            let made = try run(
                """
                mkdir bin && printf '#!/bin/sh\\n[ "$*" = "install owner/momtool/momtool" ]\\n' >bin/brew && chmod +x bin/brew
                cp -R "$example" origin && cd origin && git init -q -b main && git add -A && git commit -qm one
                git config uploadpack.allowAnySHA1InWant true && cd ..
                git clone -q "file://$PWD/origin" clone
                """,
                ""
            )
            try #require(made.status == 0, "\(made.errors)")
            let service = try #require(Self.services[title])
            let green = try run("cd clone\n\(service)", "")
            #expect(green.status == 0, "\(green.output)\(green.errors)")
            let red = try run("cd clone && git apply pull-request.patch\n\(service)", "yes")
            #expect(red.status == 1, "\(red.output)\(red.errors)")
        }
    }

    @Test func `the recipe of pre-commit names hooks that are there`() throws {
        let root = try #require(parseYAML(recipe("pre-commit"))?.mapping)
        let hooks = root["repos"]?.sequence?.first?.mapping?["hooks"]?.sequence ?? []
        let known = try fileText(Corpus.package.appending(path: ".pre-commit-hooks.yaml"))
        #expect(!hooks.isEmpty)
        for hook in hooks {
            #expect(known.contains("- id: \(hook.mapping?["id"]?.string ?? "?")\n"))
        }
    }
}
