import type { Client } from "@lakehelm/contract/client";
import fc, { type GeneratorValue } from "@lakehelm/testing/random-cases";

type FlowBody = Parameters<Client["createFlow"]>[0]["body"];

/** Resources, with the tables that each of their tables reads. */
export interface Project {
  /** Tables of the schema `raw`. */
  readonly raw: readonly string[];
  /** The statements of each pipeline. */
  readonly pipelines: readonly (readonly string[])[];
  /** The SQL tasks of an automation. */
  readonly tasks: readonly string[];
  readonly flows: readonly FlowBody[];
  readonly tables: readonly string[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
}

interface Drawn {
  readonly name: string;
  /** The tables that a reader depends on: this table, or the tables that a view reads if only its pipeline sees it. */
  readonly stands: readonly string[];
}

/** The edges are drawn first, and the SQL is written for them. */
export function drawProject(draw: GeneratorValue): Project {
  const below = (max: number) => draw(fc.nat, { max: max - 1 });
  const oneOf = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value;
  const chance = () => below(2) === 0;
  const raw = ["r0", "r1", "r2", "r3"];
  const edges: { from: string; to: string }[] = [];
  const visible: Drawn[] = raw.map((name) => ({
    name: `shop.raw.${name}`,
    stands: [`shop.raw.${name}`],
  }));

  /** A name as people write it: shorter, in other case, quoted. */
  function spelled(full: string): string {
    const parts = full.split(".");
    const least = parts[1] === "sales" ? 1 : 2;
    const kept = parts.slice(3 - (least + below(4 - least)));
    return kept
      .map((part) => (chance() ? part : part.toUpperCase()))
      .map((part) => (chance() ? part : `\`${part}\``))
      .join(".");
  }

  function some(from: readonly Drawn[]): Drawn[] {
    const count = 1 + below(3);
    return [...new Set(Array.from({ length: count }, () => oneOf(from)))];
  }

  /** A query that reads these tables and no others. `isStream`: the first as a stream. */
  function query(reads: readonly Drawn[], isStream = false): string {
    const [first = "", ...rest] = reads.map(({ name }) => spelled(name));
    const head = "SELECT 1 AS id";
    if (isStream) {
      const stream = chance() ? `STREAM(${first})` : `STREAM ${first}`;
      return `${head} FROM ${stream}${rest.map((one) => ` CROSS JOIN ${one}`).join("")}`;
    }
    const unread = visible.filter(
      ({ name }) => name.startsWith("shop.sales.") && !reads.some((one) => one.name === name),
    );
    // A CTE with the name of a table that is not read.
    const hiding = unread.length > 0 ? (oneOf(unread).name.split(".")[2] ?? "x") : "x";
    switch (below(5)) {
      case 0:
        return `${head} FROM ${[first, ...rest].join(", ")}`;
      case 1:
        return `${head} FROM ${first} a${rest.map((one, n) => ` LEFT JOIN ${one} b${n} ON true`).join("")}`;
      case 2:
        return [first, ...rest].map((one) => `${head} FROM ${one}`).join(" UNION ALL ");
      case 3:
        return `WITH ${hiding} AS (${head} FROM ${first}) ${head} FROM ${hiding}${rest.map((one) => ` CROSS JOIN ${one}`).join("")}`;
      default:
        return `${head} FROM (${head} FROM ${first}) q WHERE true${rest.map((one) => ` AND EXISTS (SELECT 1 FROM ${one})`).join("")}`;
    }
  }

  let count = 0;
  function newTable(): string {
    count += 1;
    return `shop.${oneOf(["sales", "clean", "gold"])}.t${count}`;
  }
  function connect(reads: readonly Drawn[], to: string) {
    for (const from of new Set(reads.flatMap(({ stands }) => stands)))
      if (from !== to) edges.push({ from, to });
  }
  function publish(table: string, reads: readonly Drawn[]) {
    connect(reads, table);
    visible.push({ name: table, stands: [table] });
  }

  function pipeline(): string[] {
    const hidden: Drawn[] = [];
    const statements: string[] = [];
    for (let n = 0; n < 6; n += 1) {
      const table = newTable();
      const reads = some([...visible, ...hidden]);
      const kind = below(5);
      if (kind === 0) {
        // A temporary view has a name of one part, and only its pipeline sees it.
        const name = `h${count}`;
        statements.push(`CREATE TEMPORARY VIEW ${name} AS ${query(reads)}`);
        hidden.push({ name: `shop.sales.${name}`, stands: reads.flatMap(({ stands }) => stands) });
        continue;
      }
      if (kind === 1) {
        const [source = visible[0] as Drawn] = [oneOf(visible)];
        statements.push(
          `CREATE STREAMING TABLE ${spelled(table)}`,
          `CREATE FLOW f${count} AS AUTO CDC INTO ${spelled(table)} FROM STREAM(${spelled(source.name)}) KEYS (id) SEQUENCE BY id`,
        );
        publish(table, [source]);
        continue;
      }
      const isStream = kind === 2;
      const what = isStream ? "STREAMING TABLE" : kind === 3 ? "VIEW" : "MATERIALIZED VIEW";
      statements.push(`CREATE ${what} ${spelled(table)} AS ${query(reads, isStream)}`);
      publish(table, reads);
    }
    return statements;
  }

  function task(): string {
    const table = newTable();
    const reads = some(visible);
    const own: Drawn = { name: table, stands: [table] };
    const statement = oneOf([
      () => `CREATE OR REPLACE TABLE ${spelled(table)} AS ${query(chance() ? reads : [...reads, own])}`,
      () => `INSERT INTO ${spelled(table)} ${query(chance() ? reads : [own, ...reads])}`,
      () =>
        `MERGE INTO ${spelled(table)} t USING (${query(reads)}) s ON t.id = s.id WHEN NOT MATCHED THEN INSERT *`,
    ])();
    publish(table, reads);
    return `${statement}; SELECT count(*) FROM ${spelled(oneOf(visible).name)} WHERE id > {{parameters.least}}`;
  }

  function flow(n: number): FlowBody {
    const table = newTable();
    const [matched, unmatched] = [some(visible), some(visible)];
    const declared = new Set([...matched, ...unmatched, oneOf(visible)].map(({ name }) => name));
    const made: FlowBody = {
      flow_name: `flow${n}`,
      target_name: table,
      source_tables: [...declared],
      matched_sql: query(matched),
      unmatched_sql: query(unmatched),
      target_schema: { description: "", columns: [{ name: "id", type: "INT", pk: true, description: "" }] },
      trigger_type: "manual",
      requested_by: "ada",
    };
    publish(table, matched);
    publish(`${table}_unmatched`, unmatched);
    return made;
  }

  const pipelines = [pipeline(), pipeline()];
  const tasks = [task(), task()];
  const flows = [flow(0), flow(1)];
  return { raw, pipelines, tasks, flows, tables: visible.map(({ name }) => name), edges };
}
