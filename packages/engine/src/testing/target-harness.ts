import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before } from "node:test";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { TargetContext } from "../connectors/target/context.ts";
import type {
  Checkpoint,
  ConnectorTarget,
  Destination,
  TargetTable,
  WriteResult,
} from "../connectors/target/target.ts";
import { openTarget } from "../connectors/target-registry.ts";
import { type WarehouseColumn, wireType } from "../protocol/column.ts";
import { resolvePath } from "../protocol/files/folder-access.ts";
import type { ConnectionConfig, Reject, WriteStrategy } from "../protocol/transfer.ts";
import { createChangeSet } from "../transfer/change-set.ts";
import { createStagingSink } from "../transfer/staging-sink.ts";
import { quote } from "../warehouse/names.ts";
import { Warehouse } from "../warehouse/warehouse.ts";
import { allowsLoopback } from "./loopback.ts";

export interface TargetRun {
  readonly name?: string;
  readonly select: string;
  readonly keys?: readonly string[];
  readonly strategy?: WriteStrategy;
  readonly whole?: boolean;
  /** A SELECT of the keys of deleted rows. */
  readonly deletedKeys?: string;
  readonly watermark?: string;
  /** The crash point at which the run fails. */
  readonly failAt?: string;
  /** The crash point at which the run is aborted. */
  readonly abortAt?: string;
}

/** The error of a run that the test stopped. */
export class SimulatedStop extends Error {}

/** Writes rows of a real warehouse to targets. */
export class TargetHarness {
  readonly folder: string;
  readonly dataFolder: string;
  readonly context: TargetContext;
  readonly checkpoints = new Map<string, Checkpoint>();
  /** All rejects, in the order of the runs. */
  readonly rejects: Reject[] = [];
  readonly #warehouse: Warehouse;
  readonly #connection: DuckDBConnection;
  #runs = 0;
  /** Called at the crash point `failAt`. */
  stop: (step: string) => void | Promise<void> = (step) => {
    throw new SimulatedStop(step);
  };

  private constructor(folder: string, warehouse: Warehouse, connection: DuckDBConnection) {
    this.folder = folder;
    this.dataFolder = warehouse.folder;
    this.#warehouse = warehouse;
    this.#connection = connection;
    this.context = {
      signal: new AbortController().signal,
      egress: allowsLoopback,
      connector: "crm",
      temporaryFolder: warehouse.stagingFolder,
      diskReserveMb: 0,
      resolvePath: (path) =>
        resolvePath(path, { granted: [dirname(this.dataFolder)], dataFolder: this.dataFolder }),
      openExternal: (access) => warehouse.openExternal(access),
      checkpoints: {
        read: async (stream) => this.checkpoints.get(stream),
        write: async (stream, checkpoint) => void this.checkpoints.set(stream, checkpoint),
      },
    };
  }

  /** The caller must run all `cleanups` at the end. */
  static async start(cleanups: (() => Promise<void>)[]): Promise<TargetHarness> {
    const folder = await mkdtemp(join(tmpdir(), "lakehelm-targets-"));
    const warehouse = await Warehouse.open({ folder: join(folder, "warehouse"), memoryMb: 128, threads: 2 });
    const connection = await warehouse.connect();
    await connection.run("BEGIN");
    cleanups.push(async () => {
      connection.closeSync();
      warehouse.close();
      await rm(folder, { recursive: true, force: true });
    });
    return new TargetHarness(folder, warehouse, connection);
  }

