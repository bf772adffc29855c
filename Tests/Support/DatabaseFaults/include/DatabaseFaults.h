// A virtual file system for SQLite that fails when it is told to, for tests.
#ifndef DATABASE_FAULTS_H
#define DATABASE_FAULTS_H

#include <stdint.h>

/// What SQLite asks a file system to do; one bit each.
enum DatabaseOperation {
    DATABASE_OPEN = 1,
    DATABASE_READ = 2,
    DATABASE_WRITE = 4,
    DATABASE_TRUNCATE = 8,
    DATABASE_SYNC = 16,
    DATABASE_DELETE = 32,
    DATABASE_LOCK = 64,
    DATABASE_MEMORY = 128,
};

/// Puts the file system "faulty" before the default one, once and for all; passes everything on unless told otherwise.
int database_faults_register(void);

/// Lets the n-th operation of some kinds on this thread fail, counted from 1; 0 only counts.
///
/// - sticky: whether those of these kinds after it fail too, as on a full disk.
void database_faults_arm(uint32_t operations, int64_t number, int sticky);

/// Ends that, and gives the number of operations of these kinds that were asked for.
int64_t database_faults_disarm(void);

#endif
