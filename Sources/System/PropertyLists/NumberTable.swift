/// Finds values by number: in an array while the numbers are small, otherwise by hash.
struct NumberTable {
    private var dense: [Int32] = []
    private var sparse: [UInt64: Int] = [:]

    /// Numbers below this one may be array indexes.
    private static let denseLimit: UInt64 = 1 << 20
    /// The most array elements that may stay empty between two numbers.
    private static let gap = 256

    /// Creates a table; expected numbers are array indexes, in whichever order they come.
    init(expecting numbers: Int = 0) {
        dense = [Int32](repeating: -1, count: min(numbers, Int(Self.denseLimit)))
    }

    /// The value of a number; values are not negative, and once set they stay.
    subscript(number: UInt64) -> Int? {
        get {
            if number < UInt64(dense.count), case let value = dense[Int(number)], value >= 0 {
                return Int(value)
            }
            return sparse.isEmpty ? nil : sparse[number]
        }
        set {
            guard let newValue else { return }
            guard number < min(Self.denseLimit, UInt64(dense.count + Self.gap)),
                let value = Int32(exactly: newValue)
            else {
                sparse[number] = newValue
                return
            }
            while dense.count <= Int(number) { dense.append(-1) }
            dense[Int(number)] = value
        }
    }
}
