import { testLinear } from "@lakehelm/testing/linear";
import { referencesIn } from "./core/secrets/references.ts";
import { parseYaml } from "./core/yaml/parse.ts";
import { longestYaml } from "./core/yaml/read.ts";
import { fill, placeholdersIn } from "./resources/automations/templates.ts";
import { segmentsOf } from "./resources/files/path.ts";
import { cookieOfApp, cookiesForApp } from "./web/gateway/cookies.ts";
import { acceptedRequestId, originForm } from "./web/http/call.ts";
import { readIfMatch } from "./web/http/preconditions.ts";

/**
 * Every parser of this package that reads a text from a caller. The header of tokens is in
 * web/identity/token-header.test.ts.
 */
testLinear({
  parseYaml: (text) => parseYaml(text.slice(0, longestYaml), "strict"),
  "parseYaml of a value": (text) => parseYaml(`a: ${text}`.slice(0, longestYaml), "text"),
  "parseYaml of a quoted value": (text) => parseYaml(`a: "${text}"`, "strict"),
  "parseYaml of a list": (text) => parseYaml(`a: [${text}]`.slice(0, longestYaml), "lenient"),
  placeholdersIn,
  fill: (text) =>
    fill(text, { parameters: {}, tasks: {}, run: { id: "", time: "" }, environment: "" } as never),
  referencesIn,
  segmentsOf,
  cookiesForApp,
  cookieOfApp: (text) => cookieOfApp(text, "/apps/a"),
  readIfMatch,
  acceptedRequestId,
  originForm,
});
