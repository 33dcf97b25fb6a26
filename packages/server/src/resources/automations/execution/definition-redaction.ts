import type { AutomationDefinition } from "@lakehelm/contract";
import { extractSecrets } from "../../../core/secrets/encrypted-map.ts";
import { createRedaction, type Redaction } from "../../../core/secrets/redaction.ts";

/** Redaction for everything that is written about a run; starts with the secrets of its definition. */
export const redactionOf = ({ parameters, tasks }: AutomationDefinition): Redaction =>
  createRedaction(
    Object.values(extractSecrets({ parameters, tasks: tasks.map((task) => task.parameters) }).secrets),
  );
