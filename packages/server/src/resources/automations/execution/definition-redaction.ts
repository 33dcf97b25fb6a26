import type { AutomationDefinition } from "@lakehelm/contract";
import { createRedaction, type Redaction } from "@lakehelm/contract/connections";
import { secretTextsIn } from "../../../core/secrets/secret-extraction.ts";

/** Redaction for everything that is written about a run; starts with the secrets of its definition. */
export const redactionOf = ({ parameters, tasks }: AutomationDefinition): Redaction =>
  createRedaction(secretTextsIn({ parameters, tasks: tasks.map((task) => task.parameters) }));
