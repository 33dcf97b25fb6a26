import type { AutomationDefinition } from "@lakehelm/contract";
import { extractSecrets } from "../../../core/secrets/mask.ts";
import { createRedaction, type Redaction } from "../../../core/secrets/redaction.ts";

/** What keeps the secrets of a run out of what is written about it: those of its definition, to begin with. */
export const redactionOf = ({ parameters, tasks }: AutomationDefinition): Redaction =>
  createRedaction(
    Object.values(extractSecrets({ parameters, tasks: tasks.map((task) => task.parameters) }).secrets),
  );
