import { type DatabaseDialect, unchangedNames } from "./dialect.ts";

/** Updates match rows by their keys: `ON DUPLICATE KEY` would match by any unique index. */
export const mysql: DatabaseDialect = {
  title: "MySQL",
  packages: ["PyMySQL==1.2.4"],
  imports: ["import pymysql"],
  settings: ({ host, port = 3306, database, user, password, options }) => ({
    host,
    port,
    database,
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    charset: "utf8mb4",
    // Without strict mode MySQL would truncate values instead of refusing them.
    init_command: "SET time_zone = '+00:00', sql_mode = 'TRADITIONAL'",
    ...options,
  }),
  schema: null,
  storedName: unchangedNames,
  longestName: { most: 64, unit: "characters" },
  connecting: `
def connect():
    return pymysql.connect(**TARGET)


def quoted(*names):
    return ".".join("\`" + name.replace("\`", "\`\`") + "\`" for name in names)


# NULL in a NOT NULL column, a duplicate key, a missing parent; values out of range, of another type, too long or
# not JSON; a failed check or trigger.
REFUSALS = {1048, 1062, 1452, 1264, 1265, 1292, 1366, 1367, 1406, 1411, 1690, 3140, 3819, 4025, 1644}


def refusal(error):
    """The reason why the target refuses a row; None if the row is not the cause."""
    is_refusal = isinstance(error, pymysql.MySQLError) and error.args[0] in REFUSALS
    return error.args[1] if is_refusal else None`,
  types: `
INTEGERS = ("bigint", "int", "mediumint", "smallint", "tinyint", "decimal")
# For each Spark type: the type of a new column in the target, then the others that hold it exactly.
TYPES = {
    "boolean": ("tinyint",),
    "tinyint": ("tinyint", *INTEGERS),
    "smallint": ("smallint", *INTEGERS),
    "int": ("int", *INTEGERS),
    "bigint": INTEGERS,
    "decimal": ("decimal",),
    "float": ("float", "double"),
    "double": ("double",),
    "date": ("date",),
    "timestamp": ("datetime", "timestamp"),
    "timestamp_ntz": ("datetime",),
    "binary": ("longblob", "mediumblob", "blob", "tinyblob", "varbinary"),
    "array": ("json",),
    "map": ("json",),
    "struct": ("json",),
    "variant": ("json",),
}
TEXT = ("longtext", "mediumtext", "text", "tinytext", "varchar", "char")


def type_there(spark_type, is_key):
    """Keys need a size: rows with longer keys are refused. Times keep their microseconds."""
    best = types_for(spark_type)[0]
    sizes = {"longtext": "varchar(255)", "longblob": "varbinary(255)"} if is_key else {}
    return sizes.get(best, "datetime(6)" if best == "datetime" else best + digits_of(spark_type))


def columns_of(cursor, table):
    """The target's columns with their types; empty if the table does not exist."""
    cursor.execute(
        "SELECT column_name, IF(data_type = 'decimal', column_type, data_type) FROM information_schema.columns"
        " WHERE table_schema = %s AND table_name = %s ORDER BY ordinal_position",
        (table["schema"], table["target"]),
    )
    return dict(cursor.fetchall())`,
  texts: { binary: "column", boolean: 'column.cast("int").cast("string")' },
  value: "%s",
  now: "now(6)",
  ownColumns: {
    marks: `connector varchar(100), target_table varchar(64), mark text, updated_at datetime(6),
PRIMARY KEY (connector, target_table)`,
    rejects: `connector varchar(100), row_key varchar(80), content longtext, reason text, rejected_at datetime(6),
PRIMARY KEY (connector, row_key)`,
    sent: `connector varchar(100), target_table varchar(64), row_key varchar(80), mark text,
PRIMARY KEY (connector, target_table, row_key)`,
  },
  creating: `
# Case and accents are significant.
COLLATION = "CHARACTER SET utf8mb4 COLLATE utf8mb4_bin"


def create(cursor, name, columns):
    cursor.execute(f"CREATE TABLE IF NOT EXISTS {name} ({columns}) {COLLATION}")


def insert_once(cursor, name, key, values):
    """Inserts a row with the current time, unless there is one with the same first two values."""
    places = ", ".join(["%s"] * len(values))
    cursor.execute(f"INSERT INTO {name} VALUES ({places}, now(6)) ON DUPLICATE KEY UPDATE {key} = {key}", values)`,
  tableOptions: " {COLLATION}",
  staging: (appends) => `
def stage(cursor, table, columns):
    """Creates a temporary table with the target's types: it refuses what the target would refuse."""
    names = ", ".join(map(quoted, columns))
    cursor.execute(
        "CREATE TEMPORARY TABLE lakehelm_stage"${
          appends
            ? `
        " (lakehelm_row varchar(80) COLLATE utf8mb4_bin, lakehelm_mark text COLLATE utf8mb4_bin)"`
            : ""
        }
        f" AS SELECT {names} FROM {target(table)} LIMIT 0"
    )


def fill(cursor, table, columns, rows):
    cursor.execute("DELETE FROM lakehelm_stage")
    places = ", ".join(["%s"] * len(rows[0]))
    cursor.executemany(f"INSERT INTO lakehelm_stage VALUES ({places})", rows)`,
  upsert: `
same = " AND ".join(f"there.{key} = here.{key}" for key in keys)
changes = ", ".join(f"there.{name} = here.{name}" for name in map(quoted, columns) if name not in keys)
changed = 0
if changes:  # MySQL does not count rows that would not change
    changed = cursor.execute(
        f"UPDATE {target(table)} AS there JOIN lakehelm_stage AS here ON {same} SET {changes}"
    )
return changed + cursor.execute(
    f"INSERT INTO {target(table)} ({names}) SELECT {names} FROM lakehelm_stage AS here"
    f" WHERE NOT EXISTS (SELECT 1 FROM {target(table)} AS there WHERE {same})"
)`,
  keys: `
def stage_keys(cursor, table, keys):
    """Creates a temporary table for the keys of the source."""
    names = ", ".join(map(quoted, keys))
    cursor.execute(f"CREATE TEMPORARY TABLE lakehelm_keys AS SELECT {names} FROM {target(table)} LIMIT 0")


def add_keys(cursor, table, keys, rows):
    cursor.executemany(f"INSERT INTO lakehelm_keys VALUES ({', '.join(['%s'] * len(keys))})", rows)


def delete_others(cursor, table, keys):
    """Deletes the rows that the source no longer has."""
    same = " AND ".join(f"there.{key} = here.{key}" for key in map(quoted, keys))
    return cursor.execute(
        f"DELETE there FROM {target(table)} AS there"
        f" WHERE NOT EXISTS (SELECT 1 FROM lakehelm_keys AS here WHERE {same})"
    )`,
  insert:
    'return cursor.execute(f"INSERT INTO {target(table)} ({names}) SELECT {names} FROM lakehelm_stage")',
  append: `
sent = beside(table, "lakehelm_sent")
cursor.execute(
    f"DELETE here FROM lakehelm_stage AS here JOIN {sent} AS sent"
    " ON sent.connector = %s AND sent.target_table = %s AND sent.row_key = here.lakehelm_row",
    mine(table),
)
written = cursor.execute(f"INSERT INTO {target(table)} ({names}) SELECT {names} FROM lakehelm_stage")
# Only rows that the next run reads again are recorded.
cursor.execute(
    f"INSERT INTO {sent} SELECT %s, %s, lakehelm_row, lakehelm_mark FROM lakehelm_stage"
    " WHERE lakehelm_mark IS NULL OR lakehelm_mark = %s",
    (*mine(table), bound),
)
return written`,
  savepoint: {
    set: "SAVEPOINT lakehelm_batch",
    undo: "ROLLBACK TO SAVEPOINT lakehelm_batch",
    release: "RELEASE SAVEPOINT lakehelm_batch",
  },
};
