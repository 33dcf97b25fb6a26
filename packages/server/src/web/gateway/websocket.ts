import { type IncomingMessage, type OutgoingHttpHeaders, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { responseTo } from "../http/response-to.ts";
import { pageAnswer } from "./pages.ts";
import { type ForwardTarget, failurePage, sendTo } from "./proxy.ts";

/** Bytes that a caller may send before the app accepts; a WebSocket client has to wait (RFC 6455, 4.1). */
const mostEarlyBytes = 64 * 1024;

/** Forwards a WebSocket: after the handshake, bytes are piped in both directions until one side ends. */
export function forwardUpgrade(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  target: ForwardTarget,
): Promise<void> {
  return new Promise((done) => {
    if (socket.destroyed) return done();
    const sending = sendTo(
      { ...target, headers: askingHeaders(target.headers, request) },
      request.method ?? "GET",
      false,
    );
    request.resume();
    const early = holdBack(socket, head);
    let isAgreed = false;
    socket.once("close", () => {
      sending.destroy();
      done();
    });
    sending.once("upgrade", (answer, other, first) => {
      isAgreed = true;
      const agreed = { connection: "Upgrade", upgrade: answer.headers.upgrade };
      other.setTimeout(0);
      socket.write(headText(answer, { ...target.answerHeaders(answer.headers), ...agreed }));
      socket.write(first);
      other.write(early.release());
      other.pipe(socket).pipe(other);
      other.on("error", () => socket.destroy());
      socket.once("close", () => other.destroy());
    });
    responseTo(sending).then(
      // The app declined: its response is forwarded, and the connection ends.
      (answer) => {
        sending.setTimeout(0);
        early.release();
        socket.write(headText(answer, { ...target.answerHeaders(answer.headers), connection: "close" }));
        answer.on("error", () => socket.destroy());
        answer.pipe(socket);
      },
      (error) => {
        if (!isAgreed) socket.end(pageAnswer(failurePage(error), target.requestId));
      },
    );
    sending.end();
  });
}

/** The headers of the upgrade request, without those of a body: a body that the caller sends is drained. */
function askingHeaders(passed: OutgoingHttpHeaders, { headers }: IncomingMessage): OutgoingHttpHeaders {
  const { "content-length": _, "transfer-encoding": __, ...others } = passed;
  return { ...others, connection: "Upgrade", upgrade: headers.upgrade };
}

/** Buffers input until it is released. Reading also detects a caller that disconnects meanwhile. */
function holdBack(socket: Duplex, head: Buffer): { release(): Buffer } {
  const pieces = [head];
  let size = head.length;
  const leave = () => void socket.destroy();
  const keep = (piece: Buffer) => {
    pieces.push(piece);
    size += piece.length;
    if (size > mostEarlyBytes) leave();
  };
  socket.on("data", keep);
  socket.once("end", leave);
  return {
    release() {
      socket.off("data", keep);
      socket.off("end", leave);
      return Buffer.concat(pieces);
    },
  };
}

function headText({ statusCode = 502 }: IncomingMessage, headers: OutgoingHttpHeaders): string {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => `${name}: ${one}`),
  );
  return [`HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode] ?? ""}`, ...lines, "", ""].join("\r\n");
}
