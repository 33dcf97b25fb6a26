/**
 * The text in the JSON response of an agent, in the common formats: a string, `output_text` or the last text of
 * `output` (OpenAI responses), `choices[0].message.content` (OpenAI chat completions), or the last of `messages`.
 * Undefined: the response has none of these formats.
 */
export function answerIn(response: unknown): string | undefined {
  return firstText([
    response,
    at(response, "output_text"),
    at(response, "choices", 0, "message", "content"),
    at(response, "messages", -1, "content"),
    at(response, "output", -1, "content", -1, "text"),
  ]);
}

/** The piece of text in one message of a streaming agent: `choices[0].delta.content`, `delta`, or a whole answer. */
export function pieceIn(message: unknown): string | undefined {
  const piece = [at(message, "choices", 0, "delta", "content"), at(message, "delta")];
  return piece.find((text) => typeof text === "string") ?? answerIn(message);
}

const firstText = (candidates: readonly unknown[]) =>
  candidates.find((text): text is string => typeof text === "string" && text.trim() !== "");

/** Follows keys and indexes; undefined if the path does not exist. */
function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (typeof step === "number") return Array.isArray(value) ? at(value.at(step), ...rest) : undefined;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
  return at((value as Record<string, unknown>)[step], ...rest);
}
