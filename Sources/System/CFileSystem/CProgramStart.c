#define _GNU_SOURCE
#include "CFileSystem.h"

#include <stdlib.h>
#include <unistd.h>

static int argument_count;
static char **first_argument;

int program_argument_count(void) { return argument_count; }

char *const *program_arguments(void) { return first_argument; }

#ifdef __linux__
// Runs before the constructors of Swift's runtime, which have no priority. The C library of GNU hands the arguments to
// constructors; that of musl hands over nothing that could be told from arguments, so there they stay unknown.
__attribute__((constructor(101))) static void start(int count, char **arguments) {
#ifdef __GLIBC__
    argument_count = count;
    first_argument = arguments;
#else
    (void)count;
    (void)arguments;
#endif
    // The runtime asks for the folder that it lies in, by a link in /proc, and aborts where there is none; the folder
    // is for tools that a program in service does not have.
    if (access("/proc/self/exe", F_OK) != 0) setenv("SWIFT_ROOT", "/", 0);
}
#endif
