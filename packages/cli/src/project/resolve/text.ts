import type { Place } from "../problems.ts";
import type { ScalarTree } from "../read/tree.ts";

/** A text after its references were replaced, and where each part comes from. */
export interface MappedText {
  readonly text: string;
  /** The place of an offset: in the file that the text is from, or the reference that it replaced. */
  place(offset: number): Place;
}

interface Segment {
  /** Where it begins in the new text, and in the old one. */
  readonly to: number;
  readonly from: number;
  readonly isCopy: boolean;
}

/** Replaces `${…}`; `$${` is a plain `${`. `replace` returns undefined for what it has reported. */
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

/** The place of an offset in a text of a YAML file: exact in block texts, else where the text begins. */
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
