interface Stored {
  readonly id: string;
  readonly target_name: string;
}

interface Update {
  readonly id: string;
  readonly body: { readonly target_name: string };
}

/**
 * The order in which datasets can be updated one by one: the server refuses two datasets with the same target at any
 * time. Datasets that exchange their targets are updated by way of an unused target.
 */
export function inUpdateOrder<U extends Update>(stored: readonly Stored[], updates: readonly U[]): U[] {
  const known = new Set(
    [...stored, ...updates.map(({ body }) => body)].map(({ target_name }) => target_name),
  );
  const pending = new Map(updates.map((update) => [update.id, update]));
  /** By target: the dataset that has it and may still give it up. */
  const holders = new Map(
    stored.flatMap(({ id, target_name }) => (pending.has(id) ? [[target_name, id]] : [])),
  );
  const isFree = ({ id, body }: U) => (holders.get(body.target_name) ?? id) === id;
  const release = (id: string) => {
    for (const [target, holder] of holders) if (holder === id) holders.delete(target);
  };
  const ordered: U[] = [];
  while (pending.size > 0) {
    const [first] = pending.values();
    const next = [...pending.values()].find(isFree);
    if (next) {
      ordered.push(next);
      pending.delete(next.id);
      release(next.id);
    } else if (first) {
      const target_name = unusedName(first.body.target_name, known);
      ordered.push({ ...first, body: { ...first.body, target_name } });
      release(first.id);
    }
  }
  return ordered;
}

function unusedName(target: string, known: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const name = `${target}_${number}`;
    if (!known.has(name)) return name;
  }
}
