import { encodeJson } from "@lakehelm/contract/schema";
import type { Logger } from "pino";
import { createKeyedMutex } from "../../core/concurrency/keyed-mutex.ts";
import type { Dependencies } from "../../core/dependencies.ts";
import { metric } from "../../core/metrics/prometheus.ts";
import type { Archive } from "../../core/retention/archive.ts";
import type { RetentionStats } from "../../core/retention/retention.ts";
import { serverContext } from "../../core/system.ts";

/** Whole lines of the output of a process, with secrets hidden, and the positions where they begin and end. */
export interface OutputPiece {
  readonly after: number;
  readonly before: number;
  readonly lines: readonly string[];
}

/** What happens to the output that the log of a process no longer keeps. */
export interface OlderOutput {
  /** Whether there is an archive at all. */
  readonly isArchived: boolean;
  /** Makes the pieces durable. False: the archive has no more room for this process. Throws if it cannot be written. */
  archive(pieces: readonly OutputPiece[]): Promise<boolean>;
  failed(error: unknown): void;
  /** These bytes were removed without an archive. */
  removed(bytes: number, why: string): void;
}

export interface OutputArchive {
  of(processId: string): OlderOutput;
  stats(): RetentionStats;
  /** The bytes of output that were removed without an archive since the server started. */
  unarchivedBytes(): number;
}

const kind = "process_logs";

/** Archives the output of apps and agents in files that can be verified, up to a size limit for each process. */
export function createOutputArchive(
  { store, system, settings }: Pick<Dependencies, "store" | "system" | "settings">,
  archive: Archive | undefined,
  log: Logger,
): OutputArchive {
  const maxBytes = settings.PLATFORM_PROCESS_LOG_ARCHIVE_MB * 1024 * 1024;
  const counts = { removed: 0, archivedBytes: 0, failures: 0, isFailing: false };
  let unarchived = 0;
  /** Writes one file at a time, because the manifest lists the files in order. */
  const mutex = createKeyedMutex();

  return {
    of(processId) {
      const name = processId.replaceAll("/", "-");
      return {
        isArchived: archive !== undefined,
        async archive(pieces) {
          const [first] = pieces;
          const last = pieces.at(-1);
          if (!archive || !first || !last) return false;
          const lines = pieces.map((piece) => encodeJson({ process_id: processId, ...piece }));
          const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
          const count = pieces.length;
          const entry = await mutex.run(kind, async () => {
            if ((await archive.bytesOf(name)) + bytes > maxBytes) return undefined;
            const range = { first: `${name}-${labelOf(first.after)}`, last: labelOf(last.before), count };
            return archive.write(kind, range, lines);
          });
          if (!entry) return false;
          counts.removed += count;
          counts.archivedBytes += entry.bytes;
          counts.isFailing = false;
          const data = {
            records: kind,
            process_id: processId,
            first: first.after,
            last: last.before,
            count,
            file: `${kind}/${entry.file}`,
            sha256: entry.sha256,
          };
          log.info(data, "retention: archived and removed");
          const event = { kind: "retention.archived", subject: `retention/${kind}`, data };
          // The file and its manifest are already durable: if the event cannot be written, the output must not be
          // archived again.
          await store
            .apply({ context: serverContext(system), steps: [], events: [event] })
            .catch((error) => log.error({ err: error, ...data }, "an event could not be written"));
          return true;
        },
        failed(error) {
          counts.failures += 1;
          if (!counts.isFailing)
            log.error(
              { err: error, records: kind, process_id: processId },
              "retention failed: output of a process cannot be archived; its log keeps up to 64 MB until it can",
            );
          counts.isFailing = true;
        },
        removed(bytes, why) {
          unarchived += bytes;
          log.warn(
            { records: kind, process_id: processId, bytes, why },
            "retention: removed without an archive",
          );
        },
      };
    },
    stats: () => ({ kind, ...counts }),
    unarchivedBytes: () => unarchived,
  };
}

/** Padded, so that file names sort by position. */
const labelOf = (position: number): string => String(position).padStart(12, "0");

/** Counted per server since its start. */
export const unarchivedOutputMetrics = (bytes: number): string =>
  metric(
    "lakehelm_process_log_unarchived_bytes_total",
    "counter",
    "Output of apps and agents that was removed without an archive.",
    bytes,
  );
