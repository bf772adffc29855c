import Diagnostics
import Essentials

/// The only place that starts git.
///
/// A repository is input like any other file: its configuration and its attributes may name programs. So only plumbing
/// is used, which reads neither; every setting that could still name a program is overridden; nothing is fetched; and
/// replacement objects are ignored. A folder that is a bare repository, as a clone can bring along, counts as one only
/// when `GIT_DIR` says so.
///
/// The configuration of the user and the machine applies, as it says which repositories of others may be read
/// (`safe.directory`), and so do the variables that locate a repository, as ``GitSurroundings`` explains.
struct GitCommand {
    private let words: [String]
    private let folder: String
    private let environment: [String: String]
    /// Whether the repository is that of the folder.
    private let isOrdinary: Bool

    /// Takes a plumbing command with its arguments, to be run in a folder.
    ///
    /// `matchesPatterns` makes paths patterns, which a user's path never is. The default environment finds the folder's
    /// repository.
    init(
        _ command: Plumbing,
        _ arguments: [String],
        in folder: String,
        matchesPatterns: Bool = false,
        environment: [String: String]? = nil
    ) {
        self.folder = folder
        isOrdinary = environment == nil
        self.environment = environment ?? GitSurroundings.environment(for: folder)
        let settings = Self.settings.flatMap { ["-c", $0] }
        words =
            ["git", "-C", folder, "--no-pager", "--no-replace-objects"]
            + [matchesPatterns ? "--glob-pathspecs" : "--literal-pathspecs"] + settings + [
                command.rawValue
            ] + arguments
    }

    /// The commands in use; none of them reads attributes, runs hooks or opens an editor or a pager.
    enum Plumbing: String {
        case catFile = "cat-file"
        case config
        case diffIndex = "diff-index"
        case diffTree = "diff-tree"
        case forEachRef = "for-each-ref"
        case listFiles = "ls-files"
        case revList = "rev-list"
        case revParse = "rev-parse"
    }

    /// The time limit of an answer: git's own walks through history and trees have no bound.
    static let timeLimit = Duration.seconds(300)

    /// Starts git, and leaves the conversation to the caller; `nil` when it cannot be started.
    ///
    /// It is outside this process group: Ctrl-C ends only this process, which ends git.
    func start() -> ChildProcess? {
        ChildProcess(words, environment: environment, isOfOwnGroup: true)
    }

    /// Returns git's output for some input, or throws its message on failure.
    ///
    /// A command of momtool asks each question once: nothing that it asks about changes while it runs. It ends automatically
    /// after computing for `limit`, even after this process was killed.
    func run(
        input: String = "",
        within limit: Duration = GitCommand.timeLimit
    ) throws(GitError) -> String {
        guard isOrdinary else { return try answered(input, within: limit) }
        let answers = Surroundings.current.memory.value(GitAnswers())
        let question = [resolvedPath(folder), input] + words[3...]
        if let known = answers.known.withLock({ $0?[question] }) { return try known.get() }
        let answer = Result { () throws(GitError) in
            try requireRepository()
            return try answered(input, within: limit)
        }
        answers.known.withLock { $0?[question] = answer }
        return try answer.get()
    }

    /// Throws what git answers outside of repositories, without starting it, where neither the folder nor one above it is
    /// one or has one.
    func requireRepository() throws(GitError) {
        guard environment["GIT_DIR"] == nil, FileIdentity(of: folder)?.isFolder == true else {
            return
        }
        var place = resolvedPath(folder)
        while !exists(place + "/.git"), !exists(place + "/HEAD") {
            guard place != "/" else {
                throw GitError(message: "fatal: not a git repository", in: folder)
            }
            place = parent(of: place)
        }
    }

    private func answered(_ input: String, within limit: Duration) throws(GitError) -> String {
        guard let process = start() else { throw GitError(reason: "git cannot be started") }
        process.limitProcessorTime(to: limit)
        let start = ContinuousClock.now
        guard let (output, errors) = process.exchange(Array(input.utf8), within: limit) else {
            process.destroy()
            throw GitError(noAnswerWithin: limit)
        }
        let status = process.status()
        guard status == 0 else {
            // The limit of its own may end it first, by a signal, as it adds up the time of all processors.
            let isOver = status == nil && (ContinuousClock.now - start) * 2 >= limit
            guard !errors.isEmpty || !isOver else { throw GitError(noAnswerWithin: limit) }
            throw GitError(message: String(decoding: errors, as: UTF8.self), in: folder)
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Overrides of the repository's configuration.
    ///
    /// The plumbing above runs none of the programs; a later git might.
    private static let settings = [
        "safe.bareRepository=explicit", "protocol.allow=never", "core.hooksPath=/dev/null",
        "core.fsmonitor=false", "core.attributesFile=/dev/null", "core.excludesFile=/dev/null",
        "core.pager=cat", "core.editor=false", "core.askPass=false", "core.sshCommand=false",
        "core.gitProxy=false", "core.alternateRefsCommand=false", "sequence.editor=false",
        "credential.helper=", "credential.interactive=false", "diff.external=",
        "interactive.diffFilter=", "log.showSignature=false", "gpg.program=false",
        "gpg.openpgp.program=false", "gpg.x509.program=false", "gpg.ssh.program=false",
        "gpg.ssh.defaultKeyCommand=false", "uploadpack.packObjectsHook=false",
        "maintenance.auto=false", "gc.auto=0", "submodule.recurse=false",
        "fetch.recurseSubmodules=false", "diff.ignoreSubmodules=all",
        "advice.graftFileDeprecated=false", "i18n.logOutputEncoding=UTF-8",
    ]
}

/// The answers of git that a run has had; `nil` where no run has begun, as in an app that uses the library.
private struct GitAnswers: Sendable {
    let known = Locked<[[String]: Result<String, GitError>]?>(nil)
}

/// Lets the current run ask git each question once.
package func keepGitAnswers() {
    Surroundings.current.memory.value(GitAnswers()).known.withLock { $0 = $0 ?? [:] }
}

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
