/// Reads a log, a crash report or a pasted message, however it was wrapped in other text.
///
/// Version hashes are found in every printed form: `<613c28fa …>`, `{length = 32, bytes = 0x… }` with or without the
/// middle, hexadecimal digits, base64, and XML property lists. `32 bytes` is not a hash. Unknown text is skipped.
package func readLog(_ text: String) -> LogContents {
    var scanner = ValueScanner(text)
    let values = scanner.values()
    var contents = LogContents(symptoms: symptoms(in: text))
    var group: LoggedHashes?
    var epoch = 0
    func close() {
        if let group { contents.hashes.append(group) }
        group = nil
    }
    for value in values {
        // A length without bytes is not a hash.
        guard let name = value.name, !isChecksumName(name), value.bytes.canBeHash,
            !value.bytes.isHidden
        else {
            if !value.bytes.isHidden {
                contents.values.append(
                    LoggedValue(line: value.line, name: value.name, bytes: value.bytes)
                )
            }
            continue
        }
        let isOther =
            value.epoch != epoch || group?.entities[name].map { $0 != value.bytes } == true
        if isOther { close() }
        epoch = value.epoch
        var open =
            group ?? LoggedHashes(line: value.line, isOfStore: value.isInStoreHashes, entities: [:])
        open.entities[name] = value.bytes
        group = open
    }
    close()
    return contents
}

private func isChecksumName(_ name: String) -> Bool {
    let name = name.lowercased()
    return name.contains("checksum") || name.contains("digest")
}

extension HashFragment {
    fileprivate var canBeHash: Bool {
        end == nil ? start.count == 32 : start.count + (end?.count ?? 0) < 32
    }
}
