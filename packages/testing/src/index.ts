/** Real databases for tests. */
export { openMysql, startMysql, type TestMysql } from "./mysql.ts";
export {
  createDatabase,
  databaseUrl,
  emptyDatabase,
  query,
  startPostgres,
  type TestDatabase,
  type TestPostgres,
} from "./postgres.ts";
