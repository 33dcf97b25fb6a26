import { decodeJson } from "@lakehelm/contract/schema";
import { answerIn } from "@lakehelm/contract/text";

/** The text of an agent's response, which is plain text or JSON in a common format; undefined if it has no text. */
export function answerText(contentType: string | undefined, body: string): string | undefined {
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(contentType ?? "")) return body.trim() || undefined;
  const read = decodeJson(body);
  return "value" in read ? answerIn(read.value) : undefined;
}
