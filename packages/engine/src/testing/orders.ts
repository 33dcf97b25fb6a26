import type { SeededRandom } from "./seeded-random.ts";

/** A row of the test's source. */
export interface TestOrder {
  readonly id: number;
  readonly name: string | null;
  /** With two decimal places. */
  readonly amount: string;
  /** The time of the last change, in microseconds since 2026-01-01 UTC; null if unknown. */
  readonly changed: number | null;
}

/** How rows of a source may change between two runs. */
export interface OrderChanges {
  readonly updates: boolean;
  readonly deletes: boolean;
  /** Whether a changed row gets a watermark that is at least as great as all others. Otherwise it gets any. */
  readonly monotonicWatermarks: boolean;
}

const names = ["Größe", 'a "quoted", and; one\twith\n\\ all', null];
const amounts = ["0.00", "999999.99"];

/** The first order never changes, because the column types of files are inferred from it. */
export const firstOrders: readonly TestOrder[] = [
  { id: 1, name: "first", amount: "0.01", changed: 1 },
  { id: 2, name: null, amount: "-17.50", changed: 2_000_000 },
  { id: 3, name: "third", amount: "90071992547.40", changed: 2_000_000 },
];

/** The orders of the next run: some are changed or deleted, and at least one is new. */
export function nextOrders(
  before: readonly TestOrder[],
  { updates, deletes, monotonicWatermarks }: OrderChanges,
  random: SeededRandom,
): TestOrder[] {
  const greatest = Math.max(...before.map(({ changed }) => changed ?? 0));
  const lastId = Math.max(...before.map(({ id }) => id));
  const content = () => ({
    // There are few values, so rows often get an earlier value back.
    name: random.pick(names),
    amount: random.pick(amounts),
    // Rows with equal watermarks also come in different runs.
    changed:
      random.below(6) === 0 ? null : monotonicWatermarks ? greatest + random.below(3) : random.below(2),
  });
  const kept = before.filter(({ id }) => id === 1 || !deletes || random.below(4) > 0);
  const changed = kept.map((order) =>
    order.id === 1 || !updates || random.below(3) > 0 ? order : { ...order, ...content() },
  );
  const added = Array.from({ length: 1 + random.below(4) }, (_, at) => ({
    id: lastId + 1 + at,
    ...content(),
  }));
  return [...changed, ...added];
}

const begin = Date.UTC(2026, 0, 1);

/** `2026-01-01 00:00:02.000000` */
export const timeText = ({ changed }: Pick<TestOrder, "changed">): string | null =>
  changed === null
    ? null
    : new Date(begin + Math.floor(changed / 1000)).toISOString().replace("T", " ").slice(0, 23) +
      String(changed % 1000).padStart(3, "0");

/** Converts a driver's row: text, or numbers for `id` and `amount`. Its time is in UTC. */
export function orderOf(row: Readonly<Record<string, unknown>>): TestOrder {
  const isNull = (cell: unknown) => cell === null || cell === undefined;
  const changed = isNull(row.updated_at) ? null : microsecondsOf(String(row.updated_at));
  return {
    id: Number(row.id),
    name: isNull(row.name) ? null : String(row.name),
    amount: Number(row.amount).toFixed(2),
    changed,
  };
}

function microsecondsOf(text: string): number {
  const time = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?/.exec(text);
  if (!time) throw new Error(`${text} is not a time.`);
  const [, day, clock, fraction = ""] = time;
  return (Date.parse(`${day}T${clock}Z`) - begin) * 1000 + Number(fraction.padEnd(6, "0"));
}

/** Sorted lines of text, so that a failed assertion shows one line per differing row. */
export const sorted = (orders: readonly TestOrder[]): string[] =>
  orders.map(({ id, name, amount, changed }) => JSON.stringify([id, name, amount, changed])).sort();
