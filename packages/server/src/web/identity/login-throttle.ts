import { hash } from "node:crypto";
import { Problem } from "../../core/errors.ts";
import type { RateLimit } from "../http/call.ts";
import type { Quota } from "../http/quota.ts";
import { createExchangeSlots } from "./exchange-slots.ts";
import { createWorkQueue, type WorkQueue } from "./work-queue.ts";

const firstDelayMs = 100;
const longestDelayMs = 5000;
/** The maximum number of waiting attempts: of a client that guesses, and of one without failures so far. */
const capacity = { slowed: 10, free: 1000 };
/** The maximum number of waiting attempts of all clients that have not logged in before. */
const maxWaiting = 2_000;

/** When failures slow attempts down, and when they are forgotten. */
interface GateRule {
  readonly freeFailures: number;
  /** All failures are forgotten after this time without a failure. */
  readonly forgottenAfterMs: number;
  /** One failure is forgotten each time this interval has passed. */
  readonly decayMs: number;
}

const never = Number.POSITIVE_INFINITY;
/** One name from one address: a user who mistypes, or an attacker who guesses. */
const pairRule: GateRule = { freeFailures: 5, forgottenAfterMs: 15 * 60_000, decayMs: never };
/** Many names from one address, which a whole office may share: one typing error every 30 seconds is free. */
const addressRule: GateRule = { freeFailures: 20, forgottenAfterMs: 15 * 60_000, decayMs: 30_000 };
/** One name from many addresses. */
const nameRule: GateRule = { freeFailures: 20, forgottenAfterMs: 15 * 60_000, decayMs: 30_000 };

/**
 * Slows down guessing: of one name from one address, of many names from one address, and of one name from many
 * addresses. After some failures, the attempts are serialized with growing pauses. A user who has logged in from this
 * address before is slowed only by failures with this name from this address, and goes first: guesses of others cannot
 * lock the user out.
 */
export interface LoginThrottle {
  /** Runs the exchange when this client may try. `client` is an address, `name` the claimed user name. */
  attempt<T>(client: string, name: string, exchange: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  quotas(): Quota[];
}

export interface LoginThrottleOptions {
  monotonicMs(): number;
  pause(ms: number, signal?: AbortSignal): Promise<void>;
  readonly clients?: number;
  /** The limit of requests by address. A user who has logged in from the address before has a separate limit. */
  readonly perAddress?: Pick<RateLimit, "count"> | undefined;
}

/** Counts the failures of one key and serializes its attempts after too many. */
interface Gate {
  /** Runs the task when this key may try. */
  pass<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  fail(): void;
  succeed(): void;
  leave(): void;
}

export function createLoginThrottle(options: LoginThrottleOptions): LoginThrottle {
  const { monotonicMs, pause, clients = 10_000, perAddress } = options;
  const gates = {
    pair: createGates(pairRule, { monotonicMs, pause, clients }),
    address: createGates(addressRule, { monotonicMs, pause, clients }),
    name: createGates(nameRule, { monotonicMs, pause, clients }),
  };
  const slots = createExchangeSlots(4);
  /** Pairs of address and name that have logged in. */
  const known = new Set<string>();
  let waiting = 0;
  let refused = 0;

  function remember(key: string): void {
    known.delete(key);
    known.add(key);
    const [oldest] = known.size > clients ? known : [];
    if (oldest !== undefined) known.delete(oldest);
  }

  return {
    async attempt(client, name, exchange, signal) {
      // Digests, because a claimed name may be a megabyte long.
      const key = digest(client, name);
      const isKnown = known.has(key);
      perAddress?.count(isKnown ? key : client);
      if (!isKnown && waiting >= maxWaiting) {
        refused += 1;
        throw new Problem("tooMany", "Too many attempts are waiting. Try again later.", {
          retryAfterSeconds: 5,
        });
      }
      const pair = gates.pair(key);
      const others = isKnown ? [] : [gates.address(digest(client)), gates.name(digest(name))];
      const all = [pair, ...others];
      /** Runs the exchange, and counts its result before the next attempt may start. */
      async function counted(): Promise<Awaited<ReturnType<typeof exchange>>> {
        try {
          const result = await slots.run(isKnown ? key : client, isKnown, exchange);
          // Only this gate is reset: otherwise, an attacker with one valid account could go on guessing.
          pair.succeed();
          remember(key);
          return result;
        } catch (error) {
          if (error instanceof Problem && error.kind === "unauthorized") for (const gate of all) gate.fail();
          throw error;
        }
      }
      const passAll = all.reduceRight<typeof counted>(
        (inner, gate) => () => gate.pass(inner, signal),
        counted,
      );
      waiting += 1;
      try {
        return await passAll();
      } catch (error) {
        if (error instanceof Problem && error.kind === "tooMany") refused += 1;
        throw error;
      } finally {
        waiting -= 1;
        for (const gate of all) gate.leave();
      }
    },
    quotas: () => [{ name: "login_attempts", used: waiting, limit: maxWaiting, refused }],
  };
}

const digest = (...words: string[]) => hash("sha256", JSON.stringify(words), "base64");

interface GateState {
  failures: number;
  lastFailure: number;
  users: number;
  readonly line: WorkQueue;
}

/** Gates by key. At most `clients` are kept: the gate whose last failure is oldest is forgotten first. */
function createGates(
  { freeFailures, forgottenAfterMs, decayMs }: GateRule,
  { monotonicMs, pause, clients }: Required<Omit<LoginThrottleOptions, "perAddress">>,
): (key: string) => Gate {
  const known = new Map<string, GateState>();

  function forgive(state: GateState): void {
    const elapsed = monotonicMs() - state.lastFailure;
    const decayed = Math.floor(elapsed / decayMs);
    state.failures = elapsed >= forgottenAfterMs ? 0 : Math.max(0, state.failures - decayed);
    if (decayed > 0) state.lastFailure += decayed * decayMs;
  }

  function delayMs({ failures }: GateState): number {
    if (failures < freeFailures) return 0;
    return Math.min(longestDelayMs, firstDelayMs * 2 ** (failures - freeFailures));
  }

  function stateOf(key: string): GateState {
    const before = known.get(key);
    if (before) return before;
    if (known.size >= clients) forgetOldest();
    const state: GateState = {
      failures: 0,
      lastFailure: monotonicMs(),
      users: 0,
      line: createWorkQueue({
        // All running attempts may fail: together with the failures so far, they stay within the free failures.
        atOnce: () => Math.max(1, freeFailures - state.failures),
        room: () => (state.failures < freeFailures ? capacity.free : capacity.slowed),
        retryAfterSeconds: () => Math.max(1, Math.ceil(delayMs(state) / 1000)),
      }),
    };
    known.set(key, state);
    return state;
  }

  /** Skips gates in use, which are few, because the number of waiting attempts is limited. */
  function forgetOldest(): void {
    for (const [key, { users }] of known) if (users === 0) return void known.delete(key);
  }

  return (key) => {
    const state = stateOf(key);
    state.users += 1;
    return {
      pass: (task, signal) =>
        state.line.run(async () => {
          forgive(state);
          const delay = delayMs(state);
          if (delay > 0) await pause(delay, signal);
          return task();
        }),
      fail() {
        state.failures += 1;
        state.lastFailure = monotonicMs();
        // Moves the gate to the newest end of the map.
        known.delete(key);
        known.set(key, state);
      },
      succeed() {
        state.failures = 0;
      },
      leave() {
        state.users -= 1;
        if (state.failures === 0 && state.users === 0) known.delete(key);
      },
    };
  };
}
