/** Code generation through the server: typical requests cold and warm, growth with size, and the delay for other callers. */
import { templates } from "@lakehelm/codegen";
import { load, type Measured, request } from "./load.ts";
import { token } from "./processes.ts";

export interface CodegenResults {
  /** The first request after a start, which also loads the parsers. */
  readonly coldMs: number;
  readonly warm: readonly { readonly name: string; readonly measured: Measured }[];
  readonly growth: readonly { readonly name: string; readonly ms: readonly number[] }[];
  /**
   * The slowest small request of other callers, while nothing is generated and while the largest requests are being
   * generated.
   */
  readonly waits: { readonly idle: number; readonly busy: number };
}

export const growthSizes = [10, 100, 1000] as const;

const typical = ["alter-metadata", "consumption-scd2", "ingestion-postgresql", "reverse-etl-postgresql"];

type Example = Record<string, unknown>;
const template = (name: string) => {
  const found = templates.find((one) => one.name === name);
  if (!found) throw new Error(`There is no template ${name}.`);
  return found;
};

/** The typical request of each kind, enlarged to this number of columns or tables. */
const grown: Readonly<Record<string, (example: Example, size: number) => Example>> = {
  "alter-metadata": (example, size) => ({
    ...example,
    change: {
      columns: many(size, (n) => ({
        column: `c${n}`,
        description: `Column ${n}`,
        column_tags: { n: String(n) },
      })),
    },
  }),
  "consumption-scd2": (example, size) => {
    const names = many(size, (n) => `c${n}`);
    return {
      ...example,
      matched_sql: `SELECT customer_id, updated_at, ${names.join(", ")} FROM shop.sales.customers`,
      target_schema: {
        description: "A wide table",
        columns: [
          { name: "customer_id", type: "bigint", pk: true },
          { name: "updated_at", type: "timestamp", not_null: true },
          ...names.map((name) => ({ name, type: "string", description: `Column ${name}` })),
        ],
      },
    };
  },
  "ingestion-postgresql": manyTables,
  "reverse-etl-postgresql": manyTables,
};

function manyTables(example: Example, size: number): Example {
  const table_configs = many(size, (n) => ({
    source_dataset: `shop.table_${n}`,
    target_name: `table_${n}`,
    watermark_column: "updated_at",
    primary_keys: ["id"],
  }));
  return { ...example, table_configs };
}

const many = <T>(size: number, make: (n: number) => T): T[] =>
  Array.from({ length: size }, (_, n) => make(n));

export async function measureCodegen(port: number, seconds: number): Promise<CodegenResults> {
  async function generate(name: string, body: Example): Promise<number> {
    const started = performance.now();
    const response = await fetch(`http://127.0.0.1:${port}${template(name).path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as { status: string; errors: string[] };
    if (answer.status !== "success") throw new Error(`${name}: ${answer.errors.slice(0, 3).join(" ")}`);
    return performance.now() - started;
  }

  const coldMs = await generate("consumption-scd2", template("consumption-scd2").example);

  const warm: { name: string; measured: Measured }[] = [];
  for (const name of typical) {
    const { path, example } = template(name);
    const bytes = request("POST", path, token, JSON.stringify(example));
    const run = () => load({ port, next: () => bytes, connections: 1, seconds, status: 200 });
    await run();
    warm.push({ name, measured: await run() });
    console.log(name, warm.at(-1)?.measured);
  }

  const growth: { name: string; ms: number[] }[] = [];
  for (const name of typical) {
    const ms: number[] = [];
    for (const size of growthSizes) {
      const body = grown[name]?.(template(name).example, size) ?? {};
      const times = [await generate(name, body), await generate(name, body), await generate(name, body)];
      ms.push(times.sort((a, b) => a - b)[1] as number);
    }
    growth.push({ name, ms });
    console.log(name, ms);
  }

  const idle = await slowestHealth(() => new Promise((done) => setTimeout(done, 2000)));
  const busy = await slowestHealth(async () => {
    for (const name of typical) await generate(name, grown[name]?.(template(name).example, 1000) ?? {});
  });
  return { coldMs, warm, growth, waits: { idle, busy } };

  /** Repeats `GET /health` until the work is done and returns the longest wait. */
  async function slowestHealth(work: () => Promise<void>): Promise<number> {
    let working = true;
    const done = work().finally(() => {
      working = false;
    });
    let slowest = 0;
    while (working) {
      const started = performance.now();
      await fetch(`http://127.0.0.1:${port}/health`).then((response) => response.text());
      slowest = Math.max(slowest, performance.now() - started);
    }
    await done;
    return slowest;
  }
}
