import Diagnostics
import Foundation
import Testing

@testable import SwiftDataReading

@Suite struct DeepThreadsTests {
    @Test func `a thread that waits is waited for`() {
        let hasEnded = Locked(false)
        let threads = DeepThreads(stackSize: 1 << 20, patience: 0.05).run(1) {
            usleep(500_000)
            hasEnded.withLock { $0 = true }
        }
        #expect(threads == 1)
        #expect(hasEnded.withLock { $0 })
    }

    @Test func `a thread that works on and on is left to itself`() {
        let isEnough = Locked(false)
        let threads = DeepThreads(stackSize: 1 << 20, patience: 0.05).run(1) {
            while !isEnough.withLock({ $0 }) {}
        }
        #expect(threads == 1)
        isEnough.withLock { $0 = true }
    }
}
