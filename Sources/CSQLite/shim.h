#include <sqlite3.h>

/// Makes a quoted name that does not exist an error rather than a string; Swift cannot call functions with a variable
/// number of arguments (sqlite.org/quirks.html#dblquote).
static inline void database_refuse_quoted_strings(sqlite3 *database) {
    sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DDL, 0, (int *)0);
    sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
}
