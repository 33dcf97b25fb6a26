/** One message of a `text/event-stream`. */
export interface ServerSentMessage {
  readonly id: string;
  /** The name of the event; empty: it has none. */
  readonly event: string;
  readonly data: string;
}

/**
 * Messages by the rules of the HTML standard: lines end in CR, LF or both, and a blank line ends a message. An
 * incomplete message at the end of the stream is dropped.
 */
export async function* messages(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<ServerSentMessage, void, undefined> {
  let id = "";
  let event = "";
  let data: string[] = [];
  for await (const line of lines(chunks)) {
    if (line === "") {
      if (data.length > 0) yield { id, event, data: data.join("\n") };
      data = [];
      event = "";
      continue;
    }
    const { name, value } = field(line);
    if (name === "data") data.push(value);
    else if (name === "event") event = value;
    else if (name === "id" && !value.includes("\0")) id = value;
  }
}

function field(line: string): { name: string; value: string } {
  const colon = line.indexOf(":");
  if (colon < 0) return { name: line, value: "" };
  return { name: line.slice(0, colon), value: line.slice(colon + 1).replace(/^ /, "") };
}

/** Complete lines only. */
async function* lines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let pending = "";
  for await (const chunk of chunks) {
    pending += decoder.decode(chunk, { stream: true });
    // A CR at the end may be the first half of a CRLF.
    const complete = pending.split(/\r\n|\n|\r(?!$)/);
    pending = complete.pop() ?? "";
    yield* complete;
  }
}

/** The chunks of a body. Not every browser supports `for await` on a stream. */
export async function* chunksOf(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
