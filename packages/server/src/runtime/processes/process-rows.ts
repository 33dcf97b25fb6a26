import { encodeJson } from "@lakehelm/contract/schema";
import type { ChangeContext, Step, Store } from "../../core/store/store.ts";
import type { Observation } from "../platforms/platform.ts";
import type { ProgramMode } from "./confinement/confinement.ts";

/** One start of a process; pid and start time are known once it exists. */
export interface ProcessStart {
  readonly mark: string;
  readonly port: number;
  readonly url: string;
  readonly boot: string;
  readonly pid: number | null;
  readonly began: string | null;
  /** How the process is confined; earlier versions did not confine processes. */
  readonly mode?: ProgramMode;
  /** The user that the process runs as, if it differs from the server's. */
  readonly user?: number | null;
}

/**
 * The user that identifies the processes of a program. In a namespace it does not: the namespace ends with the program,
 * and a second server on this machine may use the same numbers.
 */
export const identifyingUser = ({ mode, user = null }: Pick<ProcessStart, "mode" | "user">): number | null =>
  mode === "user" ? user : null;

/** The record of a process for the next lease holder. */
export interface ProcessRecord {
  readonly id: string;
  readonly environmentId: string;
  readonly desired: "running" | "stopped";
  /** When the desired state was requested. */
  readonly requestedAt: string;
  /** The outbox entry that deployed it; also the name of the folder. */
  readonly deploy: string;
  readonly name: string;
  readonly sourcePath: string;
  readonly start: ProcessStart | null;
  /** The recent times at which the process ended unexpectedly. */
  readonly ends: readonly string[];
  /** The last observation; null until the first start has succeeded or failed. */
  readonly observation: Observation | null;
}

export interface ProcessRows {
  all(): Promise<ProcessRecord[]>;
  /** The only writer of a record is the lease holder of the data folder. */
  save(record: ProcessRecord, context: ChangeContext): Promise<void>;
  /** For the transaction that removes an agent, an app or an environment. */
  removalOf(id: string): Step;
  removalBelow(prefix: string): Step;
  removalIn(environmentId: string): Step;
}

export function createProcessRows(store: Store): ProcessRows {
  type Columns = { id: string; environment_id: string; desired: string; doc: string; version: number };
  const every = store.prepare((db, _: Record<string, never>) =>
    db.selectFrom("processes").selectAll().orderBy("id"),
  );
  const upsert = store.prepare((db, v: Columns) =>
    db
      .insertInto("processes")
      .values({
        id: v.id,
        environment_id: v.environment_id,
        desired: v.desired,
        doc: v.doc,
        version: v.version,
      })
      .onConflict((oc) =>
        oc.column("id").doUpdateSet((eb) => ({
          desired: eb.ref("excluded.desired"),
          doc: eb.ref("excluded.doc"),
          version: eb("processes.version", "+", 1),
        })),
      ),
  );
  const remove = store.prepare((db, v: { id: string }) => db.deleteFrom("processes").where("id", "=", v.id));
  const removeLike = store.prepare((db, v: { pattern: string }) =>
    db.deleteFrom("processes").where("id", "like", v.pattern),
  );
  const removeIn = store.prepare((db, v: { environment_id: string }) =>
    db.deleteFrom("processes").where("environment_id", "=", v.environment_id),
  );

  return {
    async all() {
      const rows = await store.all(every({}));
      return rows.map(({ id, environment_id, desired, doc }) => {
        const { askedAt: requestedAt, sight: observation, ...rest } = JSON.parse(doc);
        return { ...rest, id, environmentId: environment_id, desired, requestedAt, observation };
      });
    },
    async save({ id, environmentId, desired, requestedAt, observation, ...rest }, context) {
      const doc = encodeJson({ ...rest, askedAt: requestedAt, sight: observation });
      const row = { id, environment_id: environmentId, desired, doc, version: 1 };
      await store.apply({ context, steps: [upsert(row)], events: [] });
    },
    removalOf: (id) => remove({ id }),
    // Our ids contain no characters that are special in a pattern.
    removalBelow: (prefix) => removeLike({ pattern: `${prefix}/%` }),
    removalIn: (environmentId) => removeIn({ environment_id: environmentId }),
  };
}
