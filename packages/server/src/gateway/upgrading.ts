import { type IncomingMessage, type OutgoingHttpHeaders, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { pageAnswer } from "./pages.ts";
import { failurePage, type Passage, sendTo } from "./passing.ts";

/** Passes a WebSocket on: once both sides have agreed, bytes go both ways as they come, until one of them ends. */
export function passUpgradeOn(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  passage: Passage,
): Promise<void> {
  return new Promise((done) => {
    if (socket.destroyed) return done();
    const asking = { connection: "Upgrade", upgrade: request.headers.upgrade };
    const sending = sendTo(
      { ...passage, headers: { ...passage.headers, ...asking } },
      request.method ?? "GET",
      false,
    );
    socket.once("close", () => {
      sending.destroy();
      done();
    });
    sending.on("error", (error) => socket.end(pageAnswer(failurePage(error), passage.requestId)));
    sending.once("upgrade", (answer, other, first) => {
      const agreed = { connection: "Upgrade", upgrade: answer.headers.upgrade };
      other.setTimeout(0);
      socket.write(headText(answer, { ...passage.answerHeaders(answer.headers), ...agreed }));
      socket.write(first);
      other.write(head);
      other.pipe(socket).pipe(other);
      other.on("error", () => socket.destroy());
      socket.once("close", () => other.destroy());
    });
    // It does not want to: its answer is one like any other, and the last one here.
    sending.once("response", (answer) => {
      sending.setTimeout(0);
      socket.write(headText(answer, { ...passage.answerHeaders(answer.headers), connection: "close" }));
      answer.on("error", () => socket.destroy());
      answer.pipe(socket);
    });
    sending.end();
  });
}

function headText({ statusCode = 502 }: IncomingMessage, headers: OutgoingHttpHeaders): string {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => `${name}: ${one}`),
  );
  return [`HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode] ?? ""}`, ...lines, "", ""].join("\r\n");
}
