import { byStrategy, type CodeFeatures, indented, lines, spaced } from "../code-layout.ts";
import type { DatabaseSync } from "./database-sync.ts";
import type { DatabaseDialect } from "./dialects/dialect.ts";
import { hasWindows } from "./row-code.ts";

/** Python: `prepare()`. Tables are created before the transaction begins, because some databases commit at `CREATE`. */
export function prepareCode(
  { ownColumns, storedName, tableOptions }: DatabaseDialect,
  features: CodeFeatures,
): string {
  const appends = features.strategies.includes("append");
  const columns = (text: string) =>
    text
      .split("\n")
      .map((line) => `        ${line}`)
      .join("\n");
  const create = (name: string, text: string) =>
    `    create(cursor, ${name}, """\n${columns(text)}\n    """)`;
  return lines(
    `
def prepare(connection, table, columns):
    """Creates missing tables and columns. Returns the target's columns with their types, in the order of the source."""
    cursor = connection.cursor()
    marks = beside(table, "${storedName.name("lakehelm_marks")}")`,
    appends ? `    sent = beside(table, "${storedName.name("lakehelm_sent")}")` : "",
    create("marks", ownColumns.marks),
    create('beside(table, table["rejects"])', ownColumns.rejects),
    appends ? create("sent", ownColumns.sent) : "",
    `
    there = columns_of(cursor, table)
    if not there:
        # A new table is filled from the beginning.
        cursor.execute(f"DELETE FROM {marks} {MINE}", mine(table))`,
    appends ? `        cursor.execute(f"DELETE FROM {sent} {MINE}", mine(table))` : "",
    `
        keys = [name for name, _ in columns if name.lower() in table["keys"]]
        parts = [f"{quoted(${storedName.python})} {type_there(spark_type, name in keys)}" for name, spark_type in columns]
        if keys:
            parts.append(f"PRIMARY KEY ({', '.join(quoted(${storedName.python}) for name in keys)})")
        cursor.execute(f"CREATE TABLE {target(table)} ({', '.join(parts)})${tableOptions}")
        there = columns_of(cursor, table)
    spelling = {name.lower(): name for name in there}
    names = []
    for name, spark_type in columns:
        found = name if name in there else spelling.get(name.lower())
        if found is None:
            found = ${storedName.python}
            cursor.execute(f"ALTER TABLE {target(table)} ADD {quoted(found)} {type_there(spark_type, False)}")
        elif not fits(spark_type, there[found]):
            raise ValueError(f"Column {name} is {spark_type} in the lakehouse, but {there[found]} in the target.")
        names.append(found)
    insert_once(cursor, marks, "target_table", (*mine(table), None))
    connection.commit()
    there = columns_of(cursor, table)
    return {name: there[name] for name in names}`,
  );
}

/** Python: the staging table, `apply()` and `write()`. */
export function writeCode(dialect: DatabaseDialect, features: CodeFeatures): string {
  const { savepoint } = dialect;
  const appends = features.strategies.includes("append");
  const args = `cursor, table, columns, keys${appends ? ", bound" : ""}`;
  const codes = { upsert: dialect.upsert, append: dialect.append, replace: dialect.insert };
  return spaced(
    dialect.staging(appends),
    lines(
      `
def apply(${args}, rows):
    """Writes a batch, and returns how many rows of the target changed."""
    fill(cursor, table, columns, [row[${appends ? 1 : 2}:] for row in rows])
    names = ", ".join(map(quoted, columns))`,
      indented(byStrategy(features, codes)),
    ),
    lines(
      `
def write(${args}, rows, refusals):
    """Writes the rows that the target accepts. Refused rows are found by halving the batch."""
    if not rows:
        return 0`,
      savepoint ? `    cursor.execute("${savepoint.set}")` : "",
      `
    try:
        written = apply(${args}, rows)`,
      savepoint?.release ? `        cursor.execute("${savepoint.release}")` : "",
      `
        return written
    except Exception as error:
        reason = refusal(error)
        if reason is None:
            raise`,
      savepoint ? `    cursor.execute("${savepoint.undo}")` : "",
      `
    if len(rows) == 1:
        refusals.append((rows[0], reason))
        return 0
    half = len(rows) // 2
    parts = (rows[:half], rows[half:])
    return sum(write(${args}, part, refusals) for part in parts)`,
    ),
  );
}

