import { availableParallelism, totalmem } from "node:os";
import { resolve } from "node:path";
import type { Engine, EngineLimits, EngineRequests, RequestKind } from "@lakehelm/engine";
import { besideWarehouseMb, type Settings } from "../../../settings.ts";
import type { Warehouse } from "../platform.ts";

/**
 * DuckDB's share of the engine's memory, if that is set. Files and DuckDB databases of connectors are read by a second DuckDB
 * with half of that limit. Of 1 GB, the rest is 450 MB: 170 for Node and DuckDB's program, 190 for the SQL translator, and reader
 * threads (bench/sizes.md).
 */
const warehouseShare = 3 / 8;

/** DuckDB's memory limit: as set, a share of what is set for the engine, or of the memory that this process may use. */
export const warehouseMemoryMb = (
  {
    PLATFORM_WAREHOUSE_MEMORY_MB: set,
    PLATFORM_ENGINE_MEMORY_MB: engineMb,
  }: Pick<Settings, "PLATFORM_WAREHOUSE_MEMORY_MB" | "PLATFORM_ENGINE_MEMORY_MB">,
  machineMb = Math.min(totalmem(), process.constrainedMemory() || totalmem()) / 2 ** 20,
): number => {
  if (set !== undefined) return set;
  if (engineMb !== undefined) return Math.floor(engineMb * warehouseShare);
  return Math.floor(Math.min(2048, Math.max(128, machineMb / 8)));
};

/** DuckDB's threads. Each needs memory of its own: with too many of them an operation fails that one could finish. */
export const warehouseThreads = (settings: Settings): number =>
  settings.PLATFORM_WAREHOUSE_THREADS ||
  Math.min(availableParallelism(), Math.max(1, Math.floor(warehouseMemoryMb(settings) / 64)));

/** The memory limit of the engine's process. It holds the warehouses of all environments. */
export function engineMemoryMb(settings: Settings): number {
  const memoryMb = warehouseMemoryMb(settings);
  const set = settings.PLATFORM_ENGINE_MEMORY_MB ?? Math.max(2048, 3 * memoryMb + 768);
  return Math.max(set, memoryMb + besideWarehouseMb);
}

/** The limits that the engine's process enforces, and that are enforced on it. */
export const engineLimits = (settings: Settings): Partial<EngineLimits> => ({
  processMb: engineMemoryMb(settings),
  spillMb: settings.PLATFORM_WAREHOUSE_SPILL_MB,
  ...(settings.PLATFORM_WAREHOUSE_SPILL_DIR && {
    spillFolder: resolve(settings.PLATFORM_WAREHOUSE_SPILL_DIR),
  }),
  diskReserveMb: settings.PLATFORM_DISK_RESERVE_MB,
  valueBytes: settings.PLATFORM_QUERY_VALUE_BYTES,
  answerBytes: settings.PLATFORM_QUERY_ANSWER_BYTES,
});

/** The warehouse for requests whose caller waits: each has a time limit, and a query also a limit of rows. */
export function limitedWarehouse(engine: Pick<Engine, "request">, settings: Settings): Required<Warehouse> {
  const queryMs = settings.PLATFORM_QUERY_TIMEOUT_SECONDS * 1000;
  const timeoutMs = settings.PLATFORM_PREVIEW_TIMEOUT_SECONDS * 1000;
  const limited =
    <Kind extends RequestKind>(kind: Kind) =>
    (body: EngineRequests[Kind][0], { signal }: { readonly signal: AbortSignal }) =>
      engine.request(kind, body, { signal, timeoutMs });
  return {
    query: (query, { signal }) =>
      engine.request(
        "query",
        {
          ...query,
          timeoutMs: Math.min(query.timeoutMs, queryMs),
          limit: Math.min(query.limit, settings.PLATFORM_QUERY_ROWS),
        },
        { signal },
      ),
    catalog: limited("catalog"),
    metadata: limited("metadata"),
    applyMetadata: limited("applyMetadata"),
    alterTable: limited("alterTable"),
    check: limited("check"),
    discover: limited("discover"),
    listFiles: limited("listFiles"),
    preview: limited("preview"),
    rejects: limited("rejects"),
    endCapture: limited("endCapture"),
    pipelinePlan: limited("pipelinePlan"),
    scriptPlan: limited("scriptPlan"),
    flowPlan: limited("flowPlan"),
  };
}
