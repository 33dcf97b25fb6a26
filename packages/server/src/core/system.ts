import type { ChangeContext } from "./store/store.ts";

/** Clock, id generator and randomness: dependencies, so that rules and their tests are exact. */
export interface System {
  now(): Date;
  newId(): string;
  randomBytes(size: number): Buffer;
}

/** Makes contexts of one actor. A rule that has already read the clock passes the time. */
const contextOf =
  (actor: string) =>
  (clock: Pick<System, "now"> | Date): ChangeContext => ({
    actor,
    requestId: null,
    time: (clock instanceof Date ? clock : clock.now()).toISOString(),
  });

/** The context of a change without events: nothing stores it. */
export const unrecorded: ChangeContext = { actor: "lakehelm", requestId: null, time: "" };

/** The context of a change that the server makes by itself. */
export const serverContext = contextOf("lakehelm");

/** The context of a change that the scheduler makes. */
export const schedulerContext = contextOf("scheduler");

/** The context of a change that the work of a run makes. */
export const workerContext = contextOf("worker");

/** The context of a change that records what a platform answered. */
export const platformContext = contextOf("platform");
