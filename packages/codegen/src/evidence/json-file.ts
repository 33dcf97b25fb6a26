/** Generated JSON has one canonical form, so a comparison with that form also finds duplicate keys. */
export function jsonProblems(content: string): string[] {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (error) {
    // JavaScript's message quotes the text, which can be long or contain a secret.
    const at = error instanceof Error ? /\(line \d+ column \d+\)/.exec(error.message)?.[0] : undefined;
    return [`It is not valid JSON${at ? ` ${at}` : ""}.`];
  }
  if (`${JSON.stringify(value, null, 2)}\n` === content) return [];
  return ["The JSON is not in canonical form (indented by two spaces, each key once, a newline at the end)."];
}
