/** The rows of the shop, the same on every machine and at any time. */

export interface ShopCustomer {
  readonly id: number;
  readonly name: string;
  readonly segment: string | null;
  readonly note: string | null;
  readonly updatedAt: string;
}

export interface ShopOrder {
  readonly id: number;
  readonly customer: number;
  readonly orderedAt: string;
  /** A word in one row: SQLite stores it in a DECIMAL column. */
  readonly amount: number | string;
  readonly updatedAt: string;
}

export interface ShopReturn {
  readonly id: string;
  readonly order: number;
  readonly day: string;
  readonly refund: string;
  readonly reason: string | null;
}

const names = [
  "Zoë Müller",
  "Seán O'Connor",
  "李小龍",
  'Łukasz "Lucky" Nowak',
  "Ñandú & Söhne",
  "Ayşe Öz",
  "Bo",
];
const segments = ["consumer", "business", "school", null];
/** Values that often cause bugs: NULL, an empty string, quotes, a line feed, SQL, a character outside the BMP. */
const notes = [
  null,
  "",
  "it's “fine”",
  "two\nlines",
  "'; DROP TABLE customers; --",
  "🚀 prefers e-mail",
  "NULL",
];
const reasons = [
  null,
  "",
  "too small",
  'said "no", twice',
  "arrived broken,\nsee photo",
  "Größe passt nicht",
];

/** The order whose amount is a word, and orders that exist only in the returns. */
const invalidOrder = 1204;
const unknownOrders = [900_001, 900_002];

/** A pseudo-random generator of integers below a limit: linear congruential, with the constants of Numerical Recipes. */
function createRandom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const pick = <T>(of: readonly T[], at: number): T => of[at % of.length] as T;

/** A number of minutes after the shop opened, in SQLite's format. */
const timeAt = (minutes: number): string =>
  new Date(Date.UTC(2026, 0, 2, 9) + minutes * 60_000).toISOString().slice(0, 19).replace("T", " ");

export function shopRecords() {
  const random = createRandom(2026);
  const customers = Array.from(
    { length: 400 },
    (_, at): ShopCustomer => ({
      id: at + 1,
      name: `${pick(names, random(names.length))} ${at + 1}`,
      segment: pick(segments, random(segments.length)),
      note: pick(notes, at),
      updatedAt: timeAt(at * 10),
    }),
  );
  const orders = Array.from(
    { length: 3_000 },
    (_, at): ShopOrder => ({
      id: at + 1,
      // Twenty customers have not bought anything yet.
      customer: 1 + random(customers.length - 20),
      orderedAt: timeAt(at * 40),
      amount: at + 1 === invalidOrder ? "twelve" : (199 + random(20_000)) / 100,
      updatedAt: timeAt(at * 40 + random(3_000)),
    }),
  );
  const returns = Array.from({ length: 180 }, (_, at): ShopReturn => {
    const order = pick(orders, at * 16 + random(16));
    const cents = typeof order.amount === "number" ? Math.round(order.amount * 100) : 0;
    return {
      id: `R-${String(at + 1).padStart(4, "0")}`,
      order: at < unknownOrders.length ? pick(unknownOrders, at) : order.id,
      day: order.orderedAt.slice(0, 10),
      refund: ((1 + random(cents)) / 100).toFixed(2),
      reason: pick(reasons, at),
    };
  });
  return { customers, orders, returns };
}
