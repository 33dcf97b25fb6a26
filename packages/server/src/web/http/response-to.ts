import type { ClientRequest, IncomingMessage } from "node:http";

/**
 * The response to an outgoing request, as soon as its status and headers have arrived. Rejects if no response arrives,
 * also if the connection closes without an error (the other side switched to a protocol that was not requested) or if
 * the status is not that of a final response (RFC 9110, 15), which Node refuses to forward.
 */
export function responseTo(sending: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sending.on("error", reject);
    sending.once("close", () => reject(new Error("it closed the connection without a response")));
    sending.once("response", (answer) => {
      const { statusCode = 0 } = answer;
      if (statusCode >= 200) return resolve(answer);
      reject(new Error(`its status ${statusCode} is not that of a final response`));
      sending.destroy();
    });
  });
}
