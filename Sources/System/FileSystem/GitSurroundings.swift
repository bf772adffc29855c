import Diagnostics
import Essentials

/// The environment that git runs in, which says where a repository lies.
///
/// Git starts hooks and aliases with `GIT_DIR` and without `GIT_WORK_TREE`, above all in linked worktrees and
/// submodules. Run in another folder, git then takes that folder for the root of the worktree, and names other files.
/// So a `GIT_DIR` that names what is found without it is left out. Any other one is the caller's wish: it is relative
/// to the folder of this process, and so is the worktree.
enum GitSurroundings {
    static func environment(for folder: String) -> [String: String] {
        let run = Surroundings.current.memory.value(GitEnvironment())
        guard let directory = run.base["GIT_DIR"] else { return run.base }
        let path = resolvedPath(folder)
        return run.known.withLock { known in
            if let found = known[path] { return found }
            let found = environment(for: path, ofRepository: directory, run)
            known[path] = found
            return found
        }
    }

    private static func environment(
        for folder: String,
        ofRepository directory: String,
        _ run: GitEnvironment
    ) -> [String: String] {
        let base = run.base
        var absolute = base
        for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY"] {
            if let path = base[name] { absolute[name] = resolvedPath(path) }
        }
        // With a named worktree its files are the same from every folder.
        guard base["GIT_WORK_TREE"] == nil else { return absolute }
        let plain = absolute.filter { !["GIT_DIR", "GIT_COMMON_DIR"].contains($0.key) }
        let named = answer("--absolute-git-dir", in: ".", base)
        for place in [folder, "."] where named != nil {
            if answer("--absolute-git-dir", in: place, plain) == named { return plain }
        }
        absolute["GIT_WORK_TREE"] = answer("--show-toplevel", in: ".", base)
        return absolute
    }

    private static func answer(
        _ question: String,
        in folder: String,
        _ environment: [String: String]
    ) -> String? {
        let command = GitCommand(.revParse, [question], in: folder, environment: environment)
        return (try? command.run()).map(withoutLineEnd)
    }

    /// The caller decides where a repository is and whose it may be; all other `GIT_…` variables are left out, as they could
    /// change the answers or name programs.
    private static let kept: Set<String> = [
        "GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_QUARANTINE_PATH", "GIT_CEILING_DIRECTORIES",
        "GIT_DISCOVERY_ACROSS_FILESYSTEM", "GIT_EXEC_PATH", "GIT_CONFIG_GLOBAL",
        "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS",
    ]

    private static func isKept(_ name: String) -> Bool {
        !name.hasPrefix("GIT_") || kept.contains(name)
            || name.hasPrefix("GIT_CONFIG_KEY_") || name.hasPrefix("GIT_CONFIG_VALUE_")
    }

    /// Git's variables of a run, and the folders' variables used so far.
    private struct GitEnvironment: Sendable {
        let base = GitSurroundings.base
        let known = Locked<[String: [String: String]]>([:])
    }

    private static var base: [String: String] {
        Surroundings.current.environment.filter { isKept($0.key) }.merging(
            [
                // Objects that a partial clone lacks are not fetched: no protocol is allowed, even for a git that does
                // not know the first variable.
                "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none",
                "GIT_NO_REPLACE_OBJECTS": "1", "GIT_GRAFT_FILE": "/dev/null/none",
                "GIT_ATTR_NOSYSTEM": "1", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0",
                "GIT_PAGER": "cat", "GIT_EDITOR": "false", "GIT_ASKPASS": "false",
                "GIT_SSH_COMMAND": "false", "LC_ALL": "C",
            ]
        ) { $1 }
    }
}

/// The lines of git's output; a carriage return before a line feed is part of the line, though one character with it.
func lines(of text: String) -> [String] {
    text.utf8.split(separator: UInt8(ascii: "\n")).map { String(Substring($0)) }
}

/// A line of git's output, which may contain line feeds itself, as a path may.
func withoutLineEnd(_ text: String) -> String {
    text.utf8.last == UInt8(ascii: "\n") ? String(Substring(text.utf8.dropLast())) : text
}
