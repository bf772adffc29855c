#define _GNU_SOURCE
#include "CFileSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/xattr.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#endif

int file_share_blocks(int source, int target) {
#ifdef FICLONE
    return ioctl(target, FICLONE, source);
#else
    errno = ENOTSUP;
    return -1;
#endif
}

ssize_t file_transfer(int source, int target, size_t count) {
#ifdef __linux__
    return sendfile(target, source, NULL, count);
#else
    errno = ENOSYS;
    return -1;
#endif
}

ssize_t file_list_attributes(const char *path, char *names, size_t size) {
#ifdef __linux__
    return listxattr(path, names, size);
#else
    return listxattr(path, names, size, 0);
#endif
}

ssize_t file_get_attribute(
    const char *path, const char *name, void *value, size_t size
) {
#ifdef __linux__
    return getxattr(path, name, value, size);
#else
    return getxattr(path, name, value, size, 0, 0);
#endif
}

int file_set_attribute(int file, const char *name, const void *value, size_t size) {
#ifdef __linux__
    return fsetxattr(file, name, value, size, 0);
#else
    return fsetxattr(file, name, value, size, 0, 0);
#endif
}

int program_pipe(int ends[2]) {
#ifdef __linux__
    return pipe2(ends, O_CLOEXEC);
#else
    if (pipe(ends) != 0) return -1;
    for (int end = 0; end < 2; end++) fcntl(ends[end], F_SETFD, FD_CLOEXEC);
    return 0;
#endif
}

int program_start(
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
        if (fcntl(file, F_GETFD) >= 0) posix_spawn_file_actions_addclose(&actions, file);
    }
#endif
    int error = posix_spawnp(program, words[0], &actions, &attributes, words, settings);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return error;
}
