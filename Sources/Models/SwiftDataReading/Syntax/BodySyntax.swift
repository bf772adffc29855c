#if SwiftData
    internal import SwiftSyntax

    /// The most tokens of a body that are read.
    private let bodyLimit = 20_000

    extension SyntaxReader {
        /// Reads what a function or closure fetches, makes and calls, such as `Item.self`, `Item(…)` and `move(…)`.
        func body(_ node: some SyntaxProtocol) -> FunctionBody {
            var body = FunctionBody()
            let tokens = Array(node.tokens(viewMode: .sourceAccurate).prefix(bodyLimit))
            var index = 0
            while index < tokens.count {
                guard let path = path(tokens, from: index) else {
                    index += 1
                    continue
                }
                let next = index + 2 * path.count - 1
                if path.last == "FetchDescriptor", isSign("<", tokens, next),
                    let type = self.path(tokens, from: next + 1)
                {
                    body.fetched.append(use(of: type, tokens[next + 1]))
                } else if isSign(".", tokens, next),
                    ["self", "init"].contains(where: { isSign($0, tokens, next + 1) })
                {
                    let isMade = isSign("init", tokens, next + 1)
                    body.fetched.append(use(of: path, tokens[index], isMade: isMade))
                } else if isSign("(", tokens, next), let name = path.last {
                    body.called.append(name)
                    body.fetched.append(use(of: path, tokens[index], isMade: true))
                }
                index = next
            }
            return body
        }

        private func use(
            of path: [String],
            _ token: TokenSyntax,
            isMade: Bool = false
        ) -> FunctionBody.TypeUse {
            let form = TypeForm.named(path.map { TypeForm.Component(name: $0) })
            return FunctionBody.TypeUse(form: form, place: place(token), isMade: isMade)
        }

        /// The dotted names that begin at a token.
        private func path(_ tokens: [TokenSyntax], from start: Int) -> [String]? {
            var names: [String] = []
            var index = start
            while index < tokens.count, case .identifier = tokens[index].tokenKind {
                names.append(tokens[index].plainText)
                guard isSign(".", tokens, index + 1) else { break }
                index += 2
            }
            return names.isEmpty ? nil : names
        }

        private func isSign(_ sign: String, _ tokens: [TokenSyntax], _ index: Int) -> Bool {
            index < tokens.count && tokens[index].text == sign
        }
    }
#endif
