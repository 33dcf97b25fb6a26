import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type {
  PipelinePlan,
  PipelineUpdateRequest,
  PipelineUpdateResult,
  TableUpdateStatus,
} from "../../protocol/pipeline.ts";
import type { ScriptPlan, ScriptRequest, ScriptResult } from "../../protocol/script.ts";
import { runQuery } from "../../warehouse/queries/query.ts";
import type { RequestContext } from "../../warehouse/request-context.ts";
import { Warehouse } from "../../warehouse/warehouse.ts";
import { planPipeline } from "../plan.ts";
import { planScript, runScript } from "../script.ts";
import { runUpdate } from "../update.ts";

export const scope = { environment: "test", catalog: "shop", schema: "sales" };

interface UpdateOptions extends Partial<PipelineUpdateRequest> {
  readonly signal?: AbortSignal;
  readonly crashPoint?: (step: string) => void;
}

/** A warehouse of its own, and what a server would ask of it. */
export interface PipelineHarness {
  readonly warehouse: Warehouse;
  /** Statements of a task, each time under another mark. */
  run(sql: string, how?: Partial<ScriptRequest>): Promise<ScriptResult>;
  planScript(sql: string, parameters?: ScriptRequest["parameters"]): Promise<ScriptPlan>;
  plan(sql: string, how?: Partial<PipelineUpdateRequest>): Promise<PipelinePlan>;
  update(sql: string, how?: UpdateOptions): Promise<PipelineUpdateResult>;
  /** The sentence that it fails with. */
  refusal(work: Promise<unknown>): Promise<string>;
  /** Rows as texts, sorted. */
  rows(sql: string): Promise<string[]>;
  /** The same in DuckDB's dialect, over anything. */
  own(sql: string): Promise<string[]>;
  /** Everything that the warehouse's files hold, as hashes. */
  content(): Promise<string[]>;
  /** What the last update said: its log, and the tables as they were told last. */
  readonly lines: readonly string[];
  readonly tables: readonly TableUpdateStatus[];
}

export async function openPipelineHarness(t: {
  after(close: () => Promise<void>): void;
}): Promise<PipelineHarness> {
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-pipelines-"));
  const warehouse = await Warehouse.open({ folder, memoryMb: 256, threads: 2 });
  await warehouse.createSchema({ catalog: "shop", schema: "sales", table: "" });
  t.after(async () => {
    warehouse.close();
    await rm(folder, { recursive: true, force: true });
  });
  let asked = 0;
  let lines: string[] = [];
  let tables: readonly TableUpdateStatus[] = [];
  const never = new AbortController().signal;
  const context = ({ signal = never, crashPoint = () => {} }: UpdateOptions): RequestContext => ({
    warehouse: async () => warehouse,
    drop: async () => {},
    signal,
    log: (_level, text) => lines.push(text),
    progress: (values) => {
      tables = values.tables as readonly TableUpdateStatus[];
    },
    crashPoint,
    folders: { own: folder, allowed: [] },
    now: () => "2026-03-01T12:00:00.000Z",
  });
  const code = (sql: string, how: Partial<PipelineUpdateRequest>): PipelineUpdateRequest => ({
    scope,
    pipeline: "p1",
    sources: [{ path: "orders.sql", text: sql }],
    configuration: {},
    update: `update-${++asked}`,
    refresh: "all",
    fullRefresh: [],
    ...how,
  });
  return {
    warehouse,
    run: (sql, how = {}) =>
      runScript(
        warehouse,
        { scope, sql, parameters: {}, idempotencyKey: `script-${++asked}`, ...how },
        context({}),
      ),
    planScript: (sql, parameters = {}) => planScript(warehouse, { scope, sql, parameters }, never),
    plan: (sql, how = {}) => planPipeline(warehouse, code(sql, how), never),
    update: async (sql, { signal = never, crashPoint = () => {}, ...how } = {}) => {
      lines = [];
      tables = [];
      return runUpdate(warehouse, code(sql, how), context({ signal, crashPoint }));
    },
    refusal: (work) =>
      work.then(
        (done) => `It ran: ${JSON.stringify(done)}`,
        (error) => (error instanceof Error ? error.message : String(error)),
      ),
    async rows(sql) {
      const { rows = [] } = await runQuery(
        warehouse,
        { scope, sql, dialect: "databricks", skip: 0, limit: 10_000, timeoutMs: 10_000, format: "json" },
        never,
      );
      return rows.map((row) => row.join(" ")).sort();
    },
    async own(sql) {
      const connection = await warehouse.connect();
      const found = await connection.runAndReadAll(sql);
      connection.closeSync();
      return found.getRowsJson().map((row) => row.join(" "));
    },
    async content() {
      const connection = await warehouse.connect();
      await connection.run("CHECKPOINT shop");
      connection.closeSync();
      const files = (await readdir(folder)).filter((file) => file.startsWith("shop.duckdb")).sort();
      return Promise.all(
        files.map(async (file) => {
          const bytes = await readFile(join(folder, file));
          return `${file} ${createHash("sha256").update(bytes).digest("hex")}`;
        }),
      );
    },
    get lines() {
      return lines;
    },
    get tables() {
      return tables;
    },
  };
}
