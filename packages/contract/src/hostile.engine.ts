import { testLinear } from "@lakehelm/testing/linear";
import { columnNameProblem } from "./connections/column-name.ts";
import { wordsOf } from "./connections/key-words.ts";
import { createRedaction } from "./connections/redaction.ts";
import { isSecretKey } from "./connections/secret-keys.ts";
import { hasMaskedPart, maskText, maskUrls } from "./connections/secret-text.ts";
import * as endpoints from "./endpoints/index.ts";
import { requestParser } from "./request.ts";
import { decodeJson, readBody } from "./schema/json.ts";

const connector = requestParser(endpoints.createConnector);
const connectors = requestParser(endpoints.listConnectors);
const sent = (body: string) => ({
  params: {},
  url: "",
  body: Buffer.from(body),
  contentType: "application/json",
});

/** Every parser of this package that reads text from a caller. */
testLinear({
  decodeJson,
  "decodeJson of a string": (text) => decodeJson(JSON.stringify(text)),
  "decodeJson of keys": (text) => decodeJson(`{${JSON.stringify(text)}:1}`),
  "readBody of bytes": (text) => readBody(Buffer.from(text), "application/json"),
  "readBody of UTF-16": (text) => readBody(Buffer.from(text, "utf16le"), "application/json"),
  "a content type": (text) => readBody(Buffer.from("{}"), text),
  "the body of a request": (text) => connector(sent(text)),
  "a field of a request": (text) =>
    connector(sent(JSON.stringify({ name: text, target_type: text, created_by: text }))),
  "the query of a request": (text) =>
    connectors({ params: {}, url: `/?${text}`, body: new Uint8Array(), contentType: undefined }),
  columnNameProblem,
  isSecretKey,
  wordsOf,
  maskText,
  maskUrls,
  hasMaskedPart,
  redaction: (text) => createRedaction(["secret-value", "other value"]).text(text),
});

const nearMatches = createRedaction(["aaaaaaab", "a".repeat(5000), "x".repeat(65_000)]);
testLinear({ "redaction of near matches": nearMatches.text }, ["a", "aaaaaaac", "xxxxxxxy", "q", "%61"]);
