/// Mutations of what `momtool doctor` reads in logs and finds in files.
extension Mutation {
    static let diagnoses = codes + hashes + files

    private static let symptoms = "Judgement/LogReading/SymptomReading.swift"
    private static let diagnosing = "Library/Diagnosing/Diagnosing.swift"
    private static let readCodes = "logs-are-read-for-codes"
    private static let readHashes = "logs-are-read-for-hashes"
    private static let seenFile = "doctor-says-what-became-of-a-file"
    private static let ownModel = "doctor-reads-a-store-by-its-own-model"

    private static let codes = [
        Mutation(
            "a code of Core Data is read in English only",
            in: symptoms,
            "number > 100_000",
            becomes: "false",
            caughtBy: readCodes
        ),
        Mutation(
            "codes that no header names are passed over",
            in: symptoms,
            "$0.codes.contains(number)",
            becomes: "false",
            caughtBy: readCodes
        ),
        Mutation(
            "a code of SQLite with details is not known",
            in: "Judgement/LogReading/SQLiteCode.swift",
            "$0.code == code & 0xFF",
            becomes: "$0.code == code",
            caughtBy: readCodes
        ),
        Mutation(
            "a message without names stands beside the one that has them",
            in: symptoms,
            "hasNamed",
            becomes: "false",
            within: "return hasNamed\n",
            caughtBy: readCodes
        ),
    ]

    private static let hashes = [
        Mutation(
            "the last bytes of a hash in a log do not count",
            in: "Judgement/LogReading/HashFragment.swift",
            "bytes.suffix(end.count).elementsEqual(end)",
            becomes: "true",
            caughtBy: readHashes
        ),
        Mutation(
            "hashes of a model in a log pass for those of the store",
            in: diagnosing,
            "ofStores.isEmpty ? log.hashes : ofStores",
            becomes: "log.hashes",
            caughtBy: readHashes
        ),
        Mutation(
            "an error in a log does not rule the current version out",
            in: diagnosing,
            "log.symptoms.contains { differingCodes.contains($0.kind) }",
            becomes: "false",
            caughtBy: readHashes
        ),
    ]

    private static let files = [
        Mutation(
            "a file that is cut off is not told by its length",
            in: "Library/Diagnosing/FileDamage.swift",
            "bytes < wantedBytes",
            becomes: "false",
            caughtBy: seenFile
        ),
        Mutation(
            "the model in a store says nothing of who wrote it",
            in: diagnosing,
            "version.hashes == store.metadata().hashes ? version : nil",
            becomes: "nil",
            caughtBy: ownModel
        ),
        Mutation(
            "the repair of a damaged store is not offered",
            in: "Library/Diagnosing/WaysOut.swift",
            "diagnosis.findings.contains(where: { $0.severity != .note })",
            becomes: "false",
            caughtBy: ownModel
        ),
    ]
}
