@testable import MomtoolCommands
import Testing

struct WorkDisplayTests {
    @Test(arguments: [
        (25, "migrate: 25 of 100 rows, 25 %, 6.0 s left"), (99, "migrate: 99 of 100 rows, 99 %"),
        (100, "migrate: 100 of 100 rows, 100 %"),
    ])
    func `no time under a second is left`(done: Int, text: String) {
        #expect(WorkDisplay.text("migrate", done, of: 100, "rows", after: .seconds(2)) == text)
    }
}
