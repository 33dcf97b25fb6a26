import assert from "node:assert/strict";
import { mkdir, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { gzipSync } from "node:zlib";
import { DataProblem } from "../../protocol/problem.ts";
import { openSourceHarness } from "../../testing/source-harness.ts";
import { startTransferHarness } from "../../testing/transfer-harness.ts";
import { checkConnection } from "../../transfer/connection-check.ts";
import { ingest } from "../../transfer/ingest.ts";
import { preview } from "../../transfer/preview.ts";
import { listRejects } from "../../transfer/rejects.ts";
import { openFilesSource } from "./source.ts";

/** A folder with these files, as a source. */
async function openFolder(
  t: TestContext,
  format: string,
  files: Readonly<Record<string, string | Uint8Array>>,
  options = {},
  columns?: object,
) {
  const harness = await openSourceHarness(t);
  const path = join(harness.folder, "data");
  await mkdir(path);
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), content);
  }
  return {
    ...harness,
    path,
    source: await openFilesSource({ path, format, options, columns }, harness.context),
  };
}

describe("CSV files as a source", () => {
  it("values are read without loss, and NULL differs from an empty text", async (t) => {
    const { source, read } = await openFolder(t, "csv", {
      "kinds.csv": [
        'id,"zip code",price,note,is_open,day,at,seen,"it\'s ""odd"""',
        '1,00123,1.50,"",true,2026-02-28,2026-02-28T12:30:00,2026-02-28T12:30:00+02:00,"a\rb\nc"',
        "-9007199254740993,01000,-1e3,,false,,2026-02-28 12:30:00.25,2026-02-28T12:30:00Z,Ünïcode 🚀",
        "",
      ].join("\n"),
    });
    const { rows, types, rejects } = await read(source, "kinds.csv");
    assert.deepEqual(rejects, []);
    assert.deepEqual(types, [
      "BIGINT",
      "VARCHAR",
      "DOUBLE",
      "VARCHAR",
      "BOOLEAN",
      "DATE",
      "TIMESTAMP",
      "TIMESTAMP WITH TIME ZONE",
      "VARCHAR",
    ]);
    assert.deepEqual(rows, [
      [
        "-9007199254740993",
        "01000",
        -1000,
        null,
        false,
        null,
        "2026-02-28 12:30:00.25",
        "2026-02-28 12:30:00+00",
        "Ünïcode 🚀",
      ],
      ["1", "00123", 1.5, "", true, "2026-02-28", "2026-02-28 12:30:00", "2026-02-28 10:30:00+00", "a\rb\nc"],
    ]);
  });

  it("lines that are not rows and values that do not fit are rejected; all other rows are read", async (t) => {
    const late = Array.from({ length: 20_480 }, (_, at) => `${at},2026-01-01`);
    const { source, read } = await openFolder(t, "csv", {
      "lines.csv": Buffer.concat([
        Buffer.from('id,note\n1,one\n2\n3,three,more\n4,"fo"ur\n5,'),
        Buffer.from([0xff, 0xfe]),
        Buffer.from('\n6,six\n7,"never\nends\n'),
      ]),
      "late.csv": [
        "id,day",
        ...late,
        "1.5,2026-01-01",
        "007,2026-01-01",
        "8,2026-02-31",
        "9,2026-01-01 10:00:00",
        "10,",
        "",
      ].join("\n"),
    });
    const lines = await read(source, "lines.csv");
    assert.deepEqual(lines.rows, [
      ["1", "one"],
      ["6", "six"],
    ]);
    assert.deepEqual(
      lines.rejects
        .map(({ row }) => [row._line, row._text])
        .sort((one, other) => Number(one[0]) - Number(other[0])),
      [
        [3, "2"],
        [4, "3,three,more"],
        [5, '4,"fo"ur'],
        [6, "5,??"],
        [8, '7,"never\nends\n'],
      ],
    );
    assert.match(
      lines.rejects[0]?.reason ?? "",
      /^line 3 of lines\.csv: Expected Number of Columns: 2 Found: 1/,
    );
    assert.deepEqual(new Set(lines.rejects.map(({ row }) => row._file)), new Set(["lines.csv"]));
    const values = await read(source, "late.csv");
    assert.equal(values.rows.length, 20_481);
    assert.deepEqual(values.rejects.map(({ reason }) => reason).sort(), [
      'line 20482 of late.csv: the column "id": "1.5" is not a BIGINT',
      'line 20483 of late.csv: the column "id": "007" is not a BIGINT',
      'line 20484 of late.csv: the column "day": "2026-02-31" is not a DATE',
      'line 20485 of late.csv: the column "day": "2026-01-01 10:00:00" is not a DATE',
    ]);
  });

  it("options are accepted under the names of Spark and of DuckDB", async (t) => {
    const german = Buffer.from(
      "# von Hand\nnr;name;tag;um\n1;'M''üller; A';31.12.2026;31.12.2026 23:59\n2;NULL;28.2.2026;\n",
      "latin1",
    );
    const dialect = {
      delimiter: ";",
      quote: "'",
      escape: "'",
      charset: "ISO-8859-1",
      nullValue: "NULL",
      comment: "#",
    };
    const { source, read, path, context } = await openFolder(
      t,
      "csv",
      {
        "de.csv": german,
        "plain.csv": "1,a\r\n2,b",
        "tab.tsv": "a\tb\n1\t2\n",
        "packed.csv.gz": gzipSync("id\n1\n"),
        "utf16.csv": Buffer.from("\ufeffid,ü\n1,ß\n", "utf16le"),
      },
      { ...dialect, dateFormat: "dd.MM.yyyy", timestampFormat: "dd.MM.yyyy HH:mm", multiLine: true },
    );
    const sourceWith = (options: object) => openFilesSource({ path, format: "csv", options }, context);
    assert.deepEqual((await read(source, "de.csv")).rows, [
      ["1", "M'üller; A", "2026-12-31", "2026-12-31 23:59:00"],
      ["2", null, "2026-02-28", null],
    ]);
    assert.deepEqual((await read(await sourceWith({ header: false }), "plain.csv")).rows, [
      ["1", "a"],
      ["2", "b"],
    ]);
    assert.deepEqual(
      (await (await sourceWith({ header: false, inferSchema: false })).describe("plain.csv")).columns,
      [
        { name: "_c0", type: "VARCHAR", origin: "CSV", inferred: true, nullable: true },
        { name: "_c1", type: "VARCHAR", origin: "CSV", inferred: true, nullable: true },
      ],
    );
    assert.deepEqual((await read(await sourceWith({ sep: "\\t" }), "tab.tsv")).rows, [["1", "2"]]);
    assert.deepEqual((await read(await sourceWith({}), "packed.csv.gz")).rows, [["1"]]);
    assert.deepEqual((await read(await sourceWith({ encoding: "UTF-16" }), "utf16.csv")).rows, [["1", "ß"]]);
    await assert.rejects(
      sourceWith({ hearder: true, encoding: "klingon", dateFormat: "QQ" }),
      (error: DataProblem) => {
        assert.match(
          error.message,
          /"hearder" is unknown.*encoding: expected one of.*"QQ" in "QQ" is not supported/,
        );
        return true;
      },
    );
  });

  it("files with different columns are one table, matched by column name", async (t) => {
    const { source, read } = await openFolder(t, "csv", {
      "orders/2026/a [1]*.csv": "id,note\n1,one\n",
      "orders/2026/b.csv": "note,id,extra\r\ntwo,2,x\r\n",
      "orders/empty.csv": "",
      "orders/only-header.csv": "id,note,,id\n",
      "orders/_SUCCESS.csv": "nothing\n",
      "orders/.b.csv.tmp": "half",
      "readme.md": "# no table",
    });
    const { columns } = await source.describe("orders");
    assert.deepEqual(
      columns.map(({ name, type }) => `${name} ${type}`),
      ["id BIGINT", "note VARCHAR", "extra VARCHAR", "_c2 VARCHAR", "id_3 VARCHAR"],
    );
    assert.deepEqual((await read(source, "orders")).rows, [
      ["1", "one", null, null, null],
      ["2", "two", "x", null, null],
    ]);
    assert.deepEqual((await read(source, "orders/*/b.csv")).rows, [["two", "2", "x"]]);
    assert.deepEqual(
      (await source.discover()).map(({ name, watermark_candidates }) => [name, watermark_candidates]),
      [["orders", ["_file_modified"]]],
    );
  });

  it("mixed line endings are an error that says so", async (t) => {
    const { source, read } = await openFolder(t, "csv", { "mixed.csv": "a,b\n1,2\r\n3,4\n" });
    await assert.rejects(
      read(source, "mixed.csv"),
      /mixed\.csv in .* cannot be read: its lines have different line endings/,
    );
  });
});

