/** The known name closest to a misspelled one, if one is close. Dotted names are compared part by part. */
function nearest(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let distance = Number.POSITIVE_INFINITY;
  const parts = name.toLowerCase().split(".");
  for (const candidate of known) {
    const others = candidate.toLowerCase().split(".");
    if (others.length !== parts.length) continue;
    const found = parts.reduce((sum, part, index) => sum + partDistance(part, others[index] ?? ""), 0);
    if (found < distance) {
      distance = found;
      best = candidate;
    }
  }
  return best;
}

/** About a third of the characters may differ, but none in names shorter than three characters. */
function partDistance(from: string, to: string): number {
  const longer = Math.max(from.length, to.length);
  const most = longer < 3 ? 0 : Math.ceil(longer / 3);
  if (from === to) return 0;
  if (Math.abs(from.length - to.length) > most) return Number.POSITIVE_INFINITY;
  const found = editDistance(from, to);
  return found > most ? Number.POSITIVE_INFINITY : found;
}

/** ` Did you mean x?`, or an empty string. */
export function suggestion(name: string, known: Iterable<string>): string {
  const close = nearest(name, known);
  return close === undefined ? "" : ` Did you mean ${close}?`;
}

/** The Levenshtein distance. */
export function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let left = 1; left <= from.length; left += 1) {
    const next = [left];
    for (let right = 1; right <= to.length; right += 1) {
      const same = from[left - 1] === to[right - 1] ? 0 : 1;
      next.push(Math.min((row[right] ?? 0) + 1, (next[right - 1] ?? 0) + 1, (row[right - 1] ?? 0) + same));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
