import { type DatabaseDialect, unchangedNames } from "./dialect.ts";

/** The staging table is filled with `COPY`, which is fastest and sends every value as text. */
export const postgresql: DatabaseDialect = {
  title: "PostgreSQL",
  packages: ["psycopg[binary]==3.3.8"],
  imports: ["import psycopg"],
  settings: ({ host, port = 5432, database, user, password, options }) => ({
    host,
    port,
    dbname: database,
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    ...options,
  }),
  schema: "public",
  storedName: unchangedNames,
  // PostgreSQL truncates longer names without an error.
  longestName: { most: 63, unit: "bytes" },
  connecting: `
def connect():
    connection = psycopg.connect(**TARGET)
    connection.execute("SET TIME ZONE 'UTC'")
    return connection


def quoted(*names):
    return ".".join('"' + name.replace('"', '""') + '"' for name in names)


def refusal(error):
    """The reason why the target refuses a row; None if the row is not the cause."""
    faults = psycopg.errors
    of_the_row = (faults.DataError, faults.IntegrityError, faults.RaiseException, faults.ProgramLimitExceeded)
    return str(error).strip() if isinstance(error, of_the_row) else None`,
  types: `
INTEGERS = ("bigint", "integer", "smallint", "numeric")
JSON = ("jsonb", "json")
# For each Spark type: the type of a new column in the target, then the others that hold it exactly.
TYPES = {
    "boolean": ("boolean",),
    "tinyint": ("smallint", *INTEGERS),
    "smallint": ("smallint", *INTEGERS),
    "int": ("integer", *INTEGERS),
    "bigint": INTEGERS,
    "decimal": ("numeric",),
    "float": ("real", "double precision", "numeric"),
    "double": ("double precision", "numeric"),
    "date": ("date",),
    "timestamp": ("timestamp with time zone", "timestamp without time zone"),
    "timestamp_ntz": ("timestamp without time zone", "timestamp with time zone"),
    "binary": ("bytea",),
    "array": JSON,
    "map": JSON,
    "struct": JSON,
    "variant": JSON,
}
TEXT = ("text", "character varying")


def type_there(spark_type, is_key):
    return types_for(spark_type)[0] + digits_of(spark_type)


def columns_of(cursor, table):
    """The target's columns with their types; empty if the table does not exist."""
    cursor.execute(
        "SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute"
        " WHERE attrelid = to_regclass(%s) AND attnum > 0 AND NOT attisdropped",
        (target(table),),
    )
    return dict(cursor.fetchall())`,
  texts: { binary: String.raw`F.concat(F.lit("\\x"), F.hex(column))` },
  value: "%s",
  now: "now()",
  ownColumns: {
    marks: `connector text, target_table text, mark text, updated_at timestamptz,
PRIMARY KEY (connector, target_table)`,
    rejects: `connector text, row_key text, content text, reason text, rejected_at timestamptz,
PRIMARY KEY (connector, row_key)`,
    sent: `connector text, target_table text, row_key text, mark text,
PRIMARY KEY (connector, target_table, row_key)`,
  },
  creating: `
def create(cursor, name, columns):
    cursor.execute(f"CREATE TABLE IF NOT EXISTS {name} ({columns})")


def insert_once(cursor, name, key, values):
    """Inserts a row with the current time, unless there is one with the same first two values."""
    places = ", ".join(["%s"] * len(values))
    cursor.execute(f"INSERT INTO {name} VALUES ({places}, now()) ON CONFLICT (connector, {key}) DO NOTHING", values)`,
  tableOptions: "",
  staging: (appends) => `
def stage(cursor, table, columns):
    """Creates a temporary table with the target's types: it refuses what the target would refuse."""
    cursor.execute(
        "CREATE TEMPORARY TABLE lakehelm_stage ON COMMIT DROP AS"
        f" SELECT ${appends ? "'' AS lakehelm_row, '' AS lakehelm_mark, " : ""}{', '.join(map(quoted, columns))}"
        f" FROM {target(table)} WITH NO DATA"
    )


def fill(cursor, table, columns, rows):
    cursor.execute("TRUNCATE lakehelm_stage")
    with cursor.copy("COPY lakehelm_stage FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)`,
  upsert: `
others = [name for name in map(quoted, columns) if name not in keys]
changes = ", ".join(f"{name} = excluded.{name}" for name in others)
before = ", ".join(f"before.{name}" for name in others)
after = ", ".join(f"excluded.{name}" for name in others)
# Compared as text, because some types cannot be compared. Equal rows are not updated.
update = f"UPDATE SET {changes} WHERE ROW({before})::text <> ROW({after})::text" if others else "NOTHING"
cursor.execute(
    f"INSERT INTO {target(table)} AS before ({names}) SELECT {names} FROM lakehelm_stage"
    f" ON CONFLICT ({', '.join(keys)}) DO {update}"
)
return cursor.rowcount`,
  keys: `
def stage_keys(cursor, table, keys):
    """Creates a temporary table for the keys of the source."""
    cursor.execute(
        "CREATE TEMPORARY TABLE lakehelm_keys ON COMMIT DROP AS"
        f" SELECT {', '.join(map(quoted, keys))} FROM {target(table)} WITH NO DATA"
    )


def add_keys(cursor, table, keys, rows):
    with cursor.copy("COPY lakehelm_keys FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)


def delete_others(cursor, table, keys):
    """Deletes the rows that the source no longer has."""
    same = " AND ".join(f"there.{key} = here.{key}" for key in map(quoted, keys))
    cursor.execute(
        f"DELETE FROM {target(table)} AS there WHERE NOT EXISTS (SELECT 1 FROM lakehelm_keys AS here WHERE {same})"
    )
    return cursor.rowcount`,
  insert: `
cursor.execute(f"INSERT INTO {target(table)} ({names}) SELECT {names} FROM lakehelm_stage")
return cursor.rowcount`,
  append: `
sent = beside(table, "lakehelm_sent")
cursor.execute(
    f"DELETE FROM lakehelm_stage USING {sent} AS sent"
    " WHERE sent.connector = %s AND sent.target_table = %s AND sent.row_key = lakehelm_row",
    mine(table),
)
cursor.execute(f"INSERT INTO {target(table)} ({names}) SELECT {names} FROM lakehelm_stage")
written = cursor.rowcount
# Only rows that the next run reads again are recorded.
cursor.execute(
    f"INSERT INTO {sent} SELECT %s, %s, lakehelm_row, lakehelm_mark FROM lakehelm_stage"
    " WHERE lakehelm_mark IS NULL OR lakehelm_mark = %s",
    (*mine(table), bound),
)
return written`,
  savepoint: {
    set: "SAVEPOINT lakehelm_batch",
    undo: "ROLLBACK TO SAVEPOINT lakehelm_batch; RELEASE SAVEPOINT lakehelm_batch",
    release: "RELEASE SAVEPOINT lakehelm_batch",
  },
};
