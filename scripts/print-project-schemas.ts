/** Writes the JSON Schemas of a project's files to docs/schemas/project: `node run.js scripts/print-project-schemas.ts`. */
import { writeSchemas } from "../packages/cli/src/commands/schema.ts";

await writeSchemas(`${import.meta.dirname}/../docs/schemas/project`);
