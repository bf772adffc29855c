import MomtoolCommands
import SystemFaults

/// The program with a file system that fails as it is told, for tests; see `SystemFaults.h`.
@main
enum FaultyMomtool {
    static func main() {
        // What is not called is not linked.
        guard system_faults_are_built() == 1 else { return }
        MomtoolCommand.start()
    }
}
