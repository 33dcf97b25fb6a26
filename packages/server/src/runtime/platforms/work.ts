import { encodeJson } from "@lakehelm/contract/schema";
import { conflict, type Problem, unavailable } from "../../core/errors.ts";
import type { Step, Store } from "../../core/store/store.ts";
import { DataFolderLost, type Intent, type Outcome, type Platform } from "./platform.ts";

/** Writes what became of an intent into the state of its subject; `done` goes into that change. */
type Recorder = (intent: Intent, outcome: Outcome, done: Step) => Promise<void>;

export interface Asked {
  readonly steps: readonly Step[];
  /** Known at once if the platform acts within the change. */
  readonly outcome: Outcome | undefined;
  /** After the change: does what is still to do, and has the noun record its outcome. */
  finish(): Promise<void>;
}

/**
 * What platforms must do, between the change that wants it and the change that records it. The intent is
 * written with the state; a restart finishes what a crash interrupted.
 */
export interface Work {
  /** The platform that speaks for an environment; 409 if nobody here does. */
  platform(name: string): Platform;
  /** Turns an intent into steps for the change that wants it. */
  ask(platform: Platform, intent: Intent): Asked;
  /** A noun says how outcomes for its subjects (`connector/…`) are recorded. */
  onOutcome(noun: string, record: Recorder): void;
  /** Finishes what an earlier process left with platforms that need the data folder, or with the others; answers how much that was. */
  resume(
    platformOf: (environmentId: string) => Promise<string | undefined>,
    needing: "data" | "no data",
  ): Promise<number>;
}

export function createWork(store: Store, platforms: readonly Platform[]): Work {
  const recorders = new Map<string, Recorder>();
  const insert = store.prepare(
    (db, v: { id: string; environment_id: string; kind: string; subject: string; data: string }) =>
      db.insertInto("intents").values({
        id: v.id,
        environment_id: v.environment_id,
        kind: v.kind,
        subject: v.subject,
        data: v.data,
      }),
  );
  const remove = store.prepare((db, v: { id: string }) => db.deleteFrom("intents").where("id", "=", v.id));
  const pending = store.prepare((db, _: Record<string, never>) =>
    // Those without an environment are no platform's: their nouns finish them.
    db.selectFrom("intents").selectAll().where("environment_id", "is not", null).orderBy("id"),
  );

  async function carryOut(platform: Platform, intent: Intent): Promise<void> {
    const outcome = await platform.perform(intent).catch((error: Error): Outcome => {
      // The intent stays: it is finished by whoever takes over.
      if (error instanceof DataFolderLost)
        throw unavailable(`${error.message} It is finished by the next.`, error);
      return { done: false, reason: error.message };
    });
    const record = recorders.get(intent.subject.split("/", 1)[0] as string);
    await record?.(intent, outcome, remove({ id: intent.id }));
  }

  function platform(name: string): Platform {
    const known = platforms.find((one) => one.name === name);
    if (!known) throw unspoken(name, platforms);
    return known;
  }

  return {
    platform,
    ask(platform, intent) {
      const within = platform.within?.(intent);
      if (within) return { ...within, finish: async () => {} };
      const row = insert({
        id: intent.id,
        environment_id: intent.environmentId,
        kind: intent.kind,
        subject: intent.subject,
        data: encodeJson(intent.data),
      });
      return { steps: [row], outcome: undefined, finish: () => carryOut(platform, intent) };
    },
    onOutcome: (noun, record) => void recorders.set(noun, record),
    async resume(platformOf, needing) {
      const left = await store.all(pending({}));
      let resumed = 0;
      for (const row of left) {
        const environmentId = row.environment_id ?? "";
        const name = await platformOf(environmentId);
        const known = platforms.find((one) => one.name === name);
        if (!known || (known.needsData === true) !== (needing === "data")) continue;
        const intent = {
          ...row,
          environmentId,
          kind: row.kind as Intent["kind"],
          data: JSON.parse(row.data),
        };
        await carryOut(known, intent);
        resumed += 1;
      }
      return resumed;
    },
  };
}

const unspoken = (name: string, platforms: readonly Platform[]): Problem =>
  conflict(
    `Nobody here speaks the platform "${name}"; this server speaks ${platforms.map((p) => p.name).join(", ")}.`,
  );
