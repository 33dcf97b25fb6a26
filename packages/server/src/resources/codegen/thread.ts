/** The worker thread that parses requests, generates and proves, so that none of it blocks the server's event loop. */
import { parentPort } from "node:worker_threads";
import { type GenerationRequests, generateResponse, loadSqlParser } from "@lakehelm/codegen/generators";
import { endpoints, requestParser } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import type { Answered, Asked, FromThread, Question, Told } from "./thread-messages.ts";

const port = parentPort;
if (!port) throw new Error("This file is a thread of the server.");
const say = (message: FromThread) => port.postMessage(message);

/** Requests are handled one at a time, so there is at most one question. */
let told: (answer: Told) => void = () => {};

async function answer({ generator, bytes, contentType, place }: Asked): Promise<Answered> {
  const read = requestParser(endpoints[generator])({ params: {}, url: "", body: bytes, contentType });
  if ("unreadable" in read || "errors" in read) return read;
  if (!place) return { valid: true };
  const body = read.body as GenerationRequests[typeof generator];
  const response = await generateResponse(
    generator,
    body,
    place,
    async (table) => (await describe(table)).known,
  );
  return { text: encodeJson(response) };
}

function describe(table: Question["describe"]): Promise<Told> {
  return new Promise((resolve) => {
    told = resolve;
    say({ describe: table });
  });
}

await loadSqlParser();
port.on("message", (message: Asked | Told) => {
  if ("known" in message) return told(message);
  answer(message).then(
    (answered) => say({ answered }),
    (error) => say({ answered: { failed: String(error?.stack ?? error) } }),
  );
});
say({ ready: true });
