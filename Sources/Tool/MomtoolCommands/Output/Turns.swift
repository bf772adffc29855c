import Momtool

/// Reads and changes files of a project when it is the turn of this process; other processes wait.
func inTurn<Result>(around path: String, _ body: () throws -> Result) throws -> Result {
    let turn = try changeTurn(around: path)
    defer { withExtendedLifetime(turn) {} }
    return try body()
}
