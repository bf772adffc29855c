import FileSystem
import Momtool

/// Does what reads and changes files of a project when it is the turn of this process.
///
/// - Parameters:
///   - path: the path of what is changed.
///   - body: reads and writes; what another process writes meanwhile waits.
/// - Returns: what the body returns.
/// - Throws: `MomtoolError` when another process is at work for a minute, and what the body throws.
func inTurn<Result>(around path: String, _ body: () throws -> Result) throws -> Result {
    let turn = try changeTurn(around: path)
    defer { withExtendedLifetime(turn) {} }
    return try body()
}
