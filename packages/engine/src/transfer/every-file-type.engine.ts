import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { suite, test } from "node:test";
import { someOf } from "@lakehelm/testing/nightly";
import { candidateTexts } from "../testing/every-type/candidates.ts";
import { duckdbDeclarations, duckdbRows, orderedDuckdbType } from "../testing/every-type/duckdb.ts";
import { fileTypes } from "../testing/every-type/files.ts";
import {
  loadInIncrements,
  type OrderedType,
  type TypedSource,
} from "../testing/every-type/watermark-suite.ts";
import { type SeededRandom, seededRandom, seedOf } from "../testing/seeded-random.ts";
import { startTransferHarness } from "../testing/transfer-harness.ts";
import { literal } from "../warehouse/names.ts";

/** The types that the connection can declare, and DuckDB's names of them. */
const declared = {
  string: "VARCHAR",
  boolean: "BOOLEAN",
  tinyint: "TINYINT",
  smallint: "SMALLINT",
  int: "INTEGER",
  bigint: "BIGINT",
  float: "FLOAT",
  double: "DOUBLE",
  "decimal(12,3)": "DECIMAL(12,3)",
  "decimal(38,10)": "DECIMAL(38,10)",
  date: "DATE",
  timestamp: "TIMESTAMP WITH TIME ZONE",
  timestamp_ntz: "TIMESTAMP",
};

interface InferredType {
  /** The type that orders the values. */
  readonly type: string;
  readonly isNumber?: true;
  values(random: SeededRandom): string[];
}

const some = (count: number, one: () => string): string[] => Array.from({ length: count }, one);
const padded = (number: number, length = 2): string => String(number).padStart(length, "0");
const day = (random: SeededRandom): string =>
  `${1900 + random.below(200)}-${padded(1 + random.below(12))}-${padded(1 + random.below(28))}`;
const time = (random: SeededRandom): string =>
  `${padded(random.below(24))}:${padded(random.below(60))}:${padded(random.below(60))}${random.pick(["", ".5", ".000001"])}`;

/** Values that an API returns, whose type is inferred. */
const inferred: Readonly<Record<string, InferredType>> = {
  "whole numbers": {
    type: "BIGINT",
    isNumber: true,
    values: (random) =>
      some(30, () => String(random.pick([1, 1000, 10 ** 9, 10 ** 15]) * (random.below(2000) - 1000))),
  },
  numbers: {
    type: "DOUBLE",
    isNumber: true,
    values: (random) => some(30, () => String((random.below(2_000_000) - 1_000_000) / 1000)),
  },
  dates: { type: "DATE", values: (random) => some(30, () => day(random)) },
  times: { type: "TIMESTAMP", values: (random) => some(30, () => `${day(random)}T${time(random)}`) },
  "times with offsets": {
    type: "TIMESTAMP WITH TIME ZONE",
    values: (random) =>
      some(30, () => `${day(random)}T${time(random)}${random.pick(["Z", "+02:00", "-11:30"])}`),
  },
  texts: {
    type: "VARCHAR",
    values: (random) => candidateTexts(random).filter((text) => /[^\d.:\s+-]/.test(text)),
  },
};

suite("every type of files and of an API, as a watermark", () => {
  test("Parquet", async (t) => {
    const harness = await startTransferHarness(t);
    const source = fileTypes(join(harness.folder, "files"), "parquet");
    // The warehouse cannot store a VARIANT: such a run fails.
    const types = (await duckdbDeclarations()).filter((one) => !/COLLATE|VARIANT/.test(one));
    const found = new Set<string>();
    for (const [n, name] of [...new Set(["BOOLEAN", ...someOf(types, 8)])].entries()) {
      const type = await orderedDuckdbType(name);
      // A file stores some types as another type, which is tried, too, or cannot store them.
      if (!type.values?.length || (await typeInFile(type, harness.folder)) !== name) continue;
      found.add(await loadInIncrements(harness, source, type, `p${n}`));
    }
    assert.deepEqual([...found].sort(), ["loaded", "refused"]);
  });

  for (const format of ["csv", "json"] as const) {
    test(format.toUpperCase(), async (t) => {
      const harness = await startTransferHarness(t);
      const source = fileTypes(join(harness.folder, "files"), format);
      for (const [n, [name, type]] of someOf(Object.entries(declared), 4).entries()) {
        const { values } = await orderedDuckdbType(type);
        const found = await loadInIncrements(harness, source, { declared: name, values }, `c${n}`);
        assert.equal(found, type === "BOOLEAN" ? "refused" : "loaded", name);
      }
    });
  }

  test("REST", async (t) => {
    const harness = await startTransferHarness(t);
    const tables = new Map<string, { readonly isNumber: boolean; readonly rows: string[] }>();
    const server = createServer((request, response) => {
      const name = new URL(request.url ?? "", "http://api").pathname.split("/").at(-1) ?? "";
      response.setHeader("Content-Type", "application/json");
      response.end(`[${tables.get(name)?.rows.join(",") ?? ""}]`);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    t.after(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const source: TypedSource = {
      connection: { type: "rest", config: { url: `http://127.0.0.1:${port}/v1` } },
      async create(table, name) {
        tables.set(table, { isNumber: inferred[name]?.isNumber === true, rows: [] });
      },
      async insert(table, rows) {
        const { isNumber, rows: all } = tables.get(table) ?? { isNumber: false, rows: [] };
        all.push(...rows.map(([id, v]) => `{"id":${id},"v":${isNumber ? v : JSON.stringify(v)}}`));
      },
    };
    for (const [n, [name, { type, values: make }]] of Object.entries(inferred).entries()) {
      const texts = make(seededRandom(seedOf(name)));
      const list = texts.map((text) => `(${literal(text)})`).join(", ");
      const ordered = await duckdbRows(
        ":memory:",
        `SELECT v FROM (VALUES ${list}) t(v) ORDER BY CAST(v AS ${type}), v`,
      );
      const values = ordered.map(([v]) => String(v));
      assert.equal(await loadInIncrements(harness, source, { declared: name, values }, `r${n}`), "loaded");
    }
  });
});

/** Undefined if DuckDB cannot write the values: negative intervals, for example. */
async function typeInFile({ declared, values = [] }: OrderedType, folder: string): Promise<unknown> {
  const file = literal(join(folder, "probe.parquet"));
  const list = values.map((value) => `(${literal(value)})`).join(", ");
  const written = await duckdbRows(
    ":memory:",
    `COPY (SELECT CAST(v AS ${declared}) AS v FROM (VALUES ${list}) t(v)) TO ${file}`,
  ).catch(() => undefined);
  return written && (await duckdbRows(":memory:", `DESCRIBE SELECT * FROM read_parquet(${file})`))[0]?.[1];
}
