/// Dates as stores keep them, seconds since 2001-01-01 00:00 UTC, and as ISO 8601 texts.
///
/// The text has as many decimals as it takes to get the same number back: seconds since 2001 and seconds of the minute
/// have the same decimals, so the shortest text of the one gives that of the other.
package enum StoredDate {
    /// Returns the text of a date of the years 0 to 9999; `nil` for others and for values that are not numbers.
    package static func text(of seconds: Double) -> String? {
        guard seconds >= -63_145_872_000, seconds < 252_423_993_600 else { return nil }
        var (whole, decimals) = decimalParts(of: seconds.magnitude)
        if seconds < 0 {
            whole = -whole
            if !decimals.isEmpty {
                whole -= 1
                decimals = complement(of: decimals)
            }
        }
        let days = whole.floorDivided(by: 86_400)
        let rest = whole - days * 86_400
        let (year, month, day) = civilDate(days: days + 11_323)
        guard (0...9999).contains(year) else { return nil }
        let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
        let time = [rest / 3600, rest / 60 % 60, rest % 60].map { padded($0, 2) }
        let fraction = decimals.isEmpty ? "" : "." + decimals
        return "\(date)T\(time.joined(separator: ":"))\(fraction)Z"
    }

    /// Reads a text such as `2024-02-29T12:30:00.25Z`, also with an offset as `+02:00`, `+0200` or `+02`; or `nil`.
    ///
    /// No other code reads dates, so an impossible day or hour is rejected everywhere.
    package static func seconds(of bytes: UnsafeRawBufferPointer) -> Double? {
        var scanner = DigitScanner(bytes: bytes)
        guard let year = scanner.number(4), scanner.skip("-"), let month = scanner.number(2),
            scanner.skip("-"), let day = scanner.number(2), scanner.skip("T") || scanner.skip("t"),
            let hour = scanner.number(2), scanner.skip(":"), let minute = scanner.number(2),
            scanner.skip(":"), let second = scanner.number(2),
            (1...12).contains(month), (1...daysInMonth(month, year)).contains(day),
            hour < 24, minute < 60, second < 60
        else { return nil }
        var decimals = scanner.skip(".") ? scanner.digits() : ""
        if bytes.count > 19, bytes[19] == UInt8(ascii: "."), decimals.isEmpty { return nil }
        guard let offset = scanner.offset(), scanner.isAtEnd else { return nil }
        let days = dayNumber(year, month, day) - 11_323
        var whole = days * 86_400 + hour * 3600 + minute * 60 + second - offset
        while decimals.last == "0" { decimals.removeLast() }
        if decimals.isEmpty { return Double(whole) }
        guard whole < 0 else { return Double("\(whole).\(decimals)") }
        whole = -whole - 1
        return Double("-\(whole).\(complement(of: decimals))")
    }

    /// Reads a text as ``seconds(of:)`` does, where the number keeps all of its decimals; `nil` for any other.
    package static func exactSeconds(of text: String) -> Double? {
        var bytes = text
        guard let seconds = bytes.withUTF8({ seconds(of: UnsafeRawBufferPointer($0)) }),
            let written = self.text(of: seconds), decimals(in: written) == decimals(in: text)
        else { return nil }
        return seconds
    }

    /// The decimals of the seconds in a text, without trailing zeros.
    private static func decimals(in text: String) -> Substring {
        guard let point = text.firstIndex(of: ".") else { return "" }
        var decimals = text[text.index(after: point)...].prefix { $0.isNumber }
        while decimals.last == "0" { decimals.removeLast() }
        return decimals
    }

    /// Reads a date as people type it: a day, from midnight UTC, or a day and a time with `Z` or an offset.
    package static func seconds(typed text: String) -> Double? {
        var text = text.utf8.count == 10 ? text + "T00:00:00Z" : text
        return text.withUTF8 { seconds(of: UnsafeRawBufferPointer($0)) }
    }

    /// Splits the shortest text of an unsigned number into its whole part and its decimals.
    private static func decimalParts(of number: Double) -> (Int, String) {
        let text = number.description
        let halves = text.split(separator: "e")
        let parts = halves[0].split(separator: ".")
        var whole = String(parts[0])
        var decimals = parts.count > 1 && parts[1] != "0" ? String(parts[1]) : ""
        // Numbers below 0.0001 have the form 5e-05; large ones are out of range before.
        if halves.count > 1, let exponent = Int(halves[1]), exponent < 0 {
            decimals = String(repeating: "0", count: -exponent - 1) + whole + decimals
            whole = "0"
        }
        return (Int(whole) ?? 0, decimals)
    }

    /// The decimals that add up to one with the given ones, whose last is not 0.
    private static func complement(of decimals: String) -> String {
        var digits = Array(decimals.utf8)
        for index in digits.indices {
            let nine = index == digits.count - 1 ? UInt8(ascii: "0") + 10 : UInt8(ascii: "9")
            digits[index] = nine - digits[index] + UInt8(ascii: "0")
        }
        return String(decoding: digits, as: UTF8.self)
    }
}

private struct DigitScanner {
    let bytes: UnsafeRawBufferPointer
    var index = 0

    var isAtEnd: Bool { index == bytes.count }

    mutating func number(_ count: Int) -> Int? {
        var number = 0
        for _ in 0..<count {
            guard index < bytes.count, let digit = digit(bytes[index]) else { return nil }
            number = number * 10 + digit
            index += 1
        }
        return number
    }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    mutating func digits() -> String {
        let start = index
        while index < bytes.count, digit(bytes[index]) != nil { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    mutating func offset() -> Int? {
        if skip("Z") || skip("z") { return 0 }
        let isNegative = skip("-")
        guard isNegative || skip("+"), let hours = number(2) else { return nil }
        // The colon or the minutes may be omitted.
        let minutes = skip(":") || !isAtEnd ? number(2) : 0
        guard let minutes, hours < 24, minutes < 60 else { return nil }
        return (hours * 3600 + minutes * 60) * (isNegative ? -1 : 1)
    }

    private func digit(_ byte: UInt8) -> Int? {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") ? Int(byte - UInt8(ascii: "0")) : nil
    }
}

private func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

private func daysInMonth(_ month: Int, _ year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
}

/// Returns the days from 1970-01-01 to a date of the proleptic Gregorian calendar, as in ISO 8601.
private func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = year.floorDivided(by: 400)
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
}

private func civilDate(days: Int) -> (year: Int, month: Int, day: Int) {
    let days = days + 719_468
    let era = days.floorDivided(by: 146_097)
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (
        yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1
    )
}

extension Int {
    fileprivate func floorDivided(by divisor: Int) -> Int {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
