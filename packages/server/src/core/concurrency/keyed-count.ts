/** Counts what is in use for each key, such as the open streams or the unread bytes of each caller. A key with nothing in use takes no memory. */
export interface KeyedCount {
  of(key: string): number;
  add(key: string, amount?: number): void;
  remove(key: string, amount?: number): void;
  /** The largest count of a key. */
  largest(): number;
}

export function createKeyedCount(): KeyedCount {
  const counts = new Map<string, number>();
  const of = (key: string) => counts.get(key) ?? 0;
  return {
    of,
    add: (key, amount = 1) => void counts.set(key, of(key) + amount),
    remove(key, amount = 1) {
      const left = of(key) - amount;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
    },
    largest: () => counts.values().reduce((one, other) => Math.max(one, other), 0),
  };
}
