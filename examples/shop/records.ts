/** What the shop has in its books: the same rows on every machine, at any time. */

export interface Customer {
  readonly id: number;
  readonly name: string;
  readonly segment: string | null;
  readonly note: string | null;
  readonly updatedAt: string;
}

export interface Order {
  readonly id: number;
  readonly customer: number;
  readonly orderedAt: string;
  /** Text where somebody typed a word: SQLite takes it. */
  readonly amount: number | string;
  readonly updatedAt: string;
}

export interface Return {
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
/** Where systems usually trip: nothing, an empty text, quotes, a line end, SQL, a character outside of the first plane. */
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

/** The order whose amount is a word, and orders that only the returns know. */
const wordyOrder = 1204;
const unknownOrders = [900_001, 900_002];

/** Numbers that look random and are not: a linear congruential generator, with the constants of Numerical Recipes. */
function createDice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

const pick = <T>(of: readonly T[], at: number): T => of[at % of.length] as T;

/** Minutes after the shop has opened, as SQLite writes times. */
const timeAt = (minutes: number): string =>
  new Date(Date.UTC(2026, 0, 2, 9) + minutes * 60_000).toISOString().slice(0, 19).replace("T", " ");

export function shopRecords() {
  const roll = createDice(2026);
  const customers = Array.from(
    { length: 400 },
    (_, at): Customer => ({
      id: at + 1,
      name: `${pick(names, roll(names.length))} ${at + 1}`,
      segment: pick(segments, roll(segments.length)),
      note: pick(notes, at),
      updatedAt: timeAt(at * 10),
    }),
  );
  const orders = Array.from(
    { length: 3_000 },
    (_, at): Order => ({
      id: at + 1,
      // Twenty customers have not bought anything yet.
      customer: 1 + roll(customers.length - 20),
      orderedAt: timeAt(at * 40),
      amount: at + 1 === wordyOrder ? "twelve" : (199 + roll(20_000)) / 100,
      updatedAt: timeAt(at * 40 + roll(3_000)),
    }),
  );
  const returns = Array.from({ length: 180 }, (_, at): Return => {
    const order = pick(orders, at * 16 + roll(16));
    const cents = typeof order.amount === "number" ? Math.round(order.amount * 100) : 0;
    return {
      id: `R-${String(at + 1).padStart(4, "0")}`,
      order: at < unknownOrders.length ? pick(unknownOrders, at) : order.id,
      day: order.orderedAt.slice(0, 10),
      refund: ((1 + roll(cents)) / 100).toFixed(2),
      reason: pick(reasons, at),
    };
  });
  return { customers, orders, returns };
}
