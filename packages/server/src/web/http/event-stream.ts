import type { ServerResponse } from "node:http";
import type { StreamMessage } from "../../core/stream-message.ts";

const heartbeatMs = 15_000;

/** Writes messages as `text/event-stream` until they end, with backpressure. */
export async function sendEventStream(
  response: ServerResponse,
  requestId: string,
  messages: AsyncIterable<StreamMessage>,
): Promise<void> {
  response.writeHead(200, {
    "x-request-id": requestId,
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    // Asks proxies not to buffer events.
    "x-accel-buffering": "no",
  });
  // HEAD wants only the headers.
  if (response.req.method === "HEAD") return void response.end();
  response.write(": connected\n\n");
  const heartbeat = setInterval(() => response.write(": heartbeat\n\n"), heartbeatMs);
  try {
    for await (const { id, event, data } of messages) {
      const flowing = response.write(`id: ${id}\nevent: ${event}\ndata: ${data}\n\n`);
      if (response.destroyed) return;
      if (!flowing) await drained(response);
    }
  } finally {
    clearInterval(heartbeat);
    response.end();
  }
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off("drain", done);
      response.off("close", done);
      resolve();
    };
    response.on("drain", done);
    response.on("close", done);
  });
}
