/// Finds values by number: by place in an array as long as the numbers are small, else by hash.
struct NumberTable {
    private var dense: [Int32] = []
    private var sparse: [UInt64: Int] = [:]

    /// Numbers below this one have a place of their own.
    private static let denseLimit: UInt64 = 1 << 20

    /// The value of a number; values are not negative, and once set they stay.
    subscript(number: UInt64) -> Int? {
        get {
            guard number < Self.denseLimit else { return sparse[number] }
            let place = Int(number)
            guard place < dense.count, dense[place] >= 0 else { return nil }
            return Int(dense[place])
        }
        set {
            guard let newValue else { return }
            guard number < Self.denseLimit, let value = Int32(exactly: newValue) else {
                sparse[number] = newValue
                return
            }
            let place = Int(number)
            if place >= dense.count {
                dense.append(contentsOf: repeatElement(-1, count: place + 1 - dense.count))
            }
            dense[place] = value
        }
    }
}
