import assert from "node:assert/strict";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { callNow, disguiseNames, revealNames } from "@lakehelm/sql";
import { Dialect, transpile } from "@polyglot-sql/sdk";
import { type ConsumptionFlow, views } from "../flow.ts";
import { planFlow } from "../plan.ts";
import { createQuality, qualityChecks } from "../quality.ts";
import type { FlowStep } from "../step.ts";
import { createSchema, createTable } from "../target-ddl.ts";

export interface FlowMergeCounts {
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
  /** The result of a count step. */
  readonly outranked?: number;
}

/** A real DuckDB that runs the steps of a flow, translated to its dialect. */
export class FlowDuckDb implements AsyncDisposable {
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#instance = instance;
    this.#connection = connection;
  }

  static async open(): Promise<FlowDuckDb> {
    const instance = await DuckDBInstance.create(":memory:");
    const duck = new FlowDuckDb(instance, await instance.connect());
    await duck.run("ATTACH ':memory:' AS shop");
    await duck.run("CREATE SCHEMA shop.sales");
    await duck.run("USE shop.sales");
    await duck.run("SET TimeZone = 'UTC'");
    // Functions of Spark that have other names in DuckDB.
    await duck.run("CREATE TEMP MACRO sha2(text, bits) AS sha256(text)");
    await duck.run("CREATE TEMP MACRO unix_micros(moment) AS epoch_us(moment)");
    await duck.run("CREATE TEMP MACRO pmod(number, divisor) AS (number % divisor)::INT");
    return duck;
  }

  async run(sql: string): Promise<void> {
    await this.#connection.run(sql);
  }

  /** Rows as JSON; numbers beyond 2^53 and decimals as text. */
  async rows(sql: string): Promise<Record<string, unknown>[]> {
    const reader = await this.#connection.runAndReadAll(sql);
    return reader.getRowObjectsJson();
  }

  /** Runs all steps of the flow's notebook, and returns the row counts of its MERGEs by step. */
  async runFlow(
    flow: ConsumptionFlow,
    { businessDate = "", until = "" } = {},
  ): Promise<Record<string, FlowMergeCounts>> {
    await this.run(createSchema(flow));
    await this.run(portable(createTable(flow)));
    if (businessDate) {
      await this.run(
        `CREATE OR REPLACE TEMP VIEW ${views.run} AS SELECT DATE '${businessDate}' AS business_date`,
      );
    }
    const { read, publish, keep } = planFlow(flow);
    const counts: Record<string, FlowMergeCounts> = {};
    for (const step of [...read, ...publish, ...keep]) {
      if (step.name === until) break;
      if (step.only && (step.only === "with a date") !== (businessDate !== "")) continue;
      const found = await this.#runStep(step, businessDate);
      if (found) counts[step.name] = found;
    }
    return counts;
  }

  async #runStep(step: FlowStep, businessDate: string): Promise<FlowMergeCounts | undefined> {
    const sql = portable(step.sql);
    switch (step.kind) {
      case "view": {
        const date =
          step.date && businessDate ? portable(`SELECT ${step.date}`).slice("SELECT ".length) : undefined;
        const rows = date ? `SELECT * FROM (${sql}) WHERE ${date} = DATE '${businessDate}'` : sql;
        return void (await this.run(`CREATE OR REPLACE TEMP VIEW ${step.view} AS ${rows}`));
      }
      case "guard": {
        const [row] = await this.rows(sql);
        const found = Number(Object.values(row ?? {})[0]);
        assert.equal(found, 0, `${found} ${step.failure}`);
        return undefined;
      }
      case "count": {
        const [row] = await this.rows(sql);
        const { found } = row ?? {};
        return { inserted: 0, updated: 0, deleted: 0, outranked: Number(found) };
      }
      case "merge": {
        const done = await this.rows(`${sql} RETURNING merge_action`);
        const of = (action: string) => done.filter((row) => row.merge_action === action).length;
        return { inserted: of("INSERT"), updated: of("UPDATE"), deleted: of("DELETE") };
      }
      case "statement":
        return void (await this.run(sql));
      case "table":
        await this.run(sql);
        return void (await this.#addNewColumns(step.table, step.view));
    }
  }

  async #addNewColumns(table: string, view: string): Promise<void> {
    const existing = (await this.rows(`DESCRIBE ${table}`)).map((row) => row.column_name);
    for (const { column_name, column_type } of await this.rows(`DESCRIBE ${view}`)) {
      if (!existing.includes(column_name))
        await this.run(`ALTER TABLE ${table} ADD COLUMN "${column_name}" ${column_type}`);
    }
  }

  /** The names of the checks that fail. */
  async failedChecks(flow: ConsumptionFlow): Promise<string[]> {
    await this.run(portable(createQuality(flow)));
    const failed: string[] = [];
    for (const { name, sql } of qualityChecks(flow)) {
      if ((await this.rows(portable(sql))).length > 0) failed.push(name);
    }
    return failed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#connection.closeSync();
    this.#instance.closeSync();
  }
}

/** Translates a statement for DuckDB. */
function portable(sql: string): string {
  const own = sql
    // Storage clauses and comments are specific to Delta, and the parser does not support all of them.
    .replace(/^\)\nUSING DELTA\n.*$/ms, ")")
    .replace(/ COMMENT '(?:[^'\\]|\\.)*'/g, "")
    // DuckDB's to_json has no options. It writes microseconds by default.
    .replace(/, map\('timestampFormat'[^)]*\)/g, "");
  const { success, sql: written, error } = transpile(disguiseNames(own), Dialect.Databricks, Dialect.DuckDB);
  assert.ok(success && written?.length === 1, `${error}\n${own}`);
  return revealNames(callNow(written[0] ?? ""));
}
