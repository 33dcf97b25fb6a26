/** Prints the JSON Schema of automation definitions. docs/schemas/automation-v1.json is a copy. */
import { automationSchema } from "../packages/contract/src/openapi/automation-schema.ts";

console.log(JSON.stringify(automationSchema(), null, 2));
