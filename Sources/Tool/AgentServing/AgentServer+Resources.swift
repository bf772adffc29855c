import Essentials

extension AgentServer {
    /// The resources that are always there.
    var resources: [JSONValue] {
        let schemas = settings.schemas.map { command, _ in
            Self.resource(
                "schema/" + command.replacing(" ", with: "/"),
                "JSON Schema of momtool \(command)",
                "application/schema+json"
            )
        }
        return [
            Self.resource("skill", "How to change a model safely", "text/markdown"),
            Self.resource("rules", "All rules, with their reasons and examples", "text/markdown"),
        ] + schemas
    }

    private static func resource(_ path: String, _ title: String, _ type: String) -> JSONValue {
        [
            "uri": .string(scheme + path), "name": .string(path), "title": .string(title),
            "mimeType": .string(type),
        ]
    }

    /// The resources whose addresses are made by clients.
    static let templates: [JSONValue] = [
        [
            "uriTemplate": "momtool://model/{+path}", "name": "model",
            "title": "A model or a store, as inspect shows it", "mimeType": "application/json",
        ],
        [
            "uriTemplate": "momtool://rule/{id}", "name": "rule",
            "title": "A rule, as rules shows it", "mimeType": "text/plain",
        ],
    ]

    private static let scheme = "momtool://"

    /// Reads a resource: at once, or by a command.
    func readResource(_ uri: String, _ request: AgentRequest) throws(AgentError) {
        let missing = AgentError.resource(uri, isModern: request.isModern)
        guard uri.hasPrefix(Self.scheme),
            let path = uri.dropFirst(Self.scheme.count).removingPercents
        else { throw missing }
        let parts = path.split(separator: "/", maxSplits: 1).map(String.init)
        switch (parts.first, parts.count > 1 ? parts[1] : nil) {
        case ("skill"?, nil):
            send(content(settings.skill, of: uri, "text/markdown", request), to: request)
        case ("schema"?, let name?):
            let command = name.replacing("/", with: " ")
            guard let schema = settings.schemas.first(where: { $0.command == command }) else {
                throw missing
            }
            let text = schema.document.document(isPretty: true)
            send(content(text, of: uri, "application/schema+json", request), to: request)
        case ("rules"?, nil):
            try read(uri, by: ["rules", "--format=markdown"], "text/markdown", request)
        case ("rule"?, let id?):
            guard !id.contains("/"), (try? AgentTool.checked(id, "id")) != nil else {
                throw missing
            }
            try read(uri, by: ["rules", "--", id], "text/plain", request)
        case ("model"?, let place?):
            let model: String
            do throws(AgentFault) {
                model = try folder.model(AgentTool.checked(place, "path"))
            } catch {
                throw AgentError(code: missing.code, message: error.message, data: missing.data)
            }
            let words = ["inspect", "--current", "--format=json", "--", model]
            try read(uri, by: words, "application/json", request)
        default: throw missing
        }
    }

    private func read(
        _ uri: String,
        by words: [String],
        _ type: String,
        _ request: AgentRequest
    ) throws(AgentError) {
        try run(AgentCall(words: words), for: request) { [self] outcome throws(AgentError) in
            guard !outcome.isFailure else {
                var missing = AgentError.resource(uri, isModern: request.isModern)
                let reason = outcome.isTooLong ? Self.excess : outcome.errors.trimmed
                if !reason.isEmpty { missing.message = reason }
                throw missing
            }
            let text = outcome.output + outcome.errors
            return content(text, of: uri, type, request, isLasting: false)
        }
    }

    private func content(
        _ text: String,
        of uri: String,
        _ type: String,
        _ request: AgentRequest,
        isLasting: Bool = true
    ) -> JSONValue {
        let contents: JSONValue = [
            "contents": [
                ["uri": .string(uri), "mimeType": .string(type), "text": .string(text)]
            ]
        ]
        return complete(contents, request, isLasting: isLasting)
    }
}

extension StringProtocol {
    /// The text with the bytes that `%` and two digits stand for; `nil` where they are none.
    fileprivate var removingPercents: String? {
        var bytes: [UInt8] = []
        var rest = Array(utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard digits.utf8.count == 2, let value = UInt8(digits, radix: 16) else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
