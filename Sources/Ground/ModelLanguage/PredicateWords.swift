/// The upper-case words that a key may not be unless a `#` precedes it.
let reservedWords: Set<String> = [
    "ALL", "AND", "ANY", "BEGINSWITH", "BETWEEN", "CAST", "CONTAINS", "ENDSWITH", "FALSE",
    "FALSEPREDICATE", "FUNCTION", "IN", "LIKE", "MATCHES", "NIL", "NO", "NONE", "NOT", "NULL", "OR",
    "SELF", "SOME", "SUBQUERY", "TERNARY", "TRUE", "TRUEPREDICATE", "YES",
]

let sumSelectors = ["+": "add:to:", "-": "from:subtract:"]

let productSelectors = ["*": "multiply:by:", "/": "divide:by:"]

let bitwiseSelectors = [
    "&": "bitwiseAnd:with:", "|": "bitwiseOr:with:", "^": "bitwiseXor:with:",
    "<<": "leftshift:by:", ">>": "rightshift:by:",
]
