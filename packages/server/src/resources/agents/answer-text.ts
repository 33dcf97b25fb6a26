import { decodeJson } from "@lakehelm/contract/schema";

/**
 * The text of an agent's response, in the common formats: `output_text` or the last text of `output` (OpenAI responses),
 * `choices[0].message.content` (OpenAI chat completions), the last of `messages`, or plain text. Undefined: none of
 * these.
 */
export function answerText(contentType: string | undefined, body: string): string | undefined {
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(contentType ?? "")) return body.trim() || undefined;
  const read = decodeJson(body);
  if (!("value" in read)) return undefined;
  const answer = read.value;
  const candidates = [
    answer,
    at(answer, "output_text"),
    at(answer, "choices", 0, "message", "content"),
    at(answer, "messages", -1, "content"),
    at(answer, "output", -1, "content", -1, "text"),
  ];
  return candidates.find((text): text is string => typeof text === "string" && text.trim() !== "");
}

/** Follows keys and indexes; undefined if the path does not exist. */
function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (typeof step === "number") return Array.isArray(value) ? at(value.at(step), ...rest) : undefined;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
  return at((value as Record<string, unknown>)[step], ...rest);
}
