import type { Place } from "../problems.ts";
import { type Path, placeOf } from "../read/tree.ts";
import { pathKey, type ResolvedResource } from "../resolve/resolver.ts";

/**
 * The location of a line and column in a string of a resource. If the string is from an included file, the location is
 * in that file.
 */
export function placeIn({ tree, texts }: ResolvedResource, path: Path, line: number, column: number): Place {
  const text = texts.get(pathKey(path));
  return text ? text.place(offsetOf(text.text, line, column)) : placeOf(tree, path);
}

function offsetOf(text: string, line: number, column: number): number {
  let at = 0;
  for (let count = 1; count < line; count += 1) {
    const next = /\r\n|\r|\n/g;
    next.lastIndex = at;
    const end = next.exec(text);
    if (!end) break;
    at = end.index + end[0].length;
  }
  // A column counts code points, not code units.
  for (let count = 1; count < column && at < text.length; count += 1)
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return at;
}

/**
 * The location in the project's files of a flow's problem: `matched_sql, line 2, column 5: …` or `source_tables[0]: …`.
 */
export function flowProblem(
  resource: ResolvedResource,
  sentence: string,
): { readonly place: Place; readonly message: string } {
  const match = /^([\w.[\]]+)(?:, line (\d+), column (\d+))?: ([\s\S]*)$/.exec(sentence);
  const path = (match?.[1] ?? "")
    .split(/[.[\]]+/)
    .flatMap((step) => (step === "" ? [] : [/^\d+$/.test(step) ? Number(step) : step]));
  if (match?.[2] === undefined) return { place: placeOf(resource.tree, path), message: sentence };
  const place = placeIn(resource, path, Number(match[2]), Number(match[3]));
  return { place, message: `${match[1]}: ${match[4]}` };
}
