/** Prints the schema of automations, for docs/schemas/automation-v1.json. */
import { automationSchema } from "../packages/contract/src/openapi/automation-schema.ts";

console.log(JSON.stringify(automationSchema(), null, 2));
