import type { Job } from "@lakehelm/contract";
import type { InstallMissing } from "../core/missing-installations.ts";
import type { OutboxHandlers } from "../core/outbox/topic.ts";
import type { RetentionSource } from "../core/retention/retention.ts";
import type { MaskStored } from "../core/secrets/stored-secrets.ts";
import type { ChangeContext } from "../core/store/store.ts";
import type { Executor } from "../runtime/jobs/executor.ts";
import type { PauseEnded } from "../runtime/jobs/scheduler.ts";

/** What a resource adds to the server: its endpoints and its background work. Every member is optional. */
export interface Module {
  readonly handlers?: object;
  /** The executors for the jobs of this resource. */
  readonly executors?: Readonly<Partial<Record<Job["kind"], Executor>>>;
  /** The handlers for the outbox entries of this resource, by topic. */
  readonly outbox?: OutboxHandlers;
  /** Steps for the transaction in which a pause of one of these jobs expires, by kind of job. */
  readonly pauseEnded?: Readonly<Partial<Record<Job["kind"], PauseEnded>>>;
  /** Once after the rules for secrets have changed: masks what is stored. */
  readonly maskStored?: MaskStored;
  /** Once after an upgrade: installs what an earlier version only recorded. */
  readonly installMissing?: InstallMissing;
  /** Records of this resource that have a limited age. */
  readonly retention?: readonly RetentionSource[];
  /** Before the first request. */
  prepare?(context: ChangeContext): Promise<void>;
  /** When this server has acquired the data folder lease: completes the unfinished work of the last holder. */
  takeOver?(context: ChangeContext): Promise<void>;
  /** After the server listens. */
  start?(): void;
  /** Every ten seconds. */
  tick?(context: ChangeContext): Promise<unknown>;
  /** Stops background work; requests are still being served. */
  stop?(): Promise<void>;
  /** Releases what is left, after the last request. */
  close?(): Promise<void>;
}

/** The executors and handlers of all modules. */
export function mergeModules(modules: readonly Module[]) {
  const merge = <Key extends "executors" | "outbox" | "pauseEnded">(key: Key): NonNullable<Module[Key]> =>
    Object.assign({}, ...modules.map((module) => module[key]));
  return { executors: merge("executors"), outbox: merge("outbox"), pauseEnded: merge("pauseEnded") };
}
