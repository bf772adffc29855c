import MomtoolCommands

/// The program; everything that it does is in the module `Commands`.
@main
enum Program {
    static func main() {
        MomtoolCommand.start()
    }
}
