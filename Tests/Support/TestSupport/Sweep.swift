import Foundation

/// How much of a long sweep a run of the tests does: a stride of it on every push, all of it by night.
///
/// `MOMTOOL_SWEEP=whole` leaves nothing out, as `.ci/nightly sweeps` does.
package enum Sweep {
    /// Whether nothing is left out.
    package static let isWhole =
        ProcessInfo.processInfo.environment["MOMTOOL_SWEEP"] == "whole"

    /// Returns every so many elements of a sweep, the first among them.
    package static func part<Elements: Collection>(
        of elements: Elements,
        every stride: Int
    ) -> [Elements.Element] {
        elements.enumerated().filter { isWhole || $0.offset % stride == 0 }.map(\.element)
    }

    /// Returns how many of a sweep's random inputs are made.
    package static func count(_ whole: Int, every stride: Int) -> Int {
        isWhole ? whole : max(1, whole / stride)
    }
}