describe("JSON files as a source", () => {
  it("records may be one per line, in a list, or one after another", async (t) => {
    const records = [
      {
        id: 1,
        big: "…",
        price: 1.5,
        note: "",
        tags: ["a", { b: null }],
        day: "2026-02-28",
        at: "2026-02-28T12:30:00.25Z",
        ok: true,
      },
      { id: 2, price: 2, note: null, 'it\'s "odd"': "🚀 }{", tags: null, mixed: 1 },
      { id: 3, note: "}", mixed: "one" },
    ];
    const text = (record: object) => JSON.stringify(record).replace('"…"', "12345678901234567890123");
    const pretty = (record: object) =>
      JSON.stringify(record, null, 2).replace('"…"', "12345678901234567890123");
    const { source, read } = await openFolder(t, "json", {
      "lines.jsonl": records.map(text).join("\r\n"),
      "list.json": `\n[${records.map(pretty).join(",\n")}]\n`,
      "series.json": records.map(pretty).join("\n"),
      "lines.ndjson.gz": gzipSync(`${records.map(text).join("\n")}\n`),
    });
    for (const dataset of ["lines.jsonl", "list.json", "series.json", "lines.ndjson.gz"]) {
      const { rows, types, rejects } = await read(source, dataset);
      assert.deepEqual(rejects, []);
      assert.deepEqual(types, [
        "BIGINT",
        "DECIMAL(38,0)",
        "DOUBLE",
        "VARCHAR",
        "JSON",
        "DATE",
        "TIMESTAMP WITH TIME ZONE",
        "BOOLEAN",
        "VARCHAR",
        "VARCHAR",
      ]);
      assert.deepEqual(rows, [
        [
          "1",
          "12345678901234567890123",
          1.5,
          "",
          '["a",{"b":null}]',
          "2026-02-28",
          "2026-02-28 12:30:00.25+00",
          true,
          null,
          null,
        ],
        ["2", null, 2, null, null, null, null, null, "🚀 }{", "1"],
        ["3", null, null, "}", null, null, null, null, null, "one"],
      ]);
    }
  });

  it("a line that is not a record is rejected; an incomplete list fails the run", async (t) => {
    const { source, read } = await openFolder(t, "json", {
      "lines.jsonl": '{"id": 1}\n{"id": 2\n[3]\n{"id": 9223372036854775807}\n{"id": "4"}\nnull\n{"id": 5}',
      "cut.json": '[{"id": 1}, {"id": 2, "note": "never en',
      "words.json": "this is not JSON",
      "bytes.jsonl": Buffer.concat([
        Buffer.from('{"id": 1}\n{"id": "'),
        Buffer.from([0xff]),
        Buffer.from('"}'),
      ]),
      "packed.json.gz": gzipSync('{"id": 1}').subarray(0, 12),
    });
    const { rows, rejects } = await read(source, "lines.jsonl");
    assert.deepEqual(rows, [["1"], ["4"], ["5"], ["9223372036854775807"]]);
    assert.deepEqual(rejects, [
      {
        reason: "line 2 of lines.jsonl is not a JSON object",
        row: { _file: "lines.jsonl", _line: 2, _text: '{"id": 2' },
      },
      {
        reason: "line 3 of lines.jsonl is not a JSON object",
        row: { _file: "lines.jsonl", _line: 3, _text: "[3]" },
      },
      {
        reason: "line 6 of lines.jsonl is not a JSON object",
        row: { _file: "lines.jsonl", _line: 6, _text: "null" },
      },
    ]);
    await assert.rejects(
      read(source, "cut.json"),
      /cut\.json ends in the middle of a record that begins in line 1/,
    );
    await assert.rejects(
      source.describe("bytes.jsonl"),
      /bytes\.jsonl is not valid JSON: it has bytes .* that are not UTF-8/,
    );
    await assert.rejects(source.describe("packed.json.gz"), /packed\.json\.gz is damaged: it is incomplete/);
    await assert.rejects(source.describe("words.json"), /words\.json, line 1: this is not a record/);
  });
});

