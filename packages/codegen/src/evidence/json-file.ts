/** JSON is written in one way: two blanks, and a line end. Keys given twice are seen by that, too. */
export function jsonProblems(content: string): string[] {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (error) {
    // The engine's own message quotes the text, which may be long or hold what should not be repeated.
    const at = error instanceof Error ? /\(line \d+ column \d+\)/.exec(error.message)?.[0] : undefined;
    return [`It is not JSON${at ? ` ${at}` : ""}.`];
  }
  if (`${JSON.stringify(value, null, 2)}\n` === content) return [];
  return [
    "It is not what its own value is written as (two blanks a level, each key once, a line end at the end).",
  ];
}
