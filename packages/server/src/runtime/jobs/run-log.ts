import { setImmediate as turn } from "node:timers/promises";
import type { RunLine } from "@lakehelm/contract";
import { sql } from "kysely";
import type { Dependencies } from "../../core/dependencies.ts";
import { type Step, VersionConflict } from "../../core/store/store.ts";
import { unrecorded } from "../../core/system.ts";

type Level = RunLine["level"];

/** Collects the log lines of one attempt. */
export interface LineWriter {
  line(level: Level, text: string): void;
  /** Writes the remaining lines. */
  close(): Promise<void>;
}

type RunLogRow = { run_id: string; n: number; time: string; level: Level; line: string };

interface FoundLines {
  readonly lines: RunLine[];
  readonly examined: number;
}

export interface RunLog {
  open(runId: string): Promise<LineWriter>;
  /** A single line as a step of another change. */
  append(runId: string, level: Level, line: string, time: string): Step;
  read(runId: string, after: number, limit: number): Promise<RunLine[]>;
  /** The number of the last line; 0: there is none. */
  last(runId: string): Promise<number>;
  /** Lines that contain a text, in any case, and the number of the last line that was examined. */
  search(runId: string, after: number, limit: number, text: string): Promise<FoundLines>;
  /** All lines: a log has a limited size. */
  whole(runId: string): Promise<RunLine[]>;
  /** A line at a given position as a step of another change. */
  insert(row: RunLogRow): Step;
  /** Calls back when a run may have new lines. Returns how to unsubscribe. */
  onLines(runId: string, listener: () => void): () => void;
  /** Wakes the readers of a run. */
  wake(runId: string): void;
}

const bufferMs = 200;
const mostLines = 10_000;
const mostCharacters = 1024 * 1024;
const longestLine = 8 * 1024;
/** A search reads this many lines, then lets others run; and no more than these at once. */
const stretch = 2_000;
const mostExamined = 50_000;
/** The largest number of a line that PostgreSQL compares with. */
const maxLine = 2 ** 31 - 1;

export function createRunLog({ store, system }: Dependencies): RunLog {
  const listeners = new Map<string, Set<() => void>>();
  const insert = store.prepare(
    (db, v: { run_id: string; n: number; time: string; level: string; line: string }) =>
      db
        .insertInto("run_log")
        .values({ run_id: v.run_id, n: v.n, time: v.time, level: v.level, line: v.line }),
  );
  const append = store.prepare((db, v: { run_id: string; time: string; level: string; line: string }) =>
    db.insertInto("run_log").values({
      run_id: v.run_id,
      n: sql<number>`(select coalesce(max(n), 0) + 1 from run_log where run_id = ${v.run_id})`,
      time: v.time,
      level: v.level,
      line: v.line,
    }),
  );
  const extent = store.prepare((db, v: { run_id: string }) =>
    db
      .selectFrom("run_log")
      .select((eb) => [
        eb.fn.max<number | null>("n").as("last"),
        sql<number | null>`sum(length(line))`.as("characters"),
      ])
      .where("run_id", "=", v.run_id),
  );
  const page = store.prepare((db, v: { run_id: string; after: number; limit: number }) =>
    db
      .selectFrom("run_log")
      .select(["n", "time", "level", "line"])
      .where("run_id", "=", v.run_id)
      .where("n", ">", v.after)
      .orderBy("n")
      .limit(v.limit),
  );
  const lastLine = store.prepare((db, v: { run_id: string }) =>
    db
      .selectFrom("run_log")
      .select((eb) => eb.fn.max<number | null>("n").as("last"))
      .where("run_id", "=", v.run_id),
  );
  const extentOf = async (runId: string) => {
    const row = await store.one(extent({ run_id: runId }));
    return { last: Number(row?.last ?? 0), characters: Number(row?.characters ?? 0) };
  };

  async function read(runId: string, after: number, limit: number): Promise<RunLine[]> {
    const rows = await store.all(page({ run_id: runId, after: Math.min(after, maxLine), limit }));
    return rows.map((row) => ({ ...row, level: row.level as Level }));
  }

  function wake(runId: string): void {
    for (const listener of listeners.get(runId) ?? []) listener();
  }

  return {
    async open(runId) {
      let { last, characters } = await extentOf(runId);
      let taken = last;
      let buffered: Omit<RunLine, "n">[] = [];
      let timer: NodeJS.Timeout | undefined;
      let pending: Promise<void> = Promise.resolve();

      async function write(lines: readonly Omit<RunLine, "n">[], tries = 2): Promise<void> {
        const steps = lines.map((line, n) => insert({ ...line, run_id: runId, n: last + n + 1 }));
        try {
          await store.apply({ context: unrecorded, steps, events: [] });
          last += lines.length;
          wake(runId);
        } catch (error) {
          // Another writer added a line, or the run was deleted. A log that cannot be written must not stop the run.
          if (!(error instanceof VersionConflict) || tries === 0) return;
          last = (await extentOf(runId)).last;
          await write(lines, tries - 1);
        }
      }

      function flush(): void {
        clearTimeout(timer);
        timer = undefined;
        const lines = buffered;
        buffered = [];
        if (lines.length > 0) pending = pending.then(() => write(lines));
      }

      return {
        line(level, text) {
          const isFull = () => taken >= mostLines || characters >= mostCharacters;
          if (isFull()) return;
          const line = storable(text);
          taken += 1;
          characters += line.length;
          const time = system.now().toISOString();
          buffered.push({ time, level, line });
          if (isFull()) {
            const end = `The log ends here: it has reached ${mostLines} lines or ${mostCharacters} characters.`;
            buffered.push({ time, level: "warn", line: end });
          }
          timer ??= setTimeout(flush, bufferMs);
        },
        async close() {
          flush();
          await pending;
        },
      };
    },
    append: (runId, level, line, time) => append({ run_id: runId, level, line: storable(line), time }),
    read,
    last: async (runId) => Number((await store.one(lastLine({ run_id: runId })))?.last ?? 0),
    async search(runId, after, limit, text) {
      const wanted = text.toLowerCase();
      const lines: RunLine[] = [];
      let examined = after;
      while (examined - after < mostExamined) {
        const some = await read(runId, examined, stretch);
        for (const line of some) {
          examined = line.n;
          if (line.line.toLowerCase().includes(wanted)) lines.push(line);
          if (lines.length === limit) return { lines, examined };
        }
        if (some.length < stretch) break;
        await turn();
      }
      return { lines, examined };
    },
    // Lines of several attempts, and those that are steps of other changes, may exceed the limit by some.
    whole: (runId) => read(runId, 0, 2 * mostLines),
    insert,
    onLines(runId, listener) {
      const some = listeners.get(runId) ?? new Set();
      listeners.set(runId, some.add(listener));
      return () => {
        some.delete(listener);
        if (some.size === 0) listeners.delete(runId);
      };
    },
    wake,
  };
}

/** PostgreSQL rejects NUL in text, and both databases reject unpaired surrogates. */
function storable(text: string): string {
  const line =
    text.length > longestLine ? `${text.slice(0, longestLine)} … (${text.length} characters)` : text;
  return line.replaceAll("\0", "␀").toWellFormed();
}
