import type { Environment } from "@lakehelm/contract";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict } from "../../core/errors.ts";
import type { Outbox } from "../../core/outbox/outbox.ts";
import { completed, handlerOf, topic } from "../../core/outbox/topic.ts";
import type { Step } from "../../core/store/store.ts";
import type { PlatformOutcome } from "../../runtime/platforms/platform.ts";
import type { Platforms } from "../../runtime/platforms/platform-requests.ts";
import type { Environments } from "../environments/environments.ts";
import { fileEvent } from "./file-change.ts";

interface FileCopy {
  readonly path: string;
  readonly dataFolderId: string;
}

const copyTopic = topic<FileCopy, PlatformOutcome>("file.copy");

interface FileCopiesOptions {
  readonly environments: Pick<Environments, "find">;
  readonly platforms: Pick<Platforms, "platform">;
  readonly outbox: Pick<Outbox, "add" | "wake">;
  readonly dataFolderId: string;
  readonly holdsDataFolder: () => boolean;
  /** The content of a file once committed changes are on the disk; undefined: there is none. */
  readonly contentOf: (environmentId: string, path: string) => Promise<Uint8Array | undefined>;
}

/**
 * A platform whose code runs elsewhere has copies of the environment's files. A change of a file adds an outbox entry,
 * which copies the content that the file has by then, or removes the copy: this is idempotent, and may be late. The
 * entries of an environment are performed sequentially, so that a platform that does not answer delays no other
 * environment.
 */
export function createFileCopies(
  { system }: Pick<Dependencies, "system">,
  { environments, platforms, outbox, dataFolderId, holdsDataFolder, contentOf }: FileCopiesOptions,
) {
  const copiesOf = ({ platform }: Pick<Environment, "platform">) => platforms.platform(platform).fileCopies;

  return {
    /** Throws 409 if the platform could not take a file of this size. */
    async requireFits(environment: Environment, bytes: number): Promise<void> {
      const problem = await copiesOf(environment)?.problem(environment.id, bytes);
      if (problem !== undefined) throw conflict(problem);
    },
    /** Steps for the transaction that changes a file. */
    steps(environment: Pick<Environment, "id" | "platform">, path: string): readonly Step[] {
      if (!copiesOf(environment)) return [];
      return [
        outbox.add(copyTopic, {
          id: system.newId(),
          key: `file.copy/${environment.id}`,
          environmentId: environment.id,
          payload: { path, dataFolderId },
        }),
      ];
    },
    wake: () => outbox.wake(),
    handlers: handlerOf<FileCopy, PlatformOutcome>(copyTopic, {
      readiness: ({ payload }) =>
        payload.dataFolderId === dataFolderId && holdsDataFolder() ? "here" : "elsewhere",
      async perform({ environmentId, payload: { path } }) {
        const id = environmentId ?? "";
        const environment = (await environments.find(id))?.doc;
        const copies = environment && copiesOf(environment);
        if (!copies) return completed({ done: true, reference: null });
        const content = await contentOf(id, path);
        const outcome = content ? await copies.write(id, path, content) : await copies.remove(id, path);
        return completed(outcome);
      },
      async record({ environmentId, payload: { path } }, outcome, { state }) {
        if (state !== "completed" || outcome.done) return { steps: [], events: [] };
        const data = { asked: "file.copy", error_message: outcome.reason };
        return { steps: [], events: [fileEvent("file.failed", environmentId ?? "", path, data)] };
      },
    }),
  };
}
