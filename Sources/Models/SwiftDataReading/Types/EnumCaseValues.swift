import ObjectModel

/// No handwritten enum has more cases; rows are not compared with longer lists.
private let caseLimit = 1_000

extension TypeIndex {
    /// Returns the cases of an enum with the raw values in stores, in order.
    ///
    /// `nil` if a raw value is not plain text or an integer, and for an enum with its own initializer, which may accept
    /// values without a case.
    func storedCases(of id: Int, _ type: ScalarType) -> [EnumCases.Case]? {
        let node = nodes[id]
        guard !node.decodesByCode, type.type == .string || type.type.isInteger else { return nil }
        var cases: [EnumCases.Case] = []
        var next: Int64? = 0
        for case .enumCase(let declaration) in node.members {
            guard !declaration.hasPayload, cases.count < caseLimit else { return nil }
            let value: AttributeValue
            switch declaration.rawValue {
            case .string(let text?)? where type.type == .string: value = .string(text)
            case .integer(let text)? where type.type.isInteger:
                guard let number = integer(text) else { return nil }
                value = .integer(number)
                next = number
            case nil where type.type == .string: value = .string(declaration.name)
            case nil:
                guard let number = next else { return nil }
                value = .integer(number)
            default: return nil
            }
            if case .integer(let number) = value {
                let (sum, isTooLarge) = number.addingReportingOverflow(1)
                next = isTooLarge ? nil : sum
            }
            cases.append(EnumCases.Case(name: declaration.name, value: value))
        }
        return cases.isEmpty ? nil : cases
    }

    /// Reads an integer as Swift writes it, such as `-1` or `0x1F_00`.
    private func integer(_ text: String) -> Int64? {
        let isNegative = text.hasPrefix("-")
        let digits = text.drop { $0 == "-" || $0 == "+" }.filter { $0 != "_" }
        let number: Int64? =
            switch digits.prefix(2) {
            case "0x": Int64(digits.dropFirst(2), radix: 16)
            case "0o": Int64(digits.dropFirst(2), radix: 8)
            case "0b": Int64(digits.dropFirst(2), radix: 2)
            default: Int64(digits)
            }
        return number.map { isNegative ? -$0 : $0 }
    }
}
