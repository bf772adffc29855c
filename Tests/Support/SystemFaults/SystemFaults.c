#define _GNU_SOURCE
#include "SystemFaults.h"

#if defined(__linux__) && !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int system_faults_are_built(void) { return 1; }

enum Plan { COUNT, FAIL, FULL, KILL, STOP, TORN };

static enum Plan plan;
static long number;
static int code;
static int log_file = -1;
static int opens_file = -1;
static atomic_long calls;

__attribute__((constructor)) static void read_plan(void) {
    const char *text = getenv("MOMTOOL_FAULT");
    const char *log = getenv("MOMTOOL_FAULT_LOG");
    char word[8] = "";
    if (text && sscanf(text, "%7[a-z]:%ld:%d", word, &number, &code) >= 2) {
        plan = !strcmp(word, "fail") ? FAIL
            : !strcmp(word, "full") ? FULL
            : !strcmp(word, "kill") ? KILL
            : !strcmp(word, "stop") ? STOP
            : !strcmp(word, "torn") ? TORN : COUNT;
    }
    const char *opens = getenv("MOMTOOL_OPENS");
    if (opens) {
        opens_file = (int)syscall(SYS_openat, AT_FDCWD, opens, O_WRONLY | O_CREAT | O_APPEND, 0644);
    }
    if (log) {
        log_file = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND, 0644);
    }
}

static void die(void) {
    syscall(SYS_kill, getpid(), SIGKILL);
    for (;;) pause();
}

/// Counts a call and says what shall become of it: 0 nothing special, 1 it fails, 2 it is torn.
static int fate(const char *name, int needs_room) {
    long call = atomic_fetch_add(&calls, 1) + 1;
    if (log_file >= 0) {
        char line[64];
        int length = snprintf(line, sizeof line, "%ld %s\n", call, name);
        syscall(SYS_write, log_file, line, length);
    }
    if (plan == FULL && call > number && needs_room) { errno = code; return 1; }
    if (call != number) return 0;
    switch (plan) {
    case COUNT: return 0;
    case FAIL: case FULL: errno = code; return 1;
    case KILL: die();
    case STOP:
        // Ctrl-C, and the time in which it is noticed.
        syscall(SYS_kill, getpid(), SIGINT);
        usleep(50000);
        return 0;
    case TORN: return 2;
    }
    return 0;
}

static int is_plain_file(int file) {
    struct stat status;
    return file > 2 && file != log_file && syscall(SYS_fstat, file, &status) == 0
        && S_ISREG(status.st_mode);
}

#define CALL(name, needs_room, ...) do { \
        int what = fate(#name, needs_room); \
        if (what == 1) return -1; \
        long result = syscall(__VA_ARGS__); \
        if (what == 2) die(); \
        return (int)result; \
    } while (0)

/// Notes the path of a file that is read, without links.
static int noted(int file) {
    char link[32], path[4096];
    if (file < 0 || opens_file < 0) return file;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length > 0) {
        path[length] = '\n';
        syscall(SYS_write, opens_file, path, length + 1);
    }
    return file;
}

static int open_file(int folder, const char *path, int flags, mode_t rights) {
    if (flags & O_CREAT) CALL(create, 1, SYS_openat, folder, path, flags, rights);
    if ((flags & O_ACCMODE) != O_RDONLY) CALL(open, 0, SYS_openat, folder, path, flags, rights);
    return noted((int)syscall(SYS_openat, folder, path, flags, rights));
}

#define RIGHTS(last) mode_t rights = 0; \
    if (flags & (O_CREAT | O_TMPFILE)) { \
        va_list list; va_start(list, last); rights = va_arg(list, mode_t); va_end(list); \
    }

int open(const char *path, int flags, ...) {
    RIGHTS(flags)
    return open_file(AT_FDCWD, path, flags, rights);
}

int open64(const char *path, int flags, ...) {
    RIGHTS(flags)
    return open_file(AT_FDCWD, path, flags | O_LARGEFILE, rights);
}

int openat(int folder, const char *path, int flags, ...) {
    RIGHTS(flags)
    return open_file(folder, path, flags, rights);
}

int openat64(int folder, const char *path, int flags, ...) {
    RIGHTS(flags)
    return open_file(folder, path, flags | O_LARGEFILE, rights);
}

static ssize_t write_file(int file, const void *bytes, size_t count, off_t offset) {
    if (is_plain_file(file)) {
        int what = fate("write", 1);
        if (what == 1) return -1;
        if (what == 2) {
            if (offset < 0) syscall(SYS_write, file, bytes, count / 2);
            else syscall(SYS_pwrite64, file, bytes, count / 2, offset);
            die();
        }
    }
    return offset < 0 ? syscall(SYS_write, file, bytes, count)
                      : syscall(SYS_pwrite64, file, bytes, count, offset);
}

ssize_t write(int file, const void *bytes, size_t count) {
    return write_file(file, bytes, count, -1);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
    return write_file(file, bytes, count, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
    return write_file(file, bytes, count, offset);
}

ssize_t sendfile(int target, int source, off_t *offset, size_t count) {
    CALL(sendfile, 1, SYS_sendfile, target, source, offset, count);
}

int fsync(int file) { CALL(fsync, 0, SYS_fsync, file); }

int fdatasync(int file) { CALL(fdatasync, 0, SYS_fdatasync, file); }

int ftruncate(int file, off_t size) { CALL(ftruncate, 0, SYS_ftruncate, file, size); }

int ftruncate64(int file, off64_t size) { CALL(ftruncate, 0, SYS_ftruncate, file, size); }

int rename(const char *from, const char *to) {
    CALL(rename, 0, SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
}

int link(const char *from, const char *to) {
    CALL(link, 0, SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int symlink(const char *from, const char *to) {
    CALL(symlink, 1, SYS_symlinkat, from, AT_FDCWD, to);
}

int unlink(const char *path) { CALL(unlink, 0, SYS_unlinkat, AT_FDCWD, path, 0); }

int unlinkat(int folder, const char *path, int flags) {
    CALL(unlinkat, 0, SYS_unlinkat, folder, path, flags);
}

int rmdir(const char *path) { CALL(rmdir, 0, SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR); }

int mkdir(const char *path, mode_t rights) { CALL(mkdir, 1, SYS_mkdirat, AT_FDCWD, path, rights); }

#else

int system_faults_are_built(void) { return 0; }

#endif
