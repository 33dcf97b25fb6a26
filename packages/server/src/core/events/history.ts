import type { Store } from "../store/store.ts";
import type { SealedEvent } from "./verification.ts";

interface KindAndSubject {
  /** May end in `.*`: then it is a prefix. */
  readonly kind?: string | undefined;
  readonly subject?: string | undefined;
}

/** Sealed events in both directions, and by time. */
export interface EventHistory {
  /** The next events from a position, which is not included. */
  page(from: number, limit: number, newestFirst: boolean, filter: KindAndSubject): Promise<SealedEvent[]>;
  /**
   * A position such that every event after it is from this time or later. Found by bisection: it expects that times
   * increase along the log.
   */
  positionAt(timeMs: number): Promise<number>;
}

type Values = { from: number; limit: number; kind: string; to: string; subject: string };

export function createEventHistory(store: Store): EventHistory {
  const statements = new Map<string, ReturnType<typeof prepared>>();
  const prepared = (newestFirst: boolean, kinds: "any" | "one" | "prefix", ofSubject: boolean) =>
    store.prepare((db, v: Values) => {
      let query = db
        .selectFrom("events")
        .select(["sequence", "id", "kind", "subject", "body", "hash"])
        .where("sequence", newestFirst ? "<" : ">", v.from);
      if (kinds === "one") query = query.where("kind", "=", v.kind);
      if (kinds === "prefix") query = query.where("kind", ">=", v.kind).where("kind", "<", v.to);
      if (ofSubject) query = query.where("subject", "=", v.subject);
      return query.orderBy("sequence", newestFirst ? "desc" : "asc").limit(v.limit);
    });

  async function page(from: number, limit: number, newestFirst: boolean, { kind, subject }: KindAndSubject) {
    // PostgreSQL rejects NUL in text, and no kind or subject contains one.
    if (kind?.includes("\0") || subject?.includes("\0")) return [];
    const kinds = kind === undefined ? "any" : kind.endsWith(".*") ? "prefix" : "one";
    const start = kinds === "prefix" ? (kind as string).slice(0, -1) : (kind ?? "");
    const ofSubject = subject !== undefined;
    const query = statements.getOrInsertComputed(`${newestFirst} ${kinds} ${ofSubject}`, () =>
      prepared(newestFirst, kinds, ofSubject),
    );
    return store.all(query({ from, limit, kind: start, to: `${start}\uffff`, subject: subject ?? "" }));
  }

  const timeAfter = async (position: number): Promise<number | undefined> => {
    const [event] = await page(position, 1, false, {});
    return event && Date.parse((JSON.parse(event.body) as { readonly time: string }).time);
  };

  return {
    page,
    async positionAt(timeMs) {
      const [last] = await page(Number.MAX_SAFE_INTEGER, 1, true, {});
      let low = 0;
      let high = last?.sequence ?? 0;
      while (low < high) {
        const middle = Math.floor((low + high) / 2);
        const found = await timeAfter(middle);
        if (found === undefined || found >= timeMs) high = middle;
        else low = middle + 1;
      }
      return low;
    },
  };
}
