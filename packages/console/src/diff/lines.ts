export interface DiffLine {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

/** With more pairs of lines, the whole middle is shown as replaced. */
const mostPairs = 4_000_000;

/** Compares the lines of two texts: the lines of the longest common subsequence are unchanged. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [one, other] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < Math.min(one.length, other.length) && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < Math.min(one.length, other.length) - start && one.at(-1 - end) === other.at(-1 - end))
    end += 1;
  const same = (text: string): DiffLine => ({ kind: "same", text });
  return [
    ...one.slice(0, start).map(same),
    ...middle(one.slice(start, one.length - end), other.slice(start, other.length - end)),
    ...one.slice(one.length - end).map(same),
  ];
}

const linesOf = (text: string) => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));

function middle(one: readonly string[], other: readonly string[]): readonly DiffLine[] {
  const removed = (text: string): DiffLine => ({ kind: "removed", text });
  const added = (text: string): DiffLine => ({ kind: "added", text });
  if (one.length * other.length > mostPairs || one.length === 0 || other.length === 0)
    return [...one.map(removed), ...other.map(added)];
  // lengths[i][j] is the length of the longest common subsequence of the lines from i and from j on.
  const width = other.length + 1;
  const lengths = new Uint32Array((one.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] as number;
  for (let i = one.length - 1; i >= 0; i -= 1)
    for (let j = other.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] =
        one[i] === other[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < one.length || j < other.length) {
    const [left, right] = [one[i], other[j]];
    if (left !== undefined && left === right) {
      lines.push({ kind: "same", text: left });
      i += 1;
      j += 1;
    } else if (left !== undefined && (right === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push(removed(left));
      i += 1;
    } else {
      lines.push(added(right as string));
      j += 1;
    }
  }
  return lines;
}
