import type { ClientRequest, IncomingMessage } from "node:http";

/**
 * The answer to a request that is being sent, as soon as its status and headers are there. Rejects where none comes: also where
 * the connection closes without an error, as it does when the other side switches to a protocol that nobody asked for, and where
 * the status is not that of a final answer (RFC 9110, 15), which Node would refuse to pass on.
 */
export function answerTo(sending: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sending.on("error", reject);
    sending.once("close", () => reject(new Error("it closed the connection without an answer")));
    sending.once("response", (answer) => {
      const { statusCode = 0 } = answer;
      if (statusCode >= 200) return resolve(answer);
      reject(new Error(`its status ${statusCode} is none of an answer`));
      sending.destroy();
    });
  });
}
