package import Foundation

/// Makes a repository whose tag `v0` has a model, and Swift sources, of trees that name each other ten times, on twenty
/// levels.
package func makeTreeBomb(in folder: URL) throws {
    let script = """
        set -e
        git init -q
        export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@example.org
        export GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@example.org
        blob=$(git hash-object -w --stdin </dev/null)
        tree=$(printf '100644 blob %s\\tcontents\\n' $blob | git mktree)
        for level in $(seq 20); do
          tree=$(for n in 0 1 2 3 4 5 6 7 8 9; do
            printf '040000 tree %s\\tf%s\\n' $tree $n; done | git mktree)
        done
        root=$(for name in M.xcdatamodeld M.xcdatamodel Swift; do
          printf '040000 tree %s\\t%s\\n' $tree $name; done | git mktree)
        git tag v0 $(echo x | git commit-tree $root)
        """
    let made = try result(of: URL(fileURLWithPath: "/bin/sh"), ["-c", script], in: folder)
    guard made.status == 0 else { throw CocoaError(.fileWriteUnknown) }
}
