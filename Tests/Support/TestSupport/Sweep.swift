import Foundation

/// The part of a long sweep in a run of the tests: a stride of it on every push, all of it by night.
///
/// `MOMTOOL_SWEEP=whole` leaves nothing out, as `.ci/nightly sweeps` does.
package enum Sweep {
    package static let isWhole = ProcessInfo.processInfo.environment["MOMTOOL_SWEEP"] == "whole"

    package static func part<Elements: Collection>(
        of elements: Elements,
        every stride: Int
    ) -> [Elements.Element] {
        elements.enumerated().filter { isWhole || $0.offset % stride == 0 }.map(\.element)
    }

    package static func count(_ whole: Int, every stride: Int) -> Int {
        isWhole ? whole : max(1, whole / stride)
    }
}
