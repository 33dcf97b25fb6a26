import type { ChangeContext } from "./store/store.ts";

/** Clock, id generator and randomness: dependencies, so that rules and their tests are exact. */
export interface System {
  now(): Date;
  newId(): string;
  randomBytes(size: number): Buffer;
}

/** The context of a change that the server makes on its own. */
export const serverContext = (system: Pick<System, "now">): ChangeContext => ({
  actor: "lakehelm",
  requestId: null,
  time: system.now().toISOString(),
});

/** The context of a change that the executor of a run makes. */
export const workerContext = (system: Pick<System, "now">): ChangeContext => ({
  actor: "worker",
  requestId: null,
  time: system.now().toISOString(),
});

/** The context of a change that records the response of a platform. */
export const platformContext = (system: Pick<System, "now">): ChangeContext => ({
  actor: "platform",
  requestId: null,
  time: system.now().toISOString(),
});