describe("Parquet files as a source", () => {
  it("types are kept, and files with different columns are one table", async (t) => {
    const { source, read, path, context } = await openFolder(t, "parquet", {
      "broken.parquet": "PAR1 but not really",
    });
    const { connection, close } = await context.openExternal({ folders: [path] });
    await connection.run(
      `COPY (SELECT 1 AS id, [1.50, NULL]::DECIMAL(10,2)[] AS prices, {a: 'x'} AS s, '' AS note) TO '${path}/a.parquet';
       COPY (SELECT 2 AS id, NULL::VARCHAR AS note, TIMESTAMPTZ '2026-01-01 00:00:00.000001+00' AS updated_at) TO '${path}/b.parquet'`,
    );
    close();
    const { rows, types } = await read(source, "[ab].parquet");
    assert.deepEqual(types, [
      "INTEGER",
      "DECIMAL(10,2)[]",
      "STRUCT(a VARCHAR)",
      "VARCHAR",
      "TIMESTAMP WITH TIME ZONE",
    ]);
    assert.deepEqual(rows, [
      [1, ["1.50", null], { a: "x" }, "", null],
      [2, null, null, null, "2026-01-01 00:00:00.000001+00"],
    ]);
    const since = { column: "updated_at", value: "2026-01-01 00:00:00.000002+00" };
    assert.deepEqual((await read(source, "[ab].parquet", { since, columns: ["id", "updated_at"] })).rows, [
      [1, null],
    ]);
    await assert.rejects(source.describe("broken.parquet"), /broken\.parquet in .* cannot be read/);
    assert.deepEqual(
      (await source.discover()).map(({ name }) => name),
      ["a.parquet", "b.parquet"],
    );
  });
});

