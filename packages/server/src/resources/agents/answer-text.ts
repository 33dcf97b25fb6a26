import { decodeJson } from "@lakehelm/contract/schema";
import { answerIn } from "@lakehelm/contract/text";

/** The text of an agent's response: plain text, or JSON in one of the common formats. Undefined: there is none. */
export function answerText(contentType: string | undefined, body: string): string | undefined {
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(contentType ?? "")) return body.trim() || undefined;
  const read = decodeJson(body);
  return "value" in read ? answerIn(read.value) : undefined;
}
