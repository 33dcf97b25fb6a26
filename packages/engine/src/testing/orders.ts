import type { SeededRandom } from "./seeded-random.ts";

/** A row of the source, as the test knows it. */
export interface TestOrder {
  readonly id: number;
  readonly name: string | null;
  /** With two digits behind the point. */
  readonly amount: string;
  /** When it was changed: microseconds since the beginning of 2026, in UTC; null: nobody knows. */
  readonly changed: number | null;
}

/** What may happen to the rows of a source between two runs. */
export interface OrderChanges {
  readonly updates: boolean;
  readonly deletes: boolean;
  /** What changes gets a mark that is at least as great as all others; else any. */
  readonly monotonicWatermarks: boolean;
}

const names = ["Größe", 'a "quoted", and; one\twith\n\\ all', null];
const amounts = ["0.00", "999999.99"];

/** The first one stays as it is: from it, files tell the types of their columns. */
export const firstOrders: readonly TestOrder[] = [
  { id: 1, name: "first", amount: "0.01", changed: 1 },
  { id: 2, name: null, amount: "-17.50", changed: 2_000_000 },
  { id: 3, name: "third", amount: "90071992547.40", changed: 2_000_000 },
];

/** Some more orders, and others than before; there is always at least one new one. */
export function nextOrders(
  before: readonly TestOrder[],
  { updates, deletes, monotonicWatermarks: marks }: OrderChanges,
  chance: SeededRandom,
): TestOrder[] {
  const greatest = Math.max(...before.map(({ changed }) => changed ?? 0));
  const lastId = Math.max(...before.map(({ id }) => id));
  const content = () => ({
    // There are few values: a row often becomes again what it was before.
    name: chance.pick(names),
    amount: chance.pick(amounts),
    // Rows of equal marks come in different runs, too.
    changed: chance.below(6) === 0 ? null : marks ? greatest + chance.below(3) : chance.below(2),
  });
  const kept = before.filter(({ id }) => id === 1 || !deletes || chance.below(4) > 0);
  const changed = kept.map((order) =>
    order.id === 1 || !updates || chance.below(3) > 0 ? order : { ...order, ...content() },
  );
  const added = Array.from({ length: 1 + chance.below(4) }, (_, at) => ({
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

/** A row as a driver gave it: texts, or numbers for `id` and `amount`. Its time is in UTC. */
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
  if (!time) throw new Error(`${text} is no time`);
  const [, day, clock, fraction = ""] = time;
  return (Date.parse(`${day}T${clock}Z`) - begin) * 1000 + Number(fraction.padEnd(6, "0"));
}

/** In one order, as texts: a difference is told in a line. */
export const sorted = (orders: readonly TestOrder[]): string[] =>
  orders.map(({ id, name, amount, changed }) => JSON.stringify([id, name, amount, changed])).sort();
