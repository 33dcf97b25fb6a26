import type { AutomationDefinition } from "@lakehelm/contract";
import { createHiding, type Hiding } from "../../../core/secrets/hiding.ts";
import { extractSecrets } from "../../../core/secrets/mask.ts";

/** What keeps the secrets of a run out of what is written about it: those of its definition, to begin with. */
export const hidingOf = ({ parameters, tasks }: AutomationDefinition): Hiding =>
  createHiding(
    Object.values(extractSecrets({ parameters, tasks: tasks.map((task) => task.parameters) }).secrets),
  );