/** Python: rows that the target refused earlier, and the keys of the source for a full refresh. */
export function runCode(dialect: DatabaseDialect, features: CodeFeatures): string {
  const { value, savepoint } = dialect;
  const upserts = features.strategies.includes("upsert");
  const retries = features.watermark !== "none" && features.strategies.some((one) => one !== "replace");
  return spaced(
    retries
      ? lines(
          `
def refused_before(cursor, table, names, columns):
    """The ${upserts ? "keys" : "hashes"} of the rows that the target has refused."""
    rejects = beside(table, table["rejects"])
    cursor.execute(f"SELECT row_key, content FROM {rejects} WHERE connector = ${value}", (CONNECTOR,))`,
          indented(
            byStrategy(features, {
              upsert: `
there = [list(names)[position(columns, key)] for key in table["keys"]]
found = {tuple(json.loads(content).get(name) for name in there) for _, content in cursor.fetchall()}`,
              append: "found = {(row_key,) for row_key, _ in cursor.fetchall()}",
              replace: "found = set()  # every run sends all rows",
            }),
          ),
          `
    width = len(table["keys"]) or 1
    return spark.createDataFrame(list(found), ", ".join(f"refused_{at} string" for at in range(width)))`,
        )
      : "",
    upserts ? dialect.keys : "",
    upserts
      ? lines(
          `
def add_all_keys(cursor, table, keys, rows):
    """Keeps the keys of the source. One that does not fit the target is not there either."""
    if not rows:
        return`,
          savepoint ? `    cursor.execute("${savepoint.set}")` : "",
          `
    try:
        add_keys(cursor, table, keys, rows)`,
          savepoint?.release ? `        cursor.execute("${savepoint.release}")` : "",
          `
        return
    except Exception as error:
        if refusal(error) is None:
            raise`,
          savepoint ? `    cursor.execute("${savepoint.undo}")` : "",
          `
    if len(rows) > 1:
        half = len(rows) // 2
        add_all_keys(cursor, table, keys, rows[:half])
        add_all_keys(cursor, table, keys, rows[half:])`,
        )
      : "",
  );
}

