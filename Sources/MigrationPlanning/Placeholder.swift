// The plan of a migration.
