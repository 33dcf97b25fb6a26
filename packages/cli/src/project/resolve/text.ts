import type { Place } from "../problems.ts";
import type { ScalarTree } from "../read/tree.ts";

/** A text with its references replaced, and the origin of each part. */
export interface MappedText {
  readonly text: string;
  /** The location of an offset: in the file that the text is from, or of the reference that was replaced. */
  place(offset: number): Place;
}

interface Segment {
  /** The offset where the segment begins in the new text and, in `from`, in the old text. */
  readonly to: number;
  readonly from: number;
  readonly isCopy: boolean;
}

/** Replaces `${…}`; `$${` is a literal `${`. `replace` returns undefined if it has reported a problem. */
export function replaceReferences(
  text: string,
  replace: (expression: string, offset: number) => string | undefined,
): { text: string; original(offset: number): number } {
  const segments: Segment[] = [];
  let result = "";
  let done = 0;
  const add = (more: string, from: number, isCopy: boolean) => {
    if (more !== "") segments.push({ to: result.length, from, isCopy });
    result += more;
  };
  for (const { 0: match, 1: inside, index } of text.matchAll(/\$\$\{|\$\{([^{}\n]*)\}/g)) {
    add(text.slice(done, index), done, true);
    add(inside === undefined ? "${" : (replace(inside.trim(), index) ?? match), index, false);
    done = index + match.length;
  }
  add(text.slice(done), done, true);
  return {
    text: result,
    original(offset) {
      const segment = segments.findLast(({ to }) => to <= offset);
      if (!segment) return 0;
      return segment.isCopy ? segment.from + offset - segment.to : segment.from;
    },
  };
}

/**
 * The location of an offset in a string of a YAML file: exact in block scalars, otherwise the beginning of the string.
 */
export function placeInScalar({ source, at, value, block }: ScalarTree, offset: number): Place {
  if (!block || typeof value !== "string") return { source, at };
  const before = value.slice(0, offset);
  const line = before.split("\n").length - 1;
  const column = offset - (before.lastIndexOf("\n") + 1);
  let start = lineStart(source.text, block.line + line);
  start += Math.min(block.indent, Math.max(0, source.text.length - start));
  return { source, at: Math.min(start + column, source.text.length) };
}

function lineStart(text: string, line: number): number {
  let at = 0;
  for (let count = 1; count < line; count += 1) {
    const next = text.indexOf("\n", at);
    if (next < 0) return text.length;
    at = next + 1;
  }
  return at;
}