  /** The same warehouse with a new, empty folder. */
  async withNewFolder(): Promise<TargetHarness> {
    return new TargetHarness(await mkdtemp(join(this.folder, "folder-")), this.#warehouse, this.#connection);
  }

  /** Opens the target, runs once, and closes the target. */
  write(connection: ConnectionConfig, run: TargetRun): Promise<WriteResult> {
    return this.with(connection, (target) => this.writeTo(target, run));
  }

  async with<Result>(
    connection: ConnectionConfig,
    work: (target: ConnectorTarget) => Promise<Result>,
  ): Promise<Result> {
    const target = await openTarget(connection, this.context);
    try {
      return await work(target);
    } finally {
      await target.close();
    }
  }

  async writeTo(target: ConnectorTarget, run: TargetRun): Promise<WriteResult> {
    const { select, whole = false, deletedKeys, watermark = "m1", failAt, abortAt } = run;
    await this.#connection.run(`CREATE OR REPLACE TEMP TABLE outgoing AS ${select}`);
    if (deletedKeys) await this.#connection.run(`CREATE OR REPLACE TEMP TABLE leaving AS ${deletedKeys}`);
    const destination = await this.#destination(run);
    const table = await target.table(destination);
    const changes = createChangeSet({
      warehouse: this.#warehouse,
      connection: this.#connection,
      run: `run${++this.#runs}`,
      columns: destination.columns,
      keys: destination.keys,
      relation: "outgoing",
      deletedKeys: deletedKeys && "leaving",
      rows: Number((await this.rows("SELECT count(*) FROM outgoing"))[0]?.[0]),
      whole,
      reject: async (rejects) => void this.rejects.push(...rejects),
    });
    const controller = new AbortController();
    const crashPoint = async (step: string) => {
      if (step === failAt) await this.stop(step);
      if (step === abortAt) controller.abort(new SimulatedStop("aborted"));
    };
    const time = "2026-01-01T00:00:00Z";
    const checkpoint = { value: watermark, time, run: `run${this.#runs}` };
    return table.write(changes, checkpoint, crashPoint, controller.signal).finally(() => changes.clear());
  }

  async #destination({
    name = "orders",
    keys = ["id"],
    strategy = "upsert",
  }: TargetRun): Promise<Destination> {
    const columns = (await this.rows("DESCRIBE outgoing")).map(
      ([column, type]): WarehouseColumn => ({
        name: String(column),
        type: String(type),
        origin: String(type),
      }),
    );
    return { stream: "stream", name, columns, keys, strategy };
  }

  checkpoint(connection: ConnectionConfig, run: Partial<TargetRun> = {}): Promise<Checkpoint | undefined> {
    return this.with(connection, async (target) => (await this.#table(target, run)).readCheckpoint());
  }

  #table(
    target: ConnectorTarget,
    { name = "orders", keys = ["id"], strategy = "upsert" }: Partial<TargetRun>,
  ): Promise<TargetTable> {
    return target.table({ stream: "stream", name, columns: [], keys, strategy });
  }

  /** The target's rows, cast to the types of the rows that were written last; undefined if there is no table. */
  async targetRows(
    connection: ConnectionConfig,
    run: Partial<TargetRun> = {},
  ): Promise<unknown[][] | undefined> {
    return this.with(connection, async (target) => {
      const existing = await (await this.#table(target, run)).existingRows();
      if (!existing) return undefined;
      const { source, dataset } = existing;
      const columns = (await source.describe(dataset)).columns;
      const wire = columns.map((column) => `${quote(column.name)} ${wireType(column)}`).join(", ");
      await this.#connection.run(`CREATE OR REPLACE TEMP TABLE present (${wire})`);
      const { signal } = this.context;
      const into = createStagingSink({
        warehouse: this.#warehouse,
        connection: this.#connection,
        table: "present",
        columns,
        signal,
        onProgress: () => {},
      });
      await source.read({ dataset, columns, since: undefined, into, signal });
      await source.close();
      const types = new Map((await this.rows("DESCRIBE outgoing")).map(([name, type]) => [name, type]));
      const cells = columns.map(({ name, type }) => {
        const value = `CAST(CAST(${quote(name)} AS ${type}) AS ${types.get(name) ?? type})`;
        // A target may change the whitespace of JSON and how numbers are written.
        return types.get(name) === "JSON" ? `json(${value})` : value;
      });
      return this.rows(`SELECT ${cells.join(", ")} FROM present ORDER BY ALL`);
    });
  }

  /** The rows of a SELECT in the warehouse. */
  async rows(sql: string): Promise<unknown[][]> {
    return (await this.#connection.runAndReadAll(sql)).getRowsJson();
  }
}

/** One warehouse for all tests of a suite. Returns a function for each test's own, empty folder. */
export function sharedTargetHarness(): () => Promise<TargetHarness> {
  const cleanups: (() => Promise<void>)[] = [];
  let shared: TargetHarness | undefined;
  before(async () => {
    shared = await TargetHarness.start(cleanups);
  });
  after(async () => {
    for (const cleanUp of cleanups) await cleanUp();
  });
  return async () => {
    if (!shared) throw new Error("The suite has not begun.");
    return shared.withNewFolder();
  };
}
