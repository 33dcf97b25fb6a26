/** Real databases for tests. */

export { freePort } from "./free-port.ts";
export { openMysql, startMysql, type TestMysql } from "./mysql.ts";
export {
  createDatabase,
  databaseUrl,
  emptyDatabase,
  type PostgresDatabase as TestDatabase,
  query,
  startPostgres,
  type TestPostgres,
} from "./postgres.ts";
