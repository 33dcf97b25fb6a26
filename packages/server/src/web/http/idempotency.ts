import { createHmac } from "node:crypto";
import { conflict, unreadable } from "../../core/errors.ts";
import { keyOf } from "../../core/store/collection.ts";
import type { ChangeContext, Step, Store } from "../../core/store/store.ts";

const keptFor = 24 * 60 * 60 * 1000;

/** The stored first answer. */
export interface StoredAnswer {
  readonly text: string;
  readonly version: number | undefined;
}

/** One use of an `Idempotency-Key`. */
export interface IdempotentRequest {
  /** The stored answer; a conflict if the key was used for another request. */
  find(): Promise<StoredAnswer | undefined>;
  /** Steps for the change that creates. They throw `Repeated` if a concurrent request with this key was faster. */
  saveAnswer(text: string, version: number | undefined): Step[];
  /** Stores the final answer if it differs from the one stored with the change. */
  saveFinal(text: string, version: number | undefined, context: ChangeContext): Promise<void>;
}

export class DuplicateRequest extends Error {}

export interface Idempotency {
  once(
    caller: string,
    endpoint: string,
    key: string,
    request: readonly (string | Buffer | undefined)[],
  ): IdempotentRequest;
  /** Deletes answers older than 24 hours. */
  clean(context: ChangeContext): Promise<void>;
}

export function createIdempotency(store: Store, hashKey: Buffer, now: () => Date): Idempotency {
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

  return {
    once(callerName, endpoint, key, segments) {
      if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
        throw unreadable("Idempotency-Key must have 1 to 255 printable ASCII characters.");
      }
      // An HMAC: a request may contain a password, which could be guessed from a plain hash.
      const digest = createHmac("sha256", hashKey);
      for (const segment of segments) digest.update(segment ?? "").update("\0");
      const request = digest.digest("base64url");
      const caller = keyOf(callerName);
      let saved: string | undefined;
      return {
        async find() {
          const kept = await store.one(find({ caller, endpoint, key, now: now().toISOString() }));
          if (!kept) return undefined;
          if (kept.request !== request) {
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
    },
  };
}
