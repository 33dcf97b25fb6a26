import { type DatabaseDialect, unchangedNames } from "./dialect.ts";

/**
 * A conversion error would end the whole transaction, so conversions are tried first. Rows are sent as one JSON text in
 * ASCII, so the encodings of driver and server do not matter.
 */
export const sqlserver: DatabaseDialect = {
  title: "SQL Server",
  packages: ["pymssql==2.4.6"],
  imports: ["import pymssql"],
  settings: ({ host, port = 1433, database, user, password, options }) => ({
    server: host,
    port: String(port),
    database,
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    ...options,
  }),
  schema: "dbo",
  storedName: unchangedNames,
  longestName: { most: 128, unit: "characters" },
  connecting: `
def connect():
    return pymssql.connect(**TARGET)


def quoted(*names):
    return ".".join("[" + name.replace("]", "]]") + "]" for name in names)


class Unfit(Exception):
    """A value cannot be converted to the type of its column."""


# NULL in a NOT NULL column, a failed constraint, a duplicate key; values that are too long or too large.
REFUSALS = {515, 547, 2601, 2627, 2628, 8152, 220, 8115}


def refusal(error):
    """The reason why the target refuses a row; None if the row is not the cause."""
    if isinstance(error, Unfit):
        return str(error)
    if not isinstance(error, pymssql.Error) or error.args[0] not in REFUSALS:
        return None
    text = error.args[1]
    return text.decode() if isinstance(text, bytes) else str(text)`,
  types: `
INTEGERS = ("bigint", "int", "smallint", "decimal", "numeric")
# For each Spark type: the type of a new column in the target, then the others that hold it exactly.
TYPES = {
    "boolean": ("bit",),
    "tinyint": ("smallint", *INTEGERS),
    "smallint": ("smallint", *INTEGERS),
    "int": ("int", *INTEGERS),
    "bigint": INTEGERS,
    "decimal": ("decimal", "numeric"),
    "float": ("real", "float"),
    "double": ("float",),
    "date": ("date",),
    "timestamp": ("datetimeoffset", "datetime2"),
    "timestamp_ntz": ("datetime2",),
    "binary": ("varbinary",),
}
TEXT = ("nvarchar", "nchar", "varchar", "char")


def type_there(spark_type, is_key):
    """Keys need a size: rows with longer keys are refused."""
    best = types_for(spark_type)[0]
    sizes = {"nvarchar": "(400)" if is_key else "(max)", "varbinary": "(800)" if is_key else "(max)"}
    return best + sizes.get(best, digits_of(spark_type))


def columns_of(cursor, table):
    """The target's columns with their types; empty if the table does not exist."""
    cursor.execute(
        "SELECT column_name, CASE WHEN data_type IN ('decimal', 'numeric')"
        " THEN CONCAT(data_type, '(', numeric_precision, ',', numeric_scale, ')') ELSE data_type END"
        " FROM information_schema.columns WHERE table_schema = %s AND table_name = %s ORDER BY ordinal_position",
        (table["schema"], table["target"]),
    )
    return dict(cursor.fetchall())`,
  texts: { binary: "F.hex(column)" },
  value: "%s",
  now: "SYSUTCDATETIME()",
  ownColumns: {
    marks: `connector nvarchar(100), target_table nvarchar(128), mark nvarchar(max), updated_at datetime2,
PRIMARY KEY (connector, target_table)`,
    rejects: `connector nvarchar(100), row_key varchar(80), content nvarchar(max), reason nvarchar(max),
rejected_at datetime2, PRIMARY KEY (connector, row_key)`,
    sent: `connector nvarchar(100), target_table nvarchar(128), row_key varchar(80), mark nvarchar(max),
PRIMARY KEY (connector, target_table, row_key)`,
  },
  creating: `
def create(cursor, name, columns):
    cursor.execute("SELECT OBJECT_ID(%s)", (name,))
    if cursor.fetchone()[0] is None:
        cursor.execute(f"CREATE TABLE {name} ({columns})")


def insert_once(cursor, name, key, values):
    """Inserts a row with the current time, unless there is one with the same first two values."""
    places = ", ".join(["%s"] * len(values))
    cursor.execute(
        f"INSERT INTO {name} SELECT {places}, SYSUTCDATETIME()"
        f" WHERE NOT EXISTS (SELECT 1 FROM {name} WHERE connector = %s AND {key} = %s)",
        (*values, *values[:2]),
    )`,
  tableOptions: "",
  staging: (appends) => `
def converted(at, kind):
    """The text of column number \`at\` as a value of this type, NULL if it cannot be converted."""
    if kind in TEXT:
        return f"t{at}"
    return f"TRY_CONVERT(varbinary(max), t{at}, 2)" if kind == "varbinary" else f"TRY_CONVERT({kind}, t{at})"


def unfit(at, kind):
    """Whether the text cannot be converted, or has characters outside of the column's code page."""
    if kind in ("varchar", "char"):
        return f"t{at} <> CONVERT(varchar(max), t{at}) COLLATE Latin1_General_BIN2"
    return f"t{at} IS NOT NULL AND {converted(at, kind)} IS NULL"


def stage(cursor, table, columns):
    """Creates two temporary tables: one with the rows as text, one with the target's types."""
${appends ? '    texts = ["lakehelm_row varchar(80)", "lakehelm_mark nvarchar(max)"]\n    texts += ' : "    texts = "}[f"t{at} nvarchar(max)" for at in range(len(columns))]
    cursor.execute(f"CREATE TABLE #lakehelm_text ({', '.join(texts)})")
    empty = (
${
  appends
    ? `        "SELECT TOP 0 CAST(NULL AS varchar(80)) AS lakehelm_row, CAST(NULL AS nvarchar(max)) AS lakehelm_mark,"
        f" {', '.join(map(quoted, columns))} FROM {target(table)}"`
    : `        f"SELECT TOP 0 {', '.join(map(quoted, columns))} FROM {target(table)}"`
}
    )
    # The UNION keeps an IDENTITY of the target out of the copy.
    cursor.execute(f"SELECT * INTO #lakehelm_stage FROM ({empty} UNION ALL {empty}) AS target_columns")


def fill(cursor, table, columns, rows):
    kinds = list(enumerate(columns.values()))
    cursor.execute("TRUNCATE TABLE #lakehelm_text; TRUNCATE TABLE #lakehelm_stage")
${
  appends
    ? `    parts = ["lakehelm_row varchar(80) '$[0]'", "lakehelm_mark nvarchar(max) '$[1]'"]
    parts += [f"t{at} nvarchar(max) '$[{at + 2}]'" for at, _ in kinds]`
    : `    parts = [f"t{at} nvarchar(max) '$[{at}]'" for at, _ in kinds]`
}
    cursor.execute(
        f"INSERT INTO #lakehelm_text SELECT * FROM OPENJSON(%s) WITH ({', '.join(parts)})", (json.dumps(rows),)
    )
    counts = ", ".join(f"SUM(CASE WHEN {unfit(at, kind)} THEN 1 ELSE 0 END)" for at, kind in kinds)
    cursor.execute(f"SELECT {counts} FROM #lakehelm_text")
    wrong = [f"{name} ({kind})" for (name, kind), count in zip(columns.items(), cursor.fetchone()) if count]
    if wrong:
        raise Unfit(f"A value does not fit its column: {', '.join(wrong)}.")
    values = [${appends ? '"lakehelm_row", "lakehelm_mark", ' : ""}*(converted(at, kind) for at, kind in kinds)]
    cursor.execute(f"INSERT INTO #lakehelm_stage SELECT {', '.join(values)} FROM #lakehelm_text")`,
  upsert: `
def exactly(alias, name, kind):
    """Compares text byte by byte: the database may ignore case and trailing blanks."""
    return f"CAST({alias}.{quoted(name)} AS varbinary(max))" if kind in TEXT else f"{alias}.{quoted(name)}"

same = " AND ".join(f"there.{key} = here.{key}" for key in keys)
others = {name: kind for name, kind in columns.items() if quoted(name) not in keys}
changed = 0
if others:
    changes = ", ".join(f"there.{name} = here.{name}" for name in map(quoted, others))
    new, old = (", ".join(exactly(alias, *item) for item in others.items()) for alias in ("here", "there"))
    cursor.execute(
        f"UPDATE there SET {changes} FROM {target(table)} AS there JOIN #lakehelm_stage AS here ON {same}"
        f" WHERE EXISTS (SELECT {new} EXCEPT SELECT {old})"
    )
    changed = cursor.rowcount
cursor.execute(
    f"INSERT INTO {target(table)} ({names}) SELECT {names} FROM #lakehelm_stage AS here"
    f" WHERE NOT EXISTS (SELECT 1 FROM {target(table)} AS there WHERE {same})"
)
return changed + cursor.rowcount`,
  keys: `
def stage_keys(cursor, table, keys):
    """Creates a temporary table for the keys of the source, as text."""
    texts = ", ".join(f"t{at} nvarchar(max)" for at in range(len(keys)))
    cursor.execute(f"CREATE TABLE #lakehelm_keys ({texts})")


def add_keys(cursor, table, keys, rows):
    parts = ", ".join(f"t{at} nvarchar(max) '$[{at}]'" for at in range(len(keys)))
    cursor.execute(f"INSERT INTO #lakehelm_keys SELECT * FROM OPENJSON(%s) WITH ({parts})", (json.dumps(rows),))


def delete_others(cursor, table, keys):
    """Deletes the rows that the source no longer has."""
    pairs = enumerate(keys.items())
    same = " AND ".join(f"there.{quoted(name)} = {converted(at, kind)}" for at, (name, kind) in pairs)
    cursor.execute(
        f"DELETE there FROM {target(table)} AS there"
        f" WHERE NOT EXISTS (SELECT 1 FROM #lakehelm_keys WHERE {same})"
    )
    return cursor.rowcount`,
  insert: `
cursor.execute(f"INSERT INTO {target(table)} ({names}) SELECT {names} FROM #lakehelm_stage")
return cursor.rowcount`,
  append: `
sent = beside(table, "lakehelm_sent")
cursor.execute(
    f"DELETE here FROM #lakehelm_stage AS here JOIN {sent} AS sent"
    " ON sent.connector = %s AND sent.target_table = %s AND sent.row_key = here.lakehelm_row",
    mine(table),
)
cursor.execute(f"INSERT INTO {target(table)} ({names}) SELECT {names} FROM #lakehelm_stage")
written = cursor.rowcount
# Only rows that the next run reads again are recorded.
cursor.execute(
    f"INSERT INTO {sent} SELECT %s, %s, lakehelm_row, lakehelm_mark FROM #lakehelm_stage"
    " WHERE lakehelm_mark IS NULL OR lakehelm_mark = %s",
    (*mine(table), bound),
)
return written`,
  savepoint: {
    set: "SAVE TRANSACTION lakehelm_batch",
    undo: "ROLLBACK TRANSACTION lakehelm_batch",
    release: null,
  },
};
