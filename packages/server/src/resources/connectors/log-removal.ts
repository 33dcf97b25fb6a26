import type { Connector } from "@lakehelm/contract";
import { isMap } from "@lakehelm/contract/connections";
import { logRemoval } from "@lakehelm/engine";
import { Problem } from "../../core/errors.ts";
import type { Outbox } from "../../core/outbox/outbox.ts";
import { completed, handlerOf, type OutboxHandlers, topic } from "../../core/outbox/topic.ts";
import { type ChangeContext, type Step, subjectOf } from "../../core/store/store.ts";
import type { System } from "../../core/system.ts";

/** A connector at the time of its deletion: masked, with its secrets encrypted. */
export interface RemovedConnector {
  readonly doc: Connector;
  readonly sealed: string | null;
}

/**
 * A connector that reads the log of its source has a replication slot there, for which the source keeps its log. The
 * slot is removed after the transaction that deletes the connector; an outbox entry remains until it is removed, also
 * after a crash.
 */
export interface LogRemoval {
  /**
   * For the transaction that deletes a connector. `finish` returns a sentence about what is left in the source, if that
   * could not be removed at once.
   */
  begin(
    connector: RemovedConnector,
    environmentId: string,
  ): { readonly step: Step; finish(context: ChangeContext): Promise<string | undefined> };
  readonly outbox: OutboxHandlers;
}

interface LogRemovalOptions {
  readonly outbox: Pick<Outbox, "begin">;
  readonly holdsDataFolder: () => boolean;
  /** Removes the slot and the publication that the connector created. Returns a sentence about what is left of others. */
  readonly endLog: (
    connector: RemovedConnector,
    environmentId: string,
    signal: AbortSignal,
  ) => Promise<string | undefined>;
}

const logTopic = topic<RemovedConnector, string | undefined>("connector.log");

/** A caller that deletes a connector does not wait longer for its source. */
const msToEndLog = 20_000;

/** With pauses that grow to five minutes, these attempts last about eight hours. */
const maxAttempts = 100;

export function createLogRemoval(
  system: Pick<System, "newId">,
  { outbox, holdsDataFolder, endLog }: LogRemovalOptions,
): LogRemoval {
  return {
    begin(connector, environmentId) {
      const { step, finish } = outbox.begin(logTopic, {
        id: system.newId(),
        key: `log/${connector.doc.id}`,
        environmentId,
        payload: connector,
      });
      return { step, finish };
    },
    outbox: handlerOf(logTopic, {
      readiness: () => (holdsDataFolder() ? "here" : "elsewhere"),
      async perform({ payload, environmentId, attempts }, stopped) {
        const signal = AbortSignal.any([stopped, AbortSignal.timeout(msToEndLog)]);
        try {
          return completed(await endLog(payload, environmentId ?? "", signal));
        } catch (error) {
          stopped.throwIfAborted();
          const reason = reasonOf(error);
          const isLast = attempts + 1 >= maxAttempts;
          const next = isLast
            ? "Nothing tries it again"
            : "It is tried again for about eight hours. If the source never comes back";
          const sentence = `Its replication slot could not be removed${isLast ? "" : " yet"}, so the source keeps its log until it is: ${reason} ${next}: ${logRemoval(payload.doc.id, configOf(payload.doc))}`;
          return isLast ? completed(sentence) : { outcome: "failed", result: sentence };
        }
      },
      async record({ payload: { doc } }, sentence, { state, attempts }) {
        const isSaid = sentence !== undefined && (attempts === 1 || state === "completed");
        const data = { name: doc.name, target_name: null, warnings: [sentence] };
        return {
          steps: [],
          events: isSaid ? [{ kind: "connector.warned", subject: subjectOf("connector", doc.id), data }] : [],
        };
      },
    }),
  };
}

const configOf = ({ target_config: { connection } }: Connector): Readonly<Record<string, unknown>> =>
  isMap(connection) && isMap(connection.config) ? connection.config : {};

/** The messages of all other errors may contain credentials. */
function reasonOf(error: unknown): string {
  if (error instanceof Problem) return error.message;
  if (error instanceof Error && error.name === "TimeoutError") return "The source did not answer in time.";
  return "An unexpected error occurred.";
}
