import MomtoolCommands
import SystemFaults

/// The program with a faulty file system, for tests; see `SystemFaults.h`.
@main
enum FaultyMomtool {
    static func main() {
        // Code that is not called is not linked.
        guard system_faults_are_built() == 1 else { return }
        MomtoolCommand.start()
    }
}
