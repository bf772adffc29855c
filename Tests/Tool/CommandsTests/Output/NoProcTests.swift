import Foundation
import TestSupport
import Testing

/// A container may have no `/proc`, from which Swift reads the arguments.
struct NoProcTests {
    /// Runs words of a shell where `/proc` is an empty folder; with none, tells whether that is possible here.
    private static func withoutProc(_ command: String) throws -> CommandResult {
        let script = "mount -t tmpfs none /proc && exec \(command)"
        return try result(
            of: URL(fileURLWithPath: "/usr/bin/env"),
            ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script]
        )
    }

    private static let canHideProc = (try? withoutProc("true").status) == 0

    @Test(.enabled(if: canHideProc && !hasAddressSanitizer))
    func `the arguments are known where there is no /proc`() throws {
        let model = "Models/Library.xcdatamodeld"
        let hidden = try Self.withoutProc("\(commandURL.path) hash \(model)")
        let open = try momtool("hash", model)
        #expect(open.status == 0 && !open.output.isEmpty)
        #expect(hidden.status == 0, "\(hidden.errors)")
        #expect(hidden.output == open.output)
    }
}