describe("a folder as a source", () => {
  for (const [format, one, two] of [
    ["csv", "id,at\n1,2026-01-01\n", "id\n2\n"],
    ["json", '{"id": 1, "at": "2026-01-01"}', '{"id": 2}'],
  ] as const) {
    it(`the watermark is a file's modification time or a column (${format})`, async (t) => {
      const { source, read, path } = await openFolder(t, format, {
        [`f/one.${format}`]: one,
        [`f/two.${format}`]: two,
      });
      await utimes(join(path, `f/one.${format}`), 1_770_000_000, 1_770_000_000.25);
      await utimes(join(path, `f/two.${format}`), 1_770_000_001, 1_770_000_001);
      const columns = ["id", "at", "_file_modified"];
      const all = (await read(source, "f", { columns })).rows;
      assert.deepEqual(all, [
        ["1", "2026-01-01", "2026-02-02 02:40:00.25"],
        ["2", null, "2026-02-02 02:40:01"],
      ]);
      const from = async (column: string, value: string) =>
        (await read(source, "f", { columns, since: { column, value } })).rows;
      assert.deepEqual(await from("_file_modified", "2026-02-02 02:40:00.25"), all);
      assert.deepEqual(await from("_file_modified", "2026-02-02 02:40:00.250001"), [all[1]]);
      assert.deepEqual(await from("_file_modified", "2026-02-02 02:40:01.000001"), []);
      assert.deepEqual(await from("at", "2026-01-02"), [all[1]]);
      assert.deepEqual(await from("id", "2"), [all[1]]);
    });
  }

  it("a run reads from the newest file on, and casts values to the types of the table", async (t) => {
    const { folder, request, context, rows, warehouse } = await startTransferHarness(t);
    const path = join(folder, "orders");
    const put = async (name: string, text: string, seconds: number) => {
      await mkdir(path, { recursive: true });
      await writeFile(join(path, name), text);
      await utimes(join(path, name), seconds, seconds);
    };
    const run = async (retryRejects = false) => {
      const { read, inserted, updated, rejected, watermark_after } = await ingest(
        request(
          { source: ".", watermark: "_file_modified" },
          { connection: { type: "files", config: { path, format: "csv" } }, retryRejects },
        ),
        context,
      );
      return { read, inserted, updated, rejected, watermark_after };
    };
    await put("1.csv", "id,amount,note\n1,10,007\n2,20,\n", 1_770_000_000);
    await put("2.csv", "id,amount,note\n3,30,x\n", 1_770_000_001);
    const watermark_after = "2026-02-02 02:40:01";
    assert.deepEqual(await run(), { read: 3, inserted: 3, updated: 0, rejected: 0, watermark_after });
    assert.deepEqual(await run(), { read: 0, inserted: 0, updated: 0, rejected: 0, watermark_after });
    // On their own, these amounts would be text and these notes numbers.
    await put("3.csv", "id,amount,note\n3,33,8\n4,1.5,9\n5,50,10\n6,n/a,11\n", 1_770_000_002);
    assert.deepEqual(await run(), {
      read: 4,
      inserted: 1,
      updated: 1,
      rejected: 2,
      watermark_after: "2026-02-02 02:40:02",
    });
    assert.deepEqual(await rows('SELECT id, amount, note FROM _main."default".orders ORDER BY id'), [
      ["1", "10", "007"],
      ["2", "20", null],
      ["3", "33", "8"],
      ["5", "50", "10"],
    ]);
    // The rejects show the values as they were written, and a retry rejects them again.
    const rejected = async () => {
      const { rejects } = await listRejects(warehouse, ["orders"], { skip: 0, limit: 10 });
      // Rows of one run are listed in no particular order.
      return rejects
        .map(({ row, reason }) => ({ amount: row.amount, reason }))
        .sort((one, other) => (one.reason < other.reason ? -1 : 1));
    };
    const expected = [
      { amount: "1.5", reason: 'line 3 of 3.csv: the column "amount": "1.5" is not a BIGINT' },
      { amount: "n/a", reason: 'line 5 of 3.csv: the column "amount": "n/a" is not a BIGINT' },
    ];
    assert.deepEqual(await rejected(), expected);
    assert.equal((await run(true)).rejected, 2);
    assert.deepEqual(
      (await rejected()).map(({ amount }) => amount),
      ["1.5", "n/a"],
    );
  });

  it("deletes no rows while a line cannot be read, because it may be one of them", async (t) => {
    const { folder, request, context, rows } = await startTransferHarness(t);
    const path = join(folder, "orders");
    await mkdir(path);
    const put = (text: string) => writeFile(join(path, "a.csv"), text);
    const run = async () => {
      const { deleted, warnings } = await ingest(
        request(
          { source: "a.csv", watermark: null, deletes: true },
          { connection: { type: "files", config: { path, format: "csv" } } },
        ),
        context,
      );
      return { deleted, warnings };
    };
    await put("id,amount\n1,10\n2,20\n3,30\n4,40\n");
    assert.deepEqual(await run(), { deleted: 0, warnings: [] });
    await put("id,amount\n1,10\n2,20,?\n4,40\n");
    assert.deepEqual(await run(), {
      deleted: 0,
      warnings: [
        "1 rejected row of a.csv could not be read, not even the key. Rows that are gone from the source are deleted when all of its rows can be read.",
      ],
    });
    await put("id,amount\n1,10\n2,twenty\n4,40\n");
    assert.deepEqual(await run(), { deleted: 1, warnings: [] });
    assert.deepEqual(await rows('SELECT id, amount FROM _main."default".orders ORDER BY id'), [
      ["1", "10"],
      ["2", "20"],
      ["4", "40"],
    ]);
  });

  it("a setting that has no effect is a warning, and an option beside the options an error", async (t) => {
    const { folder, request, context } = await startTransferHarness(t);
    const path = join(folder, "orders");
    await mkdir(path);
    await writeFile(join(path, "a.csv"), "id\n1\n");
    const requestWith = (config: Record<string, unknown>) =>
      request(
        { source: "a.csv", watermark: null },
        { connection: { type: "files", config: { path, format: "csv", ...config } } },
      );
    const config = { comment: "by hand", owner: "ada", primary_keys: {}, checkpoint_path: "/Volumes/x" };
    const warnings = [`connection.config: "comment", "owner" are not known and have no effect.`];
    assert.deepEqual((await preview(requestWith(config), context)).warnings, warnings);
    assert.deepEqual((await ingest(requestWith(config), context)).warnings, warnings);
    const { scope, connection, dataset } = requestWith(config);
    const findings = await checkConnection(
      { scope, connector: "shop", connection, direction: "in", datasets: [dataset] },
      context,
    );
    assert.deepEqual(findings.at(-1), { ok: true, sentence: warnings[0] });
    await assert.rejects(ingest(requestWith({ dateFormat: "dd.MM.yyyy", delimiter: ";" }), context), {
      message:
        "connection.config.dateFormat: it is an option. Write it into connection.config.options. connection.config.delimiter: it is an option. Write it into connection.config.options.",
    });
  });

  it("a column whose values have another type now is an error that names both types", async (t) => {
    const { folder, request, context } = await startTransferHarness(t);
    const path = join(folder, "orders");
    await mkdir(path);
    const put = (text: string) => writeFile(join(path, "a.csv"), text);
    const run = (more = {}) =>
      ingest(
        request(
          { source: "a.csv", watermark: null },
          { connection: { type: "files", config: { path, format: "csv" } }, ...more },
        ),
        context,
      );
    await put("id,code,note\n1,10,a\n2,20,b\n");
    await run();
    await put("id,code,note\n1,A10,1\n2,B20,2\n3,C30,3\n");
    await assert.rejects(run(), {
      message:
        '3 of 3 rows were rejected, more than the 50 % that max_reject_share allows. Nothing was written. Most frequent reasons: the column "code": a value is not a BIGINT (3). The type of the column "code" has changed: it is BIGINT in main.default.orders, but the source now has values of the type VARCHAR. To keep the rows and store both as text: lakehelm tables alter main.default.orders --set-type \'code=STRING\' --yes\nIf they are right, change the column and read all rows again: lakehelm connectors run shop --set \'parameters.datasets=["orders"]\' --set parameters.full_refresh=true',
    });
    const { rejected, schema_changes } = await run({ fromStart: true, changesTypes: true });
    assert.deepEqual([rejected, schema_changes?.[0]?.change], [0, "column_retyped"]);
  });

  it("the lines of the first thousand values that do not fit are found", async (t) => {
    const bad = Array.from({ length: 1_500 }, (_, at) => `${at},bad ${at}`);
    const { source, read } = await openFolder(
      t,
      "csv",
      { "a.csv": ["id,amount", ...bad, ""].join("\n") },
      {},
      { amount: "int" },
    );
    const { rejects } = await read(source, "a.csv");
    assert.equal(rejects.length, 1_500);
    const located = rejects.filter(({ reason, row }) =>
      reason.startsWith(`line ${Number(row.id) + 2} of a.csv: `),
    );
    assert.equal(located.length, 1_000);
  });

  for (const strategy of ["append", "upsert"] as const) {
    it(`${strategy}: a file that was written earlier and renamed into the folder later is read, once`, async (t) => {
      const { folder, request, context, rows } = await startTransferHarness(t);
      const path = join(folder, "orders");
      await mkdir(path);
      const put = async (name: string, text: string, seconds: number) => {
        await writeFile(join(folder, name), text);
        await utimes(join(folder, name), seconds, seconds);
      };
      const move = (from: string, to: string) => rename(join(folder, from), join(folder, to));
      const run = async () => {
        const { read, inserted, updated } = await ingest(
          request(
            { source: ".", watermark: "_file_modified", strategy, keys: strategy === "append" ? [] : ["id"] },
            { connection: { type: "files", config: { path, format: "csv" } } },
          ),
          context,
        );
        return { read, inserted, updated };
      };
      const stored = () => rows('SELECT id, note FROM _main."default".orders ORDER BY ALL');
      await put("early.csv", "id,note\n1,early\n2,early\n", 1_770_000_000);
      await put("orders/late.csv", "id,note\n2,late\n3,late\n", 1_770_000_009);
      assert.deepEqual(await run(), { read: 2, inserted: 2, updated: 0 });
      await move("early.csv", "orders/early.csv");
      // A row of a file that was written later stays.
      const isAppend = strategy === "append";
      assert.deepEqual(await run(), { read: 2, inserted: isAppend ? 2 : 1, updated: 0 });
      const all = [["1", "early"], ...(isAppend ? [["2", "early"]] : []), ["2", "late"], ["3", "late"]];
      assert.deepEqual(await stored(), all);

      await move("orders/early.csv", "orders/renamed.csv");
      assert.deepEqual(await run(), { read: 0, inserted: 0, updated: 0 });
      // Restored from a backup: another inode, but the same path, size and time.
      await rm(join(path, "late.csv"));
      await put("orders/late.csv", "id,note\n2,late\n3,late\n", 1_770_000_009);
      assert.deepEqual(await run(), { read: 0, inserted: 0, updated: 0 });
      await put("orders/late.csv", "id,note\n2,later\n", 1_770_000_010);
      // With append, it is unknown which rows of a replaced file are new, unless the file has a new name.
      if (isAppend) {
        await assert.rejects(run(), /late\.csv .* give the file another name/);
        await move("orders/late.csv", "orders/later.csv");
      }
      assert.deepEqual(await run(), { read: 1, inserted: isAppend ? 1 : 0, updated: isAppend ? 0 : 1 });

      // An earlier version recorded no files: what is not newer than the watermark counts as read.
      await rows("DELETE FROM _main._lakehelm.read_files");
      assert.equal((await run()).inserted, 0);
      await put("early.csv", "id,note\n4,early\n", 1_770_000_000);
      await move("early.csv", "orders/4.csv");
      assert.deepEqual(await run(), { read: 1, inserted: 1, updated: 0 });
    });
  }

  it("no dataset can lead out of the folder", async (t) => {
    const { source, folder: outside, path } = await openFolder(t, "csv", { "in/a.csv": "a\n1\n" });
    await writeFile(join(outside, "secret.csv"), "secret\n1\n");
    await symlink(join(outside, "secret.csv"), join(path, "in/link.csv"));
    await symlink(outside, join(path, "up"));
    for (const [dataset, reason] of [
      ["../secret.csv", /contains "\.\."/],
      ["in/../../secret.csv", /contains "\.\."/],
      ["{../secret,a}.csv", /contains "\.\."/],
      ["/etc/passwd", /must be below/],
      ["file:///etc/passwd", /must be below/],
      ["in", /link that leads outside/],
      ["in/link.csv", /link that leads outside/],
      ["up/secret.csv", /link that leads outside/],
      // Patterns do not follow links to folders.
      ["up/*.csv", /There is no file for/],
    ] as const) {
      await assert.rejects(source.describe(dataset), reason, dataset);
    }
    await symlink("a.csv", join(path, "in/inner.csv"));
    assert.equal((await source.describe("in/inner.csv")).columns.length, 1);
  });

  it("check reports which datasets can be read", async (t) => {
    const { source, path, context } = await openFolder(t, "csv", {
      "orders.csv": "id\n1\n",
      "empty/none.md": "",
    });
    assert.deepEqual(await source.check(["orders.csv", "ordres.csv", "empty"]), [
      { ok: true, sentence: `can open the folder ${path}` },
      { ok: true, sentence: `can read orders.csv in ${path}` },
      { ok: false, sentence: `There is no file for "ordres.csv" in ${path}. Did you mean orders.csv?` },
      {
        ok: false,
        sentence: `There is no file for "empty" in ${path}. A dataset is a file, a pattern such as 2026-*.csv, or a folder: of a folder, files count whose names end with .csv, .tsv, .txt, each also with .gz, and begin with neither a dot nor an underscore.`,
      },
    ]);
    await rm(path, { recursive: true });
    assert.deepEqual(await source.check(["orders.csv"]), [
      { ok: false, sentence: `The folder ${path} cannot be read: it does not exist.` },
    ]);
    await assert.rejects(
      openFilesSource({ path }, context),
      new DataProblem("connection.config.format: it is required: one of csv, json, parquet."),
    );
  });
});

