import { setTimeout as wait } from "node:timers/promises";
import type { endpoints, Info, ServerSetting } from "@lakehelm/contract";
import type { DataFolderHolder } from "../../core/data-folder-holder.ts";
import { type DiskSpace, lowDiskSentence } from "../../core/disk-watch.ts";
import { conflict, Problem } from "../../core/errors.ts";
import { metric } from "../../core/metrics/prometheus.ts";
import type { ServerPause } from "../../core/server-pause.ts";
import { versionOf } from "../../core/store/migrate.ts";
import type { ChangeContext, Store } from "../../core/store/store.ts";
import type { Handlers } from "./handler.ts";
import type { Metrics } from "./metrics.ts";

type Routes = "getHealth" | "getInfo" | "getMetrics" | "listSettings" | "resumeServer";

/** The pause after a restore, and its end as an event. */
interface Resuming {
  readonly pause: Pick<ServerPause, "isPaused" | "end">;
  readonly recordResumed: (context: ChangeContext) => Promise<void>;
}

/** How long a database check is cached: probes are frequent, and the result rarely changes. */
const freshMs = 1000;
/** A scrape waits this long for the database, which otherwise counts as down. */
const scrapeWaitMs = 1000;

export function systemHandlers(
  store: Store,
  metrics: Metrics,
  moreMetrics: () => Promise<string>,
  info: Omit<Info, "paused">,
  settings: readonly ServerSetting[],
  { pause, recordResumed }: Resuming,
  holder: () => DataFolderHolder,
  disk: () => DiskSpace,
  now: () => number,
): Handlers<Pick<typeof endpoints, Routes>> {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let problem: string | null = null;
  let databaseUp = true;

  async function checkDatabase(): Promise<void> {
    checkedAt = now();
    try {
      await versionOf(store.engine).catch((error) => {
        databaseUp = false;
        throw error;
      });
      databaseUp = true;
      await store.checkWrites();
      problem = null;
    } catch (error) {
      // The endpoint is public: the error of the database is not shown.
      problem = error instanceof Problem ? error.message : "The database does not respond correctly.";
    }
  }

  /**
   * The server has started once a server holds the data folder. Later gaps do not count: most requests do not need it.
   */
  let hasStarted = false;
  function startProblem(): string | null {
    hasStarted ||= holder() !== undefined;
    return hasStarted ? null : "The server is starting: no server holds the data folder yet.";
  }

  async function readiness(): Promise<string> {
    const late = { isLate: true };
    const checked = await Promise.race([checkDatabase(), wait(scrapeWaitMs, late, { ref: false })]);
    const isUp = databaseUp && checked !== late;
    const isReady = isUp && problem === null && startProblem() === null;
    return (
      metric("lakehelm_ready", "gauge", "1 if the server is ready, as /health says.", Number(isReady)) +
      metric("lakehelm_database_up", "gauge", "1 if the database of the state answers.", Number(isUp)) +
      metric(
        "lakehelm_disk_free_bytes",
        "gauge",
        "Free space of the disk of the data folder.",
        disk().freeBytes,
      ) +
      metric(
        "lakehelm_disk_reserve_bytes",
        "gauge",
        "What must stay free: with less, no run starts.",
        disk().reserveBytes,
      )
    );
  }

  const ready = { text: JSON.stringify({ status: "ok", live: true, ready: true, detail: null }) };

  return {
    async getHealth() {
      if (now() - checkedAt > freshMs) await checkDatabase();
      const detail = problem ?? startProblem();
      if (detail === null && disk().isLow)
        return { body: { status: "degraded", live: true, ready: true, detail: lowDiskSentence(disk()) } };
      if (detail === null) return ready;
      return { body: { status: "unavailable", live: true, ready: false, detail }, status: 503 };
    },
    getInfo: async () => ({ body: { ...info, paused: pause.isPaused() } }),
    listSettings: async () => ({ body: { settings: [...settings] } }),
    async resumeServer({ context }) {
      if (!pause.isPaused()) throw conflict("The server is not paused.");
      await recordResumed(context);
      pause.end();
      return { body: { success: true, message: "The server is active." } };
    },
    async getMetrics() {
      const [more, ofServer] = await Promise.all([moreMetrics(), readiness()]);
      return {
        bytes: [metrics.print() + ofServer + more],
        contentType: "text/plain; version=0.0.4; charset=utf-8",
      };
    },
  };
}
