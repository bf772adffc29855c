// What Swift's modules of the C library lack, with the same arguments on every system.
#include <errno.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/types.h>
#include <sys/xattr.h>
#include <unistd.h>

// glibc's <fcntl.h> would make this module the owner of `struct stat`, which Swift's own module then lacks.
#if !defined(__GLIBC__)
#include <fcntl.h>
#endif

#ifdef __linux__
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#endif

/// Lets a file share the blocks of another one; -1 where the file system cannot.
static inline int file_share_blocks(int source, int target) {
#ifdef FICLONE
    return ioctl(target, FICLONE, source);
#else
    errno = ENOTSUP;
    return -1;
#endif
}

/// Copies bytes from one file's place to another's without bringing them here; -1 where the system cannot.
static inline ssize_t file_transfer(int source, int target, size_t count) {
#ifdef __linux__
    return sendfile(target, source, NULL, count);
#else
    errno = ENOSYS;
    return -1;
#endif
}

static inline ssize_t file_list_attributes(const char *path, char *names, size_t size) {
#ifdef __linux__
    return listxattr(path, names, size);
#else
    return listxattr(path, names, size, 0);
#endif
}

static inline ssize_t file_get_attribute(
    const char *path, const char *name, void *value, size_t size
) {
#ifdef __linux__
    return getxattr(path, name, value, size);
#else
    return getxattr(path, name, value, size, 0, 0);
#endif
}

static inline int file_set_attribute(int file, const char *name, const void *value, size_t size) {
#ifdef __linux__
    return fsetxattr(file, name, value, size, 0);
#else
    return fsetxattr(file, name, value, size, 0, 0);
#endif
}

/// Makes a pipe that no other program is given by chance, which `O_CLOEXEC` asks for; -1 where the system cannot.
static inline int program_pipe(int ends[2], int closing) {
#ifdef __linux__
    return pipe2(ends, closing);
#else
    if (pipe(ends) != 0) return -1;
    for (int end = 0; end < 2; end++) fcntl(ends[end], F_SETFD, FD_CLOEXEC);
    return 0;
#endif
}

/// Starts a program that gets three open files and nothing else that is open here.
///
/// What it got by chance it would keep open: whoever waits for the end of a pipe or of a socket would wait for it.
/// Returns 0, or the number of an error.
static inline int program_start(
    pid_t *program, char *const words[], char *const settings[], const int files[3]
) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    for (int place = 0; place < 3; place++) {
        posix_spawn_file_actions_adddup2(&actions, files[place], place);
    }
#if defined(POSIX_SPAWN_CLOEXEC_DEFAULT)
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_CLOEXEC_DEFAULT);
#elif defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
    posix_spawn_file_actions_addclosefrom_np(&actions, 3);
#else
    long limit = sysconf(_SC_OPEN_MAX);
    for (int file = 3; file < (limit > 0 && limit < 65536 ? limit : 65536); file++) {
        int copy = dup(file);
        if (copy < 0) continue;
        close(copy);
        posix_spawn_file_actions_addclose(&actions, file);
    }
#endif
    int error = posix_spawnp(program, words[0], &actions, &attributes, words, settings);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return error;
}
