#include "DatabaseFaults.h"

#include <pthread.h>
#include <sqlite3.h>
#include <string.h>

// Other tests of the same process run on other threads and must not notice anything.
static _Thread_local uint32_t armed_operations;
static _Thread_local int64_t armed_number;
static _Thread_local int64_t seen_operations;
static _Thread_local int is_sticky;

void database_faults_arm(uint32_t operations, int64_t number, int sticky) {
    armed_operations = operations;
    armed_number = number;
    is_sticky = sticky;
    seen_operations = 0;
}

int64_t database_faults_disarm(void) {
    armed_operations = 0;
    return seen_operations;
}

static int fails(uint32_t operation) {
    if (!(armed_operations & operation)) return 0;
    seen_operations += 1;
    if (armed_number == 0) return 0;
    return is_sticky ? seen_operations >= armed_number : seen_operations == armed_number;
}

typedef struct {
    sqlite3_file base;
    sqlite3_file *real;
} FaultyFile;

static sqlite3_file *real_file(sqlite3_file *file) { return ((FaultyFile *)file)->real; }

#define PASS(name, ...) real_file(file)->pMethods->name(real_file(file), ##__VA_ARGS__)

static int faulty_close(sqlite3_file *file) { return PASS(xClose); }

static int faulty_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    return fails(DATABASE_READ) ? SQLITE_IOERR_READ : PASS(xRead, bytes, count, offset);
}

static int faulty_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    if (!fails(DATABASE_WRITE)) return PASS(xWrite, bytes, count, offset);
    // A write that fails may have been done in part.
    PASS(xWrite, bytes, count / 2, offset);
    return seen_operations % 2 ? SQLITE_FULL : SQLITE_IOERR_WRITE;
}

static int faulty_truncate(sqlite3_file *file, sqlite3_int64 size) {
    return fails(DATABASE_TRUNCATE) ? SQLITE_IOERR_TRUNCATE : PASS(xTruncate, size);
}

static int faulty_sync(sqlite3_file *file, int flags) {
    return fails(DATABASE_SYNC) ? SQLITE_IOERR_FSYNC : PASS(xSync, flags);
}

static int faulty_size(sqlite3_file *file, sqlite3_int64 *size) { return PASS(xFileSize, size); }

static int faulty_lock(sqlite3_file *file, int lock) {
    return fails(DATABASE_LOCK) ? SQLITE_IOERR_LOCK : PASS(xLock, lock);
}

static int faulty_unlock(sqlite3_file *file, int lock) { return PASS(xUnlock, lock); }

static int faulty_check_lock(sqlite3_file *file, int *result) {
    return fails(DATABASE_LOCK) ? SQLITE_IOERR_CHECKRESERVEDLOCK : PASS(xCheckReservedLock, result);
}

static int faulty_control(sqlite3_file *file, int operation, void *argument) {
    return PASS(xFileControl, operation, argument);
}

static int faulty_sector(sqlite3_file *file) { return PASS(xSectorSize); }

static int faulty_device(sqlite3_file *file) { return PASS(xDeviceCharacteristics); }

static int faulty_map(sqlite3_file *file, int page, int size, int extend, void volatile **memory) {
    return fails(DATABASE_MEMORY) ? SQLITE_IOERR_SHMMAP : PASS(xShmMap, page, size, extend, memory);
}

static int faulty_memory_lock(sqlite3_file *file, int offset, int count, int flags) {
    return fails(DATABASE_MEMORY) ? SQLITE_IOERR_SHMLOCK : PASS(xShmLock, offset, count, flags);
}

static void faulty_barrier(sqlite3_file *file) { PASS(xShmBarrier); }

static int faulty_unmap(sqlite3_file *file, int removes) { return PASS(xShmUnmap, removes); }

// Version 2: without memory-mapped pages, whose faults no file system could report.
static const sqlite3_io_methods faulty_methods = {
    .iVersion = 2,
    .xClose = faulty_close,
    .xRead = faulty_read,
    .xWrite = faulty_write,
    .xTruncate = faulty_truncate,
    .xSync = faulty_sync,
    .xFileSize = faulty_size,
    .xLock = faulty_lock,
    .xUnlock = faulty_unlock,
    .xCheckReservedLock = faulty_check_lock,
    .xFileControl = faulty_control,
    .xSectorSize = faulty_sector,
    .xDeviceCharacteristics = faulty_device,
    .xShmMap = faulty_map,
    .xShmLock = faulty_memory_lock,
    .xShmBarrier = faulty_barrier,
    .xShmUnmap = faulty_unmap,
};

static sqlite3_vfs *real_system;
static sqlite3_vfs faulty_system;

static int faulty_open(
    sqlite3_vfs *system, sqlite3_filename path, sqlite3_file *file, int flags, int *given
) {
    FaultyFile *faulty = (FaultyFile *)file;
    memset(faulty, 0, sizeof *faulty);
    if (fails(DATABASE_OPEN)) return SQLITE_CANTOPEN;
    faulty->real = (sqlite3_file *)(faulty + 1);
    int code = real_system->xOpen(real_system, path, faulty->real, flags, given);
    if (code == SQLITE_OK) file->pMethods = &faulty_methods;
    return code;
}

static int faulty_delete(sqlite3_vfs *system, const char *path, int syncs) {
    if (fails(DATABASE_DELETE)) return SQLITE_IOERR_DELETE;
    // The file is gone already when its folder cannot be brought to disk.
    int code = real_system->xDelete(real_system, path, syncs);
    return code == SQLITE_OK && syncs && fails(DATABASE_SYNC) ? SQLITE_IOERR_DIR_FSYNC : code;
}

static int registration;

static void register_system(void) {
    real_system = sqlite3_vfs_find(NULL);
    faulty_system = *real_system;
    faulty_system.zName = "faulty";
    faulty_system.pNext = NULL;
    faulty_system.szOsFile = (int)sizeof(FaultyFile) + real_system->szOsFile;
    faulty_system.xOpen = faulty_open;
    faulty_system.xDelete = faulty_delete;
    registration = sqlite3_vfs_register(&faulty_system, 1);
}

int database_faults_register(void) {
    // Tests that begin at the same time would otherwise find the faulty one as that behind it.
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, register_system);
    return registration;
}
