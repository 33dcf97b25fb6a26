/** The worker thread that parses requests and generates code, so that the event loop of the server stays free. */
import { parentPort } from "node:worker_threads";
import { type GenerationRequests, generateResponse, loadSqlParser } from "@lakehelm/codegen/generators";
import { endpoints, requestParser } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import { dataPathsOf } from "@lakehelm/sql/pipelines";
import type {
  GeneratorMessage,
  PathsRequest,
  TableLookup,
  TableLookupResult,
  ThreadRequest,
  ThreadResult,
} from "./thread-messages.ts";

const port = parentPort;
if (!port) throw new Error("This file must run as a worker thread of the server.");
const send = (message: GeneratorMessage) => port.postMessage(message);

/** Requests are handled one at a time, so there is at most one lookup. */
let resolveLookup: (result: TableLookupResult) => void = () => {};

async function perform(request: ThreadRequest | PathsRequest): Promise<ThreadResult> {
  if ("sources" in request) return { paths: dataPathsOf(parser, request.sources, request.rules) };
  const { generator, bytes, contentType, context } = request;
  const read = requestParser(endpoints[generator])({ params: {}, url: "", body: bytes, contentType });
  if ("unreadable" in read || "errors" in read) return read;
  if (!context) return { valid: true };
  const body = read.body as GenerationRequests[typeof generator];
  const response = await generateResponse(
    generator,
    body,
    context,
    async (table) => (await describe(table)).metadata,
  );
  return { text: encodeJson(response) };
}

function describe(table: TableLookup["describe"]): Promise<TableLookupResult> {
  return new Promise((resolve) => {
    resolveLookup = resolve;
    send({ describe: table });
  });
}

const parser = await loadSqlParser();
port.on("message", (message: ThreadRequest | PathsRequest | TableLookupResult) => {
  if ("metadata" in message) return resolveLookup(message);
  perform(message).then(
    (result) => send({ result }),
    (error) => send({ result: { failed: String(error?.stack ?? error) } }),
  );
});
send({ ready: true });
