import type { DatabaseDialect } from "./dialect.ts";

/** Snowflake has no savepoints. None are needed, because a failed statement undoes itself. */
export const snowflake: DatabaseDialect = {
  title: "Snowflake",
  packages: ["snowflake-connector-python==5.2.0"],
  imports: ["import snowflake.connector"],
  settings: ({ host, port = 443, database, schema, user, password, options }) => ({
    account: host.replace(/\.snowflakecomputing\.(com|cn)$/i, ""),
    host,
    port,
    database,
    ...(schema !== undefined && { schema }),
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    autocommit: false,
    paramstyle: "qmark",
    session_parameters: { TIMEZONE: "UTC" },
    ...options,
  }),
  schema: "PUBLIC",
  storedName: {
    name: (name) => (/^[a-z_][a-z0-9_]*$/.test(name) ? name.toUpperCase() : name),
    python: "kept(name)",
  },
  longestName: { most: 255, unit: "characters" },
  connecting: `
def connect():
    return snowflake.connector.connect(**TARGET)


def quoted(*names):
    return ".".join('"' + name.replace('"', '""') + '"' for name in names)


def kept(name):
    """New names that need no quotes, if possible."""
    return name.upper() if re.fullmatch("[a-z_][a-z0-9_]*", name) else name


def refusal(error):
    """The reason why the target refuses a row; None if the row is not the cause."""
    if not isinstance(error, snowflake.connector.errors.DatabaseError):
        return None
    return error.msg if (error.sqlstate or "")[:2] in ("22", "23") else None`,
  types: `
JSON = ("VARIANT", "OBJECT", "ARRAY")
TIMES = ("TIMESTAMP_TZ", "TIMESTAMP_LTZ", "TIMESTAMP_NTZ")
# For each Spark type: the type of a new column in the target, then the others that hold it exactly.
TYPES = {
    "boolean": ("BOOLEAN",),
    "tinyint": ("NUMBER",),
    "smallint": ("NUMBER",),
    "int": ("NUMBER",),
    "bigint": ("NUMBER",),
    "decimal": ("NUMBER",),
    "float": ("FLOAT",),
    "double": ("FLOAT",),
    "date": ("DATE",),
    "timestamp": TIMES,
    "timestamp_ntz": ("TIMESTAMP_NTZ",),
    "binary": ("BINARY",),
    "array": JSON,
    "map": JSON,
    "struct": JSON,
    "variant": JSON,
}
TEXT = ("TEXT",)


def type_there(spark_type, is_key):
    return types_for(spark_type)[0] + digits_of(spark_type)


def columns_of(cursor, table):
    """The target's columns with their types; empty if the table does not exist."""
    cursor.execute(
        "SELECT column_name, IFF(data_type = 'NUMBER', 'NUMBER(' || numeric_precision || ',' || numeric_scale || ')',"
        " data_type) FROM information_schema.columns WHERE table_schema = ? AND table_name = ?"
        " ORDER BY ordinal_position",
        (table["schema"], table["target"]),
    )
    return dict(cursor.fetchall())`,
  texts: { binary: "F.hex(column)" },
  value: "?",
  now: "CURRENT_TIMESTAMP()",
  ownColumns: {
    marks: `connector text, target_table text, mark text, updated_at timestamp_tz,
PRIMARY KEY (connector, target_table)`,
    rejects: `connector text, row_key text, content text, reason text, rejected_at timestamp_tz,
PRIMARY KEY (connector, row_key)`,
    sent: `connector text, target_table text, row_key text, mark text,
PRIMARY KEY (connector, target_table, row_key)`,
  },
  creating: `
def create(cursor, name, columns):
    cursor.execute(f"CREATE TABLE IF NOT EXISTS {name} ({columns})")


def insert_once(cursor, name, key, values):
    """Inserts a row with the current time, unless there is one with the same first two values."""
    places = ", ".join(["?"] * len(values))
    cursor.execute(
        f"INSERT INTO {name} SELECT {places}, CURRENT_TIMESTAMP()"
        f" WHERE NOT EXISTS (SELECT 1 FROM {name} WHERE connector = ? AND {key} = ?)",
        (*values, *values[:2]),
    )`,
  tableOptions: "",
  staging: (appends) => `
def stage(cursor, table, columns):
    """Creates a temporary table for the rows as text."""
    texts = [${appends ? '"lakehelm_row text", "lakehelm_mark text", ' : ""}*(f"t{at} text" for at in range(len(columns)))]
    name = beside(table, "LAKEHELM_STAGE")
    cursor.execute(f"CREATE OR REPLACE TEMPORARY TABLE {name} ({', '.join(texts)})")


def converted(at, kind):
    """The text of column number \`at\` as a value of this type."""
    if kind in TEXT:
        return f"t{at}"
    if kind in JSON:
        return f"CAST(PARSE_JSON(t{at}) AS {kind})"
    return f"TO_BINARY(t{at}, 'HEX')" if kind == "BINARY" else f"CAST(t{at} AS {kind})"


def fill(cursor, table, columns, rows):
    name = beside(table, "LAKEHELM_STAGE")
    cursor.execute(f"DELETE FROM {name}")
    cursor.executemany(f"INSERT INTO {name} VALUES ({', '.join(['?'] * len(rows[0]))})", rows)


def staged(table, columns):
    """The staged rows with the target's names and types."""
    values = [f"{converted(at, kind)} AS {quoted(name)}" for at, (name, kind) in enumerate(columns.items())]
    return f"SELECT {', '.join(values)} FROM {beside(table, 'LAKEHELM_STAGE')}"`,
  upsert: `
others = [name for name in map(quoted, columns) if name not in keys]
same = " AND ".join(f"there.{key} = here.{key}" for key in keys)
differs = " OR ".join(f"there.{name} IS DISTINCT FROM here.{name}" for name in others)
changes = ", ".join(f"there.{name} = here.{name}" for name in others)
values = ", ".join(f"here.{name}" for name in map(quoted, columns))
update = f"WHEN MATCHED AND ({differs}) THEN UPDATE SET {changes}" if others else ""
cursor.execute(
    f"MERGE INTO {target(table)} AS there USING ({staged(table, columns)}) AS here ON {same} {update}"
    f" WHEN NOT MATCHED THEN INSERT ({names}) VALUES ({values})"
)
return cursor.rowcount`,
  keys: `
def stage_keys(cursor, table, keys):
    """Creates a temporary table for the keys of the source, as text."""
    texts = ", ".join(f"t{at} text" for at in range(len(keys)))
    cursor.execute(f"CREATE OR REPLACE TEMPORARY TABLE {beside(table, 'LAKEHELM_KEYS')} ({texts})")


def add_keys(cursor, table, keys, rows):
    places = ", ".join(["?"] * len(keys))
    cursor.executemany(f"INSERT INTO {beside(table, 'LAKEHELM_KEYS')} VALUES ({places})", rows)


def delete_others(cursor, table, keys):
    """Deletes the rows that the source no longer has."""
    names = ", ".join(map(quoted, keys))
    known = [f"TRY_CAST(t{at} AS {kind})" for at, kind in enumerate(keys.values())]
    present = " AND ".join(f"{value} IS NOT NULL" for value in known)
    cursor.execute(
        f"DELETE FROM {target(table)} WHERE ({names}) NOT IN"
        f" (SELECT {', '.join(known)} FROM {beside(table, 'LAKEHELM_KEYS')} WHERE {present})"
    )
    return cursor.rowcount`,
  insert: `
cursor.execute(f"INSERT INTO {target(table)} ({names}) SELECT {names} FROM ({staged(table, columns)})")
return cursor.rowcount`,
  append: `
sent, rows_here = beside(table, "LAKEHELM_SENT"), beside(table, "LAKEHELM_STAGE")
cursor.execute(
    f"DELETE FROM {rows_here} WHERE lakehelm_row IN (SELECT row_key FROM {sent} {MINE})", mine(table)
)
cursor.execute(f"INSERT INTO {target(table)} ({names}) SELECT {names} FROM ({staged(table, columns)})")
written = cursor.rowcount
# Only rows that the next run reads again are recorded.
cursor.execute(
    f"INSERT INTO {sent} SELECT ?, ?, lakehelm_row, lakehelm_mark FROM {rows_here}"
    " WHERE lakehelm_mark IS NULL OR lakehelm_mark = ?",
    (*mine(table), bound),
)
return written`,
  savepoint: null,
};