/** Python: `sync()`. */
export function syncCode({ dialect, maxRejectShare }: DatabaseSync, features: CodeFeatures): string {
  const { value, now, storedName } = dialect;
  const { strategies } = features;
  const appends = strategies.includes("append");
  const upserts = strategies.includes("upsert");
  const hasWatermark = features.watermark !== "none";
  const args = `cursor, table, names, keys${appends ? ", bound" : ""}`;
  const first = appends ? 3 : 2;
  const sent = `beside(table, "${storedName.name("lakehelm_sent")}")`;
  return lines(
    `
def sync(connection, table):`,
    hasWindows(features)
      ? `
    if WINDOW and not (table["watermark"]${strategies.length > 1 ? ' and table["strategy"] == "upsert"' : ""}):
        raise ValueError("it has no windows: they need keys and a watermark")`
      : "",
    `
    source, columns = source_of(table)
    names = prepare(connection, table, columns)
    keys = [quoted(there) for there, (name, _) in zip(names, columns) if name.lower() in table["keys"]]
    marks, rejects = beside(table, "${storedName.name("lakehelm_marks")}"), beside(table, table["rejects"])
    cursor = connection.cursor()
    stage(cursor, table, names)`,
    upserts
      ? `
    key_types = {name: kind for name, kind in names.items() if quoted(name) in keys}
    key_places = [${first} + list(names).index(name) for name in key_types]
    if FULL_REFRESH and keys:
        stage_keys(cursor, table, key_types)`
      : "",
    `
    # This update locks the row: another run of this connector waits here until this one has ended.
    cursor.execute(f"UPDATE {marks} SET updated_at = ${now} {MINE}", mine(table))
    cursor.execute(f"SELECT mark FROM {marks} {MINE}", mine(table))
    mark = cursor.fetchone()[0]
    refused = None
    if RETRY_REJECTS:  # those that the target refuses again are kept again`,
    hasWatermark && (appends || upserts)
      ? "        refused = refused_before(cursor, table, names, columns)"
      : "",
    `
        cursor.execute(f"DELETE FROM {rejects} WHERE connector = ${value}", (CONNECTOR,))
    since = None if RESET_WATERMARK or FULL_REFRESH else mark
    rows, bound${upserts ? ", superseded" : ""} = pending(table, source, columns, since, refused)`,
    indented(byStrategy(features, { replace: 'cursor.execute(f"DELETE FROM {target(table)}")' })),
    appends || upserts
      ? lines(
          `
    if FULL_REFRESH:
        cursor.execute(f"SELECT COUNT(*) FROM {target(table)}")
        before = cursor.fetchone()[0]`,
          indented(
            byStrategy(features, {
              append: `
sent = ${sent}
cursor.execute(f"DELETE FROM {target(table)}")
cursor.execute(f"DELETE FROM {sent} {MINE}", mine(table))`,
            }),
            8,
          ),
        )
      : "",
    `
    read = written = rejected = 0
    iterator = rows.toLocalIterator()
    while batch := list(itertools.islice(iterator, BATCH_SIZE)):
        refusals = [(row, row["reason"]) for row in batch if row["reason"]]
        sound = [row for row in batch if not row["reason"]]
        written += write(${args}, sound, refusals)`,
    upserts
      ? `
        if FULL_REFRESH and keys:
            add_all_keys(cursor, table, key_types, [tuple(row[at] for at in key_places) for row in batch])`
      : "",
    `
        for row, reason in refusals:
            content = json.dumps(dict(zip(names, row[${first}:])), default=bytes.hex)
            insert_once(cursor, rejects, "row_key", (CONNECTOR, row["row_key"], content, reason))
        read, rejected = read + len(batch), rejected + len(refusals)`,
    maxRejectShare === null
      ? `
    # A few refused rows do not stop the others. Many indicate another problem: then nothing is written.
    if rejected > max(10, 0.1 * read):`
      : `    if rejected > ${maxRejectShare} * read:`,
    `        raise ValueError(f"{rejected} of {read} rows were refused. The last reason: {reason}")`,
    appends || upserts ? refreshCode(features) : "",
    appends && hasWatermark
      ? `
    # The next run reads only rows from the new watermark on.
    sent = ${sent}
    cursor.execute(f"DELETE FROM {sent} {MINE} AND mark <> ${value}", (*mine(table), bound))`
      : "",
    `
    cursor.execute(f"UPDATE {marks} SET mark = ${value}, updated_at = ${now} {MINE}", (bound, *mine(table)))
    connection.commit()
    report = f"{read} read, {written} written, {rejected} rejected${upserts ? "{superseded_words(superseded)}" : ""}"
    print(f"{table['target']}: {report}, mark {mark} -> {bound}")`,
  );
}

/** Code of a full refresh. It must not empty the target if the source has lost most of its rows. */
const refreshCode = (features: CodeFeatures) =>
  lines(
    "    if FULL_REFRESH:",
    indented(
      byStrategy(features, {
        upsert: "gone = delete_others(cursor, table, key_types)",
        append: "gone = max(0, before - written)",
        replace: "gone = 0",
      }),
      8,
    ),
    `
        if gone * 2 > before:
            raise ValueError(f"it would delete {gone} of {before} rows, more than half. Nothing was written")`,
  );
