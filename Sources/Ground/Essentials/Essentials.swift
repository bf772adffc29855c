// Foundation without ICU's 34 MB of data, and the system's C library, which the full Foundation re-exports. Re-exporting
// here keeps the condition out of a hundred files.
#if canImport(FoundationEssentials)
    @_exported public import FoundationEssentials
    #if canImport(Glibc)
        @_exported public import Glibc
    #elseif canImport(Musl)
        @_exported public import Musl
    #endif
#else
    @_exported public import Foundation
#endif