describe("declared columns", () => {
  const types = {
    id: "int",
    amount: "DECIMAL(12, 2)",
    day: "date",
    at: "timestamp",
    local: "timestamp_ntz",
    ok: "boolean",
    rate: "double",
    code: "string",
  };

  it("of CSV files have their types, and values that do not fit are rejected", async (t) => {
    const lines = [
      "id,amount,day,at,local,ok,rate,code,other",
      "1,12.50,2026-01-31,2026-01-31T12:30:00+01:00,2026-01-31 12:30,true,1.5,7,8",
      "2,0.1,2026-02-28,2026-01-31 12:30:00,,FALSE,1e3,008,9",
      "3,12.345,2026-01-01,,,,,,",
      "99999999999,1,2026-01-01,,,,,,",
      "5,1,31.01.2026,,,,,,",
      "6,1,,2026-13-01 10:00:00,,,,,",
      "7,1,,,2026-01-01T10:00:00Z,,,,",
      "8,1,,,,maybe,,,",
    ];
    const { source, read } = await openFolder(
      t,
      "csv",
      { "orders.csv": `${lines.join("\n")}\n` },
      {},
      { ORDERS: types, Amount: "string", "orders.csv": types },
    );
    const { types: found, rows, rejects } = await read(source, "orders.csv");
    assert.deepEqual(found, [
      ...["INTEGER", "DECIMAL(12,2)", "DATE", "TIMESTAMP WITH TIME ZONE", "TIMESTAMP", "BOOLEAN", "DOUBLE"],
      ...["VARCHAR", "BIGINT"],
    ]);
    assert.deepEqual(rows, [
      [1, "12.50", "2026-01-31", "2026-01-31 11:30:00+00", "2026-01-31 12:30:00", true, 1.5, "7", "8"],
      [2, "0.10", "2026-02-28", "2026-01-31 12:30:00+00", null, false, 1000, "008", "9"],
    ]);
    assert.deepEqual(rejects.map(({ reason }) => reason).sort(), [
      'line 4 of orders.csv: the column "amount": "12.345" is not a DECIMAL(12,2)',
      'line 5 of orders.csv: the column "id": "99999999999" is not a INTEGER',
      'line 6 of orders.csv: the column "day": "31.01.2026" is not a DATE',
      'line 7 of orders.csv: the column "at": "2026-13-01 10:00:00" is not a TIMESTAMP WITH TIME ZONE',
      'line 8 of orders.csv: the column "local": "2026-01-01T10:00:00Z" is not a TIMESTAMP',
      'line 9 of orders.csv: the column "ok": "maybe" is not a BOOLEAN',
    ]);
  });

  it("are found in any dialect: the reject of a value names its file and line", async (t) => {
    const { source, read } = await openFolder(
      t,
      "csv",
      {
        "a.csv":
          "# by hand\r\nid||text||amount\r\n1||'two\r\nlines, it''s'||x\r\n\r\n# more\r\n2||NULL||1\r\n3||''||x\r\n3||''||x",
        "b.csv.gz": gzipSync("text||amount||id\n'a||b'||y||1\n'a||b'||1||2\n"),
        "c.csv": "id||text||amount\n1||'never closed||z\n",
      },
      { sep: "||", quote: "'", escape: "'", comment: "#", nullValue: "NULL" },
      { amount: "int" },
    );
    const { rows, rejects } = await read(source, ".");
    assert.deepEqual(rows, [
      ["2", "a||b", 1],
      ["2", null, 1],
    ]);
    const reasons = rejects.map(({ reason }) => reason).sort();
    const ofLine = reasons.filter((reason) => reason.startsWith("line 2 of c.csv: "));
    assert.equal(ofLine.length, 1);
    assert.deepEqual(
      reasons.filter((reason) => !ofLine.includes(reason)),
      [
        'line 2 of b.csv.gz: the column "amount": "y" is not a INTEGER',
        'line 3 of a.csv: the column "amount": "x" is not a INTEGER',
        // Equal rows have the line of the first.
        'line 8 of a.csv: the column "amount": "x" is not a INTEGER',
        'line 8 of a.csv: the column "amount": "x" is not a INTEGER',
      ],
    );
  });

  it("of JSON files have their types, and a value that does not fit is rejected with its file and line", async (t) => {
    const lines = [
      '{"id": 1, "amount": 12.5, "day": "2026-01-31", "at": "2026-01-31T12:30:00+01:00", "local": "2026-01-31T12:30:00", "ok": true, "rate": 1.5, "code": 7}',
      '{"id": "2", "amount": "0.1", "at": "2026-01-31 12:30:00", "ok": "false", "rate": "1e3", "code": "008"}',
      '{"id": 3, "amount": 12.345}',
      '{"id": 99999999999}',
      '{"id": 5, "day": "31.01.2026"}',
      '{"id": 6, "ok": "maybe"}',
      '{"id": 7, "rate": "a lot"}',
    ];
    const { source, read } = await openFolder(
      t,
      "json",
      { "orders.jsonl": lines.join("\n") },
      {},
      { ...types, note: "string" },
    );
    const { types: found, rows, rejects } = await read(source, "orders.jsonl");
    assert.deepEqual(found, [
      ...["INTEGER", "DECIMAL(12,2)", "DATE", "TIMESTAMP WITH TIME ZONE", "TIMESTAMP", "BOOLEAN", "DOUBLE"],
      ...["VARCHAR", "VARCHAR"],
    ]);
    assert.deepEqual(rows, [
      [1, "12.50", "2026-01-31", "2026-01-31 11:30:00+00", "2026-01-31 12:30:00", true, 1.5, "7", null],
      [2, "0.10", null, "2026-01-31 12:30:00+00", null, false, 1000, "008", null],
    ]);
    assert.deepEqual(rejects.map(({ reason }) => reason).sort(), [
      'line 3 of orders.jsonl: the column "amount": 12.345 is not a DECIMAL(12,2)',
      'line 4 of orders.jsonl: the column "id": 99999999999 is not a INTEGER',
      'line 5 of orders.jsonl: the column "day": 31.01.2026 is not a DATE',
      'line 6 of orders.jsonl: the column "ok": maybe is not a BOOLEAN',
      'line 7 of orders.jsonl: the column "rate": a lot is not a DOUBLE',
    ]);
  });

  it("dates and times are read in their formats, from CSV and JSON alike", async (t) => {
    const options = { dateFormat: "dd.MM.yyyy", timestampFormat: "dd.MM.yyyy HH:mm" };
    const expected = [["1", "2026-01-31", "2026-02-28 23:59:00"]];
    const csv = await openFolder(
      t,
      "csv",
      { "a.csv": "id,day,at\n1,31.01.2026,28.02.2026 23:59\n" },
      options,
    );
    const json = await openFolder(
      t,
      "json",
      { "a.json": '[{"id": 1, "day": "31.01.2026", "at": "28.02.2026 23:59"}]' },
      options,
    );
    for (const { source, read, path } of [csv, json]) {
      const { types: found, rows } = await read(source, path === csv.path ? "a.csv" : "a.json");
      assert.deepEqual([found, rows], [["BIGINT", "DATE", "TIMESTAMP"], expected]);
    }
    const declared = await openFolder(
      t,
      "json",
      {
        "a.jsonl":
          '{"day": "31.01.2026", "at": "1.2.2026 1:05", "text": "31.01.2026"}\n{"day": "31.02.2026"}\n',
      },
      options,
      { day: "date", at: "timestamp", text: "string" },
    );
    const { rows, rejects } = await declared.read(declared.source, "a.jsonl");
    assert.deepEqual(rows, [["2026-01-31", "2026-02-01 01:05:00+00", "31.01.2026"]]);
    assert.deepEqual(
      rejects.map(({ reason }) => reason),
      ['line 2 of a.jsonl: the column "day": 31.02.2026 is not a DATE'],
    );
  });

  it("that cannot be read are an error", async (t) => {
    const { context, path, source } = await openFolder(
      t,
      "csv",
      { "a.csv": "amount\n1\n" },
      {},
      { "a.csv": { amont: "int" } },
    );
    await assert.rejects(source.describe("a.csv"), /a\.csv has no column "amont"\. Did you mean amount\?/);
    // Types may also be declared for the target.
    const forTarget = await openFilesSource(
      { path, format: "csv", columns: { "shop.x": { amount: "int" } } },
      context,
    );
    assert.equal((await forTarget.describe("a.csv", "shop.x")).columns[0]?.type, "INTEGER");
    assert.equal((await forTarget.describe("a.csv", "shop.y")).columns[0]?.type, "BIGINT");
    for (const [format, columns, options, expected] of [
      ["csv", { amount: "money" }, {}, /columns\."amount": expected a type such as/],
      ["csv", ["amount"], {}, /columns: it must be a map/],
      ["json", {}, { dateFormat: "%j" }, /dateFormat: %j is not supported for JSON/],
      ["json", {}, { dateFormat: "%d%d" }, /dateFormat: %d occurs twice/],
    ] as const) {
      await assert.rejects(openFilesSource({ path, format, options, columns }, context), expected);
    }
    const binary = await openFilesSource({ path, format: "csv", columns: { amount: "binary" } }, context);
    await assert.rejects(binary.describe("a.csv"), /the type binary of "amount" is not supported here/);
  });
});
