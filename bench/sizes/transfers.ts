import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createClient } from "@lakehelm/contract/client";
import { peakMb } from "../movement/sample.ts";
import { cpuSecondsOf, type Started, token } from "../processes.ts";
import type { SizedSystem } from "./system.ts";

/** The rows that a run moved, and its costs. */
export interface LoadResult {
  readonly ms: number;
  /**
   * The processor time of the server and its engine. Unlike the duration, it hardly depends on other work of the
   * machine.
   */
  readonly cpuSeconds?: number;
  /** The peak memory of the engine process during this run. */
  readonly engineMb: number;
  readonly serverMb: number;
  readonly rowsRead: number;
  readonly rowsWritten: number;
  readonly bytes: number;
}

/** Creates and runs connectors of a server through its API. */
export function createTransfers(server: Started) {
  const client = createClient({ baseUrl: `http://127.0.0.1:${server.port}`, token, timeoutMs: 600_000 });

  async function runOf(job_id: string): Promise<LoadResult> {
    for (const pid of processes(server)) resetPeakMemory(pid);
    const before = new Map(processes(server).map((pid) => [pid, cpuSecondsOf(pid)]));
    let run = await client.runJob({ params: { job_id } });
    while (run.status === "queued" || run.status === "running") {
      await new Promise((next) => setTimeout(next, 200));
      run = await client.getRun({ params: { run_id: run.id } });
    }
    if (run.status !== "succeeded") throw new Error(`${run.name} ended as ${run.status}: ${run.error}`);
    const { metrics } = run;
    return {
      ms: Date.parse(run.ended_at ?? "") - Date.parse(run.started_at ?? ""),
      cpuSeconds: processes(server).reduce((sum, pid) => sum + cpuSecondsOf(pid) - (before.get(pid) ?? 0), 0),
      engineMb: processes(server)
        .slice(1)
        .reduce((sum, pid) => sum + peakMb(pid), 0),
      serverMb: peakMb(processes(server)[0] ?? 0),
      rowsRead: Number(metrics.rows_read),
      rowsWritten: Number(metrics.rows_inserted) + Number(metrics.rows_updated),
      bytes: Number(metrics.bytes),
    };
  }

  return {
    /** Creates a connector, and returns a function that runs it to its end. */
    async connector(
      { name, source, target }: SizedSystem,
      direction: "in" | "out",
      hasWatermark: boolean,
      table: string,
    ): Promise<() => Promise<LoadResult>> {
      const from = direction === "in" ? source?.(table) : undefined;
      const to = direction === "out" ? target?.(table) : undefined;
      const watermark = from?.watermark ?? "updated_at";
      const made = await client.createConnector({
        body: {
          name: `${name} ${direction} ${table}`,
          target_type: to?.type ?? "warehouse",
          target_config: to?.config ?? { connection: from?.connection },
          execution_mode: "manual",
          created_by: "bench",
          datasets: [
            {
              source_dataset: from?.dataset ?? "orders",
              target_name: table,
              primary_keys: ["id"],
              ...(hasWatermark && { watermark_column: watermark }),
            },
          ],
          policy: { attempts: 1, timeout_seconds: 86_400 },
        },
      });
      return () => runOf(made.workflow_id ?? "");
    },
    /** Runs a query that returns one value. */
    async query(sql: string): Promise<string> {
      const { rows } = await client.runQuery({ body: { sql, timeout_seconds: 600 } });
      return String(rows[0]?.[0]);
    },
  };
}

/** The ids of the server process and its engine. */
function processes({ process: { pid } }: Started): number[] {
  const engines = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean),
  );
  return [Number(pid), ...engines.map(Number)];
}

/** Writing 5 to clear_refs resets the peak resident set size, VmHWM (proc_pid_clear_refs(5)). */
function resetPeakMemory(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}
