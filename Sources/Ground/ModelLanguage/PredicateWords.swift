/// The words that a key must not be spelled as unless a `#` stands before it, in upper case.
let reservedWords: Set<String> = [
    "ALL", "AND", "ANY", "BEGINSWITH", "BETWEEN", "CAST", "CONTAINS", "ENDSWITH", "FALSE",
    "FALSEPREDICATE", "FUNCTION", "IN", "LIKE", "MATCHES", "NIL", "NO", "NONE", "NOT", "NULL", "OR",
    "SELF", "SOME", "SUBQUERY", "TERNARY", "TRUE", "TRUEPREDICATE", "YES",
]

/// The functions that addition and subtraction stand for.
let sumSelectors = ["+": "add:to:", "-": "from:subtract:"]

/// The functions that multiplication and division stand for.
let productSelectors = ["*": "multiply:by:", "/": "divide:by:"]

/// The functions that bitwise operators stand for.
let bitwiseSelectors = [
    "&": "bitwiseAnd:with:", "|": "bitwiseOr:with:", "^": "bitwiseXor:with:",
    "<<": "leftshift:by:", ">>": "rightshift:by:",
]
