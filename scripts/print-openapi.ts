/** Prints the OpenAPI document, for linters and client generators. */
import { openApiDocument } from "../packages/contract/src/openapi/index.ts";
import { version } from "../packages/server/src/core/version.ts";

console.log(JSON.stringify(openApiDocument({ version }), null, 2));
