import MomtoolCommands

@main
enum Program { static func main() { MomtoolCommand.start() } }
