import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type {
  RunUpdateRequest,
  RunUpdateResult,
  TableUpdateStatus,
  UpdatePlan,
  UpdatePlanRequest,
} from "../../protocol/pipeline.ts";
import type { ScriptPlan, ScriptRequest, ScriptResult } from "../../protocol/script.ts";
import { allowsLoopback } from "../../testing/loopback.ts";
import { runQuery } from "../../warehouse/queries/query.ts";
import type { RequestContext } from "../../warehouse/request-context.ts";
import { Warehouse } from "../../warehouse/warehouse.ts";
import { planPipeline } from "../plan.ts";
import { planScript, runScript } from "../script.ts";
import { runUpdate } from "../update.ts";

export const scope = { environment: "test", catalog: "shop", schema: "sales" };

interface HarnessUpdateOptions extends Partial<RunUpdateRequest> {
  readonly signal?: AbortSignal;
  readonly crashPoint?: (step: string) => void;
}

/** A warehouse, and the requests that a server would make. */
export interface PipelineHarness {
  readonly warehouse: Warehouse;
  /** Runs the statements of a task, each time with a new idempotency key. */
  run(sql: string, how?: Partial<ScriptRequest>): Promise<ScriptResult>;
  planScript(sql: string, parameters?: ScriptRequest["parameters"]): Promise<ScriptPlan>;
  plan(sql: string, how?: Partial<RunUpdateRequest & UpdatePlanRequest>): Promise<UpdatePlan>;
  update(sql: string, how?: HarnessUpdateOptions): Promise<RunUpdateResult>;
  /** The message of the error. */
  errorMessage(work: Promise<unknown>): Promise<string>;
  /** Rows as sorted text. */
  rows(sql: string): Promise<string[]>;
  /** Rows as sorted text, of a query in DuckDB's dialect over any table. */
  internalRows(sql: string): Promise<string[]>;
  /** Hashes of the warehouse's files. */
  content(): Promise<string[]>;
  /** The log and the tables of the last update. */
  readonly lines: readonly string[];
  readonly tables: readonly TableUpdateStatus[];
}

export async function openPipelineHarness(
  t: { after(close: () => Promise<void>): void },
  memoryMb = 256,
): Promise<PipelineHarness> {
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-pipelines-"));
  const warehouse = await Warehouse.open({ folder, memoryMb, threads: 2 });
  await warehouse.createSchema({ catalog: "shop", schema: "sales", table: "" });
  t.after(async () => {
    warehouse.close();
    await rm(folder, { recursive: true, force: true });
  });
  let requests = 0;
  let lines: string[] = [];
  let tables: readonly TableUpdateStatus[] = [];
  const never = new AbortController().signal;
  const context = ({ signal = never, crashPoint = () => {} }: HarnessUpdateOptions): RequestContext => ({
    warehouse: async () => warehouse,
    drop: async () => {},
    holdCommits: async () => {},
    signal,
    log: (_level, text) => lines.push(text),
    progress: (values) => {
      tables = values.tables as readonly TableUpdateStatus[];
    },
    crashPoint,
    egress: allowsLoopback,
    folders: { granted: [], dataFolder: folder },
    now: () => "2026-03-01T12:00:00.000Z",
  });
  const code = (sql: string, how: Partial<RunUpdateRequest>): RunUpdateRequest => ({
    scope,
    pipeline: "p1",
    sources: [{ path: "orders.sql", text: sql }],
    configuration: {},
    update: `update-${++requests}`,
    refresh: "all",
    fullRefresh: [],
    ...how,
  });
  return {
    warehouse,
    run: (sql, how = {}) =>
      runScript(
        warehouse,
        { scope, sql, parameters: {}, idempotencyKey: `script-${++requests}`, ...how },
        context({}),
      ),
    planScript: (sql, parameters = {}) => planScript(warehouse, { scope, sql, parameters }, never),
    plan: (sql, how = {}) => planPipeline(warehouse, code(sql, how), never),
    update: async (sql, { signal = never, crashPoint = () => {}, ...how } = {}) => {
      lines = [];
      tables = [];
      return runUpdate(warehouse, code(sql, how), context({ signal, crashPoint }));
    },
    errorMessage: (work) =>
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
      const read: unknown[][] = JSON.parse(Buffer.from(rows).toString());
      return read.map((row) => row.join(" ")).sort();
    },
    async internalRows(sql) {
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
