#define _GNU_SOURCE
#include "CFileSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#endif

int file_share_blocks(int source, int target) {
#ifdef FICLONE
    return ioctl(target, FICLONE, source);
#else
    errno = ENOTSUP;
    return -1;
#endif
}

size_t program_unread(int end) {
#ifdef __linux__
    int count = 0;
    return ioctl(end, FIONREAD, &count) == 0 && count > 0 ? (size_t)count : 0;
#else
    (void)end;
    return 0;
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
    pid_t *program, char *const words[], char *const settings[], const int files[3], int is_own_group,
    const char *folder
) {
    posix_spawn_file_actions_t actions;
    short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (is_own_group ? POSIX_SPAWN_SETPGROUP : 0);
    posix_spawnattr_t attributes;
    sigset_t signals;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    // Threads of pools block all signals; a program that did too could end none of its own.
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes, &signals);
    // Nor does it ignore that nobody reads what it writes, as this process does.
    sigaddset(&signals, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    if (*folder) posix_spawn_file_actions_addchdir_np(&actions, folder);
    for (int place = 0; place < 3; place++) {
        posix_spawn_file_actions_adddup2(&actions, files[place], place);
    }
#if defined(POSIX_SPAWN_CLOEXEC_DEFAULT)
    flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
#elif defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
    posix_spawn_file_actions_addclosefrom_np(&actions, 3);
#else
    long limit = sysconf(_SC_OPEN_MAX);
    for (int file = 3; file < (limit > 0 && limit < 65536 ? limit : 65536); file++) {
        if (fcntl(file, F_GETFD) >= 0) posix_spawn_file_actions_addclose(&actions, file);
    }
#endif
    posix_spawnattr_setflags(&attributes, flags);
    int error = posix_spawnp(program, words[0], &actions, &attributes, words, settings);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return error;
}

void program_limit_time(pid_t program, long long seconds) {
#ifdef __linux__
    struct rlimit limit = { (rlim_t)seconds, (rlim_t)seconds };
    prlimit(program, RLIMIT_CPU, &limit, NULL);
#else
    (void)program;
    (void)seconds;
#endif
}

#ifdef __linux__
// Landlock (landlock(7)), whose header older systems lack; its calls have one number on every machine.
enum { create_ruleset = 444, add_rule = 445, restrict_self = 446 };

static const uint64_t execute = 1 << 0, read_file = 1 << 2, read_folder = 1 << 3;

// The rights on files and folders that a version of Landlock knows; one that it does not know it refuses.
static uint64_t known_rights(long version) {
    uint64_t rights = (1 << 13) - 1;
    if (version >= 2) rights |= 1 << 13;
    if (version >= 3) rights |= 1 << 14;
    if (version >= 5) rights |= 1 << 15;
    return rights;
}

static int allow(int rules, const char *path, uint64_t rights) {
    struct __attribute__((packed)) { uint64_t rights; int32_t file; } rule;
    struct stat status;
    int file = open(path, O_PATH | O_CLOEXEC);
    // What is not there is not allowed either.
    if (file < 0) return 0;
    // Write, truncate and talk to devices are all that a file has besides reading and running.
    uint64_t of_files = execute | read_file | 1 << 1 | 1 << 14 | 1 << 15;
    if (fstat(file, &status) == 0 && !S_ISDIR(status.st_mode)) rights &= of_files;
    rule.rights = rights;
    rule.file = file;
    int result = (int)syscall(add_rule, rules, 1, &rule, 0);
    close(file);
    return result;
}
#endif

int program_confine(const char *const readable[], const char *const writable[]) {
#ifdef __linux__
    long version = syscall(create_ruleset, NULL, 0, 1);
    if (version < 1) return -1;
    uint64_t rights = known_rights(version);
    int rules = (int)syscall(create_ruleset, &rights, sizeof rights, 0);
    if (rules < 0) return -1;
    int result = 0;
    for (int place = 0; readable[place] && result == 0; place++) {
        result = allow(rules, readable[place], execute | read_file | read_folder);
    }
    for (int place = 0; writable[place] && result == 0; place++) {
        result = allow(rules, writable[place], rights);
    }
    if (result == 0) result = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (result == 0) result = (int)syscall(restrict_self, rules, 0);
    close(rules);
    return result == 0 ? 0 : -1;
#else
    return -1;
#endif
}
