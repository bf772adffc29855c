import ArgumentParser

struct SkillCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "skill",
        abstract: "Print a SKILL.md: how a coding agent changes a model safely.",
        discussion: """
            EXAMPLE
              mkdir -p .claude/skills/momtool && \\
                momtool skill > .claude/skills/momtool/SKILL.md
            """
    )

    @OptionGroup var output: TextOutput

    func run() throws { try output.deliver(skill, as: .verbatim) }
}
