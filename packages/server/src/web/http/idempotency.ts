import { createHmac } from "node:crypto";
import { encodeJson } from "@lakehelm/contract/schema";
import { conflict, unreadable } from "../../core/errors.ts";
import { keyOf } from "../../core/store/collection.ts";
import type { ChangeContext, Step, Store } from "../../core/store/store.ts";
import type { Quota } from "./quota.ts";

const keptFor = 24 * 60 * 60 * 1000;
/** The most stored answers of one caller: more than a new key every second all day. Older answers are deleted. */
const maxPerCaller = 100_000;
/** The limit is checked after this many answers of a caller, and every hour. */
const checkedEvery = 1_000;

/** The stored first answer. */
export interface StoredAnswer {
  readonly text: string;
  readonly version: number | undefined;
}

/** One use of an `Idempotency-Key`. */
export interface IdempotentRequest {
  /** The stored answer; a conflict if the key was used for another request. */
  find(): Promise<StoredAnswer | undefined>;
  /**
   * Steps for the change that creates. They throw `DuplicateRequest` if a concurrent request with this key was faster.
   */
  saveAnswer(text: string, version: number | undefined): Step[];
  /** Stores the final answer if it differs from the one stored with the change. */
  saveFinal(text: string, version: number | undefined, context: ChangeContext): Promise<void>;
}

export class DuplicateRequest extends Error {}

/** What makes two requests with one key the same. */
interface IdentifiedRequest {
  /** The validated request: spaces, the order of keys and `5.0` for an integer make no difference. */
  readonly meaning: unknown;
  /** What earlier versions compared: answers that they stored must be found for a day after an upgrade. */
  readonly bytes: readonly (string | Buffer | undefined)[];
}

export interface Idempotency {
  once(caller: string, endpoint: string, key: string, request: IdentifiedRequest): IdempotentRequest;
  /** Deletes answers older than 24 hours, and those above the limit of a caller. */
  clean(context: ChangeContext): Promise<void>;
  quotas(): Promise<Quota[]>;
}

export function createIdempotency(
  store: Store,
  hashKey: Buffer,
  now: () => Date,
  mostPerCaller = maxPerCaller,
): Idempotency {
  const find = store.prepare((db, v: { caller: string; endpoint: string; key: string; now: string }) =>
    db
      .selectFrom("idempotency")
      .select(["request", "answer", "version"])
      .where("caller", "=", v.caller)
      .where("endpoint", "=", v.endpoint)
      .where("key", "=", v.key)
      .where("expires_at", ">", v.now),
  );
  const dropExpired = store.prepare((db, v: { now: string }) =>
    db.deleteFrom("idempotency").where("expires_at", "<=", v.now),
  );
  const dropOldest = store.prepare((db, v: { caller: string; most: number }) =>
    db
      .deleteFrom("idempotency")
      .where("caller", "=", v.caller)
      .where("expires_at", "<=", (eb) =>
        eb
          .selectFrom("idempotency")
          .select("expires_at")
          .where("caller", "=", v.caller)
          .orderBy("expires_at", "desc")
          .limit(1)
          .offset(v.most),
      ),
  );
  const counts = store.prepare((db, _: Record<string, never>) =>
    db
      .selectFrom("idempotency")
      .select((eb) => ["caller", eb.fn.countAll<number>().as("n")])
      .groupBy("caller"),
  );
  const keep = store.prepare(
    (
      db,
      v: {
        caller: string;
        endpoint: string;
        key: string;
        request: string;
        answer: string;
        version: number | null;
        expires_at: string;
      },
    ) =>
      db.insertInto("idempotency").values({
        caller: v.caller,
        endpoint: v.endpoint,
        key: v.key,
        request: v.request,
        answer: v.answer,
        version: v.version,
        expires_at: v.expires_at,
      }),
  );
  const replace = store.prepare(
    (db, v: { caller: string; endpoint: string; key: string; answer: string; version: number | null }) =>
      db
        .updateTable("idempotency")
        .set({ answer: v.answer, version: v.version })
        .where("caller", "=", v.caller)
        .where("endpoint", "=", v.endpoint)
        .where("key", "=", v.key),
  );

  /** Answers stored since the last check, by caller. */
  const unchecked = new Map<string, number>();

  /** Steps that delete the oldest answers of a caller who has stored many. */
  function limitSteps(caller: string): Step[] {
    const count = (unchecked.get(caller) ?? 0) + 1;
    unchecked.set(caller, count % checkedEvery);
    return count < checkedEvery ? [] : [dropOldest({ caller, most: mostPerCaller })];
  }

  /** An HMAC: a request may contain a password, which could be guessed from a plain hash. */
  function digestOf(segments: IdentifiedRequest["bytes"]): string {
    const digest = createHmac("sha256", hashKey);
    for (const segment of segments) digest.update(segment ?? "").update("\0");
    return digest.digest("base64url");
  }

  return {
    once(callerName, endpoint, key, { meaning, bytes }) {
      if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
        throw unreadable("Idempotency-Key must have 1 to 255 printable ASCII characters.");
      }
      const request = digestOf([encodeJson(sorted(meaning))]);
      const caller = keyOf(callerName);
      let saved: string | undefined;
      return {
        async find() {
          const kept = await store.one(find({ caller, endpoint, key, now: now().toISOString() }));
          if (!kept) return undefined;
          if (kept.request !== request && kept.request !== digestOf(bytes)) {
            throw conflict("This Idempotency-Key was used for another request within the last 24 hours.");
          }
          return { text: kept.answer, version: kept.version ?? undefined };
        },
        saveAnswer(text, version) {
          saved = text;
          const time = now();
          const row = {
            caller,
            endpoint,
            key,
            request,
            answer: text,
            version: version ?? null,
            expires_at: new Date(time.getTime() + keptFor).toISOString(),
          };
          return [
            dropExpired({ now: time.toISOString() }),
            ...limitSteps(caller),
            { ...keep(row), refused: { duplicate: () => new DuplicateRequest() } },
          ];
        },
        async saveFinal(text, version, context) {
          if (saved === undefined || saved === text) return;
          const step = replace({ caller, endpoint, key, answer: text, version: version ?? null });
          await store.apply({ context, steps: [step], events: [] });
        },
      };
    },
    async clean(context) {
      await store.apply({ context, steps: [dropExpired({ now: now().toISOString() })], events: [] });
      unchecked.clear();
      for (const { caller, n } of await store.all(counts({}))) {
        if (Number(n) <= mostPerCaller) continue;
        await store.apply({ context, steps: [dropOldest({ caller, most: mostPerCaller })], events: [] });
      }
    },
    async quotas() {
      const all = (await store.all(counts({}))).map(({ n }) => Number(n));
      return [{ name: "idempotency_keys_per_caller", used: Math.max(0, ...all), limit: mostPerCaller }];
    },
  };
}

/** The same value with the keys of its objects in order. Bodies are limited in size and depth when they are read. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted((value as Record<string, unknown>)[key])]));
}
