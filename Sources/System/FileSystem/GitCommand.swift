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
