import { sqlName } from "@lakehelm/sql/names";
import { chosenTablesCode, retryCode } from "../../connector/run-parameters.ts";
import { pythonConfig } from "../../connector/secret-references.ts";
import { nameCode } from "../../name-variables.ts";
import { notebook, opening, parameterFunction, secretFunction } from "../../notebook.ts";
import { pythonString, pythonValue } from "../../text/python.ts";
import {
  byStrategy,
  type CodeFeatures,
  featuresOf,
  ifWatermark,
  indented,
  lines,
  spaced,
} from "../code-layout.ts";
import { suppression, suppressionCode } from "../personal-data-code.ts";
import { modeCode, newRowsCode, sentRowsCode, sourceFunctions, upserts } from "../source-code.ts";
import type { SyncedTable } from "../synced-table.ts";
import type { HttpSync } from "./http-sync.ts";
import { postCode } from "./post-code.ts";
import { httpStatements, stateCode } from "./state-code.ts";

/** The notebook that sends tables to an HTTP endpoint, and its SQL statements. */
export function httpNotebook(sync: HttpSync): {
  readonly content: string;
  readonly statements: readonly string[];
} {
  const features = featuresOf(sync.tables);
  const statements = httpStatements(sync, features);
  const headers = pythonConfig(sync.headers);
  const secrets = /\bsecret\(/.test(headers);
  const imports = [
    ...[
      "argparse",
      "email.utils",
      ...(features.watermark === "none" ? [] : ["functools"]),
      "hashlib",
      "itertools",
      "json",
      "time",
      "traceback",
      "urllib.error",
      "urllib.request",
    ].map((name) => `import ${name}`),
    ...(secrets || features.leavesOut ? ["import os"] : []),
    ...(secrets ? ["import re"] : []),
    "from pyspark.sql import functions as F",
    "from pyspark.sql import Window",
  ];
  const constants = [
    `CONNECTOR = ${pythonString(sync.connector)}`,
    `STATE = ${pythonString(sqlName(sync.state))}`,
    `REJECTS = ${pythonString(sqlName(sync.rejects))}`,
    `BATCH_SIZE = ${sync.batchSize}`,
    `TABLES = ${tablesValue(sync.tables, features)}`,
  ].join("\n");
  const names = nameCode(
    [constants, ...Object.values(statements).map(pythonString)].join("\n"),
    sync.defaults,
    { hasParameters: true },
  );
  const session = opening(imports, ['spark.conf.set("spark.sql.session.timeZone", "UTC")']);
  const setUp = `${spaced(session, parameterFunction, names)}\n\n${modeCode}\n\n${thisRun}\n\n${constants}`;
  const endpoint = `URL = ${pythonString(sync.url)}\n# A dry run needs no secrets.\nHEADERS = {} if IS_DRY_RUN else ${headers}`;
  const content = notebook(
    [
      "Sends lakehouse tables to an HTTP endpoint, in batches. A batch whose response was lost is sent again, with the same",
      "Idempotency-Key if it has the same rows. So every row is delivered at least once, and exactly once if the endpoint",
      "honors that key.",
    ],
    [
      { title: "Set-up", code: setUp },
      { title: "Acknowledged rows", code: stateCode(sync, statements) },
      {
        title: "Rows to send",
        code: spaced(suppressionCode(features), sourceFunctions(features), pending(features)),
      },
      { title: "The endpoint", code: spaced(secrets ? secretFunction : "", endpoint, postCode) },
      { title: "One table", code: oneTable(sync, features) },
      { title: "All tables", code: allTables(features.watermark !== "none") },
    ],
  );
  return { content, statements: Object.values(statements) };
}

const thisRun = `# With retry_rejects a run also sends what the endpoint has refused before.\n${retryCode}`;

const tablesValue = (tables: readonly SyncedTable[], features: CodeFeatures) =>
  pythonValue(
    tables.map(({ name, source, target, strategy, keys, watermark, leftOut, suppressed }) => ({
      name,
      source: sqlName(source),
      target,
      strategy,
      keys: keys.map((key) => key.toLowerCase()),
      ...(features.watermark !== "none" && { watermark: watermark?.toLowerCase() ?? null }),
      ...(features.leavesOut && suppression(source, suppressed, leftOut)),
    })),
  );

const knownMark = `
mark = known.where("item <> 'bound'").agg(F.max(F.col("mark").cast(its_type)).cast("string")).first()[0]
# A run that crashed has left its bound: with the same bound, the batches are the same too.
planned = next((row["mark"] for row in known.where("item = 'bound'").collect()), None)`;

/** Python: `pending()`, which returns the rows as JSON, without rows that were acknowledged. */
function pending(features: CodeFeatures): string {
  const hasWatermark = features.watermark !== "none";
  const age = hasWatermark ? "watermark" : 'F.lit(None).cast("string")';
  return lines(
    `
def pending(table, source, columns):
    """Rows to send, oldest first${upserts(features) ? ", how many are superseded" : ""}${hasWatermark ? ", the mark, the bound, and whether an earlier run set it" : ""}."""
    known = spark.table(STATE).where(F.col("target") == table["target"])`,
    indented(
      lines(
        features.watermark === "some" ? "mark = planned = None" : "",
        hasWatermark ? newRowsCode(features, { reached: knownMark, planned: "planned or " }) : "",
        `
options = {"ignoreNullFields": "false", "timestampFormat": "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX"}
values = F.struct(*(F.col(f"c{at}").alias(name) for at, (name, _) in enumerate(columns)))`,
        upserts(features) ? 'places = [position(columns, key) for key in table["keys"]]' : "",
        `
rows = source.select(
    F.to_json(values, options).alias("content"),
${upserts(features) ? '    *(F.col(f"c{at}").cast("string").alias(f"t{at}") for at in places),\n' : ""}    ${age}.alias("age"),
).withColumn("row_key", F.sha2("content", 256))`,
        hasWatermark ? lines("if RETRY_REJECTS:", indented(refusedRows(features))) : "",
        sentRowsCode(features),
        byStrategy(features, {
          upsert: 'rows = rows.withColumn("item", F.sha2(F.to_json(F.array(*keys)), 256))',
          append: 'rows = rows.withColumn("item", F.col("row_key"))',
        }),
        `
acknowledged = known.select("item", "row_key")
if RETRY_REJECTS:
    acknowledged = acknowledged.join(refused_rows(table), "row_key", "left_anti")
rows = rows.join(acknowledged, ["item", "row_key"], "left_anti")`,
        hasWatermark
          ? `
# A row below the mark, which was refused before, does not move it, and neither does a row that none can follow.
moves = can_be_passed(F.col("age"), its_type)
moves = moves if mark is None else moves & (F.col("age") >= F.lit(mark).cast(its_type))
saved = F.when(moves, F.col("age"))`
          : 'saved = F.col("age")',
        `
rows = rows.select("reason", "item", "row_key", saved.cast("string").alias("mark"), "content", "age")
return rows.orderBy(F.col("age").asc_nulls_last(), "row_key")${upserts(features) ? ", superseded" : ""}${hasWatermark ? ", mark, bound, planned is not None" : ""}`,
      ),
    ),
  );
}

/** Python: the keys of refused rows, or their hashes. */
const refusedRows = (features: CodeFeatures) =>
  byStrategy(features, {
    upsert: `
record = source.select(values.alias("record")).schema["record"].dataType
refused = refused_rows(table).select(F.from_json("content", record, options).alias("record"))
texts = [F.col("record").getField(columns[at][0]).cast("string") for at in places]
refused = refused.select(*(text.alias(f"refused_{at}") for at, text in enumerate(texts))).distinct()`,
    append: 'refused = refused_rows(table).select(F.col("row_key").alias("refused_0"))',
  });

function oneTable({ maxRejectShare }: HttpSync, features: CodeFeatures): string {
  const hasWatermark = features.watermark !== "none";
  const limit = maxRejectShare === null ? "max(10, 0.1 * read)" : `${maxRejectShare} * read`;
  const superseded = upserts(features) ? "{superseded_words(superseded)}" : "";
  return lines(
    `
def sync(table):
    source, columns = source_of(table)
    rows${upserts(features) ? ", superseded" : ""}${hasWatermark ? ", mark, bound, is_rest" : ""} = pending(table, source, columns)`,
    "    read = rejected = 0\n    refused_again = []",
    hasWatermark ? "    reached = mark" : "",
    `
    iterator = rows.toLocalIterator()
    while batch := list(itertools.islice(iterator, BATCH_SIZE)):`,
    indented(
      ifWatermark(features, 'if read == 0:\n    remember([(table["target"], "bound", "", bound)])'),
      8,
    ),
    `
        refusals = [(row, row["reason"]) for row in batch if row["reason"]]
        sound = [row for row in batch if not row["reason"]]
        send(table, sound, refusals)
        reject([(table["target"], row["row_key"], row["content"], reason) for row, reason in refusals])
        remember([(table["target"], row["item"], row["row_key"], row["mark"]) for row in sound])
        refused_again += [row["row_key"] for row, _ in refusals]
        read, rejected = read + len(batch), rejected + len(refusals)`,
    hasWatermark
      ? '        reached = next((row["mark"] for row in reversed(sound) if row["mark"] is not None), reached)'
      : "",
    `
        if rejected > ${limit}:
            raise ValueError(f"{rejected} of {read} rows were refused. The last reason: {refusals[-1][1]}")`,
    "    if RETRY_REJECTS:\n        resolve(table, refused_again)",
    indented(ifWatermark(features, "forget(table, reached)")),
    hasWatermark
      ? `    numbers = f"{read} read, {read - rejected} sent, {rejected} rejected${superseded}"
    print(f"{table['target']}: {numbers}, mark {mark} -> {reached}")
    return is_rest`
      : `    print(f"{table['target']}: {read} read, {read - rejected} sent, {rejected} rejected${superseded}")`,
  );
}

const allTables = (hasWatermark: boolean) => `
${chosenTablesCode}

failures = []
for table in CHOSEN:
    try:
        if IS_DRY_RUN:
            count_rows(table)
        else:
            ${hasWatermark ? "while sync(table):  # it has only completed a run that crashed\n                pass" : "sync(table)"}
    except Exception as error:  # a failed table does not stop the others
        traceback.print_exc()
        failures.append(f"{table['target']}: {error}")
if failures:
    raise RuntimeError(f"{len(failures)} of {len(CHOSEN)} tables failed. " + " | ".join(failures))`;
