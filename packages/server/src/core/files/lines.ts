import { createReadStream } from "node:fs";

/**
 * The lines of a file, each cut to `maxLength` characters. Unlike those of `readline`, they end only at a newline: JSON texts
 * contain other separators.
 */
export async function* linesOf(path: string, maxLength: number): AsyncGenerator<string> {
  let pieces: string[] = [];
  let length = 0;
  const add = (piece: string) => {
    const kept = piece.slice(0, maxLength - length);
    if (kept !== "") pieces.push(kept);
    length += kept.length;
  };
  for await (const chunk of createReadStream(path, { encoding: "utf8" })) {
    const [first, ...others] = (chunk as string).split("\n");
    add(first ?? "");
    for (const next of others) {
      yield pieces.join("");
      pieces = [];
      length = 0;
      add(next);
    }
  }
  if (length > 0) yield pieces.join("");
}
