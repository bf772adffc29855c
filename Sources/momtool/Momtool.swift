import Commands

/// The program; everything that it does is in the module `Commands`.
@main
enum Momtool {
    static func main() {
        MomtoolCommand.start()
    }
}
