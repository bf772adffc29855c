import Essentials

/// Opens the null device in place of the standard streams that the caller of the program has closed.
///
/// The next file that is opened would have the number of the stream else: the program would read its own pipe as its
/// input, or write what it says into a file. Standard input is empty then, and what is written fails as it does
/// without a stream. It must come before anything else is opened.
package func openStandardDescriptors() {
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
        // The lowest number that is free, which is this one.
        _ = open("/dev/null", O_RDONLY)
    }
}
