#include <sqlite3.h>

/// Makes a quoted name that does not exist an error rather than a string; Swift cannot call functions with a variable
/// number of arguments (sqlite.org/quirks.html#dblquote).
static inline void database_refuse_quoted_strings(sqlite3 *database) {
    sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DDL, 0, (int *)0);
    sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
}

/// Says whether a connection refuses to write its schema as text, as Apple's SQLite has it by default; when `value` is
/// 0 or 1, that is set first.
static inline int database_defensive(sqlite3 *database, int value) {
    int result = 0;
    sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, value, &result);
    return result;
}

/// Says whether closing the last connection leaves a write-ahead log as it is.
static inline void database_keep_log(sqlite3 *database, int value) {
    sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, value, (int *)0);
}

/// Lets SQLite count no memory in this process, which takes a lock for every piece of it; `SQLITE_MISUSE` when SQLite is
/// at work already.
static inline int database_count_no_memory(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
