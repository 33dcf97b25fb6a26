import { ApiError, chunksOf, decodeJson, errorOf, messages } from "@lakehelm/contract/client";
import { answerIn, pieceIn } from "@lakehelm/contract/text";

/** Reads the answer of an agent. Calls back with the text so far whenever more text arrives. */
export async function readAnswer(response: Response, onText: (text: string) => void): Promise<string> {
  if (!response.ok) throw await problemOf(response);
  const type = response.headers.get("content-type") ?? "";
  if (/\bjson\b/i.test(type)) {
    const body = decodeJson(await response.text());
    return answerIn(body) ?? JSON.stringify(body, null, 2);
  }
  let text = "";
  const add = (piece: string) => {
    text += piece;
    onText(text);
  };
  if (!response.body) return text;
  if (/^text\/event-stream\b/i.test(type)) {
    for await (const { data } of messages(chunksOf(response.body))) {
      if (data === "[DONE]") break;
      add(pieceOf(data));
    }
  } else {
    const decoder = new TextDecoder();
    for await (const chunk of chunksOf(response.body)) add(decoder.decode(chunk, { stream: true }));
  }
  return text;
}

/** The server's error, or the agent's own error response. */
async function problemOf(response: Response): Promise<Error> {
  const body = await response.clone().text();
  if (body.startsWith('{"detail"')) return errorOf(response, Date.now());
  const { status, headers } = response;
  return new ApiError("failed", `The agent answered with status ${status}: ${body.slice(0, 2000)}`, {
    status,
    requestId: headers.get("x-request-id") ?? undefined,
  });
}

/** A message of a stream: JSON in a known form, or the text itself. */
function pieceOf(data: string): string {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === "object" ? (pieceIn(value) ?? "") : data;
  } catch {
    return data;
  }
}
