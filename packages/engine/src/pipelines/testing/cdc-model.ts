/** A plain model of AUTO CDC for tests: applies every event of a key in order, one after the other. */
export interface CdcEvent {
  readonly id: number;
  readonly op: "U" | "D" | "T";
  readonly name: string | null;
  readonly city: string | null;
  readonly seq: number;
}

type CdcRow = Pick<CdcEvent, "name" | "city">;

const line = (...values: readonly (string | number | null | undefined)[]): string =>
  values.map((value) => value ?? "").join(" ");

/** NULL is less than any text. */
const compare = (one: string | null, other: string | null): number =>
  one === other ? 0 : one === null || (other !== null && one < other) ? -1 : 1;

/** The winner of events with the same sequence: a deletion, or the one with the greatest columns. */
function winner(events: readonly CdcEvent[]): CdcEvent {
  const sorted = events.toSorted(
    (one, other) => compare(one.name, other.name) || compare(one.city, other.city),
  );
  return (events.find(({ op }) => op !== "U") ?? sorted.at(-1)) as CdcEvent;
}

/** With IGNORE NULL UPDATES, events with the same sequence complement each other. */
function mixed(events: readonly CdcEvent[]): CdcEvent {
  const greatest = (pick: "name" | "city") =>
    events
      .map((event) => event[pick])
      .toSorted(compare)
      .at(-1) ?? null;
  return { ...winner(events), name: greatest("name"), city: greatest("city") };
}

function inOrder(
  all: readonly CdcEvent[],
  one: (events: readonly CdcEvent[]) => CdcEvent,
): Map<number, CdcEvent[]> {
  const keys = new Set(all.filter(({ op }) => op !== "T").map(({ id }) => id));
  return new Map(
    [...keys].map((id) => {
      const ofKey = all.filter((event) => event.id === id || event.op === "T");
      const bySequence = Map.groupBy(ofKey, ({ seq }) => seq);
      return [id, [...bySequence.values()].map(one).toSorted((left, right) => left.seq - right.seq)];
    }),
  );
}

const over = (before: CdcRow | undefined, { name, city }: CdcRow, ignoreNulls: boolean): CdcRow =>
  ignoreNulls ? { name: name ?? before?.name ?? null, city: city ?? before?.city ?? null } : { name, city };

/** `id name city` of each row. */
export function latest(all: readonly CdcEvent[], ignoreNulls: boolean): string[] {
  const rows: string[] = [];
  for (const [id, events] of inOrder(all, ignoreNulls ? mixed : winner)) {
    let row: CdcRow | undefined;
    for (const event of events) row = event.op === "U" ? over(row, event, ignoreNulls) : undefined;
    if (row) rows.push(line(id, row.name, row.city));
  }
  return rows.sort();
}

/** `id name city start end` of each version. A new version begins when the name changes, or any column if all are tracked. */
export function history(all: readonly CdcEvent[], ignoreNulls: boolean, tracksAll: boolean): string[] {
  const rows: string[] = [];
  for (const [id, events] of inOrder(
    all.filter(({ op }) => op !== "T"),
    winner,
  )) {
    let open: (CdcRow & { start: number }) | undefined;
    const close = (end: number | null) => {
      if (open) rows.push(line(id, open.name, open.city, open.start, end));
      open = undefined;
    };
    for (const event of events) {
      if (event.op !== "U") {
        close(event.seq);
        continue;
      }
      const next = over(open, event, ignoreNulls);
      const isSame = open?.name === next.name && (!tracksAll || open.city === next.city);
      const start = open && isSame ? open.start : event.seq;
      if (!isSame) close(event.seq);
      open = { ...next, start };
    }
    close(null);
  }
  return rows.sort();
}
