import Essentials

/// Opens the null device for standard streams that the caller of the program has closed.
///
/// Otherwise the next opened file would get the number of the stream: the program would read its own pipe as its input,
/// or write its output into a file. Standard input is then empty, and writing fails as it does without a stream. It
/// must come before anything else is opened.
package func openStandardDescriptors() {
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
        // The lowest free number, which is this one.
        _ = open("/dev/null", O_RDONLY)
    }
}
