import type { AutomationDefinition } from "@lakehelm/contract";
import { createEncryptedMaps } from "../../core/secrets/encrypted-map.ts";
import type { Vault } from "../../core/secrets/vault.ts";

type Parameters = AutomationDefinition["parameters"];

/**
 * The free-form parts of a definition. Tasks are keyed by name, so a secret stays with its task when tasks are
 * reordered.
 */
interface FreeForm {
  readonly parameters: Parameters;
  readonly tasks: Readonly<Record<string, Parameters>>;
}

/** Stores definitions with masked secrets, and the secrets separately, encrypted. */
interface SealedDefinitions {
  /** Where the request contains the mask, keeps the secret of `before`. */
  seal(
    definition: AutomationDefinition,
    before?: string | null,
  ): { readonly masked: AutomationDefinition; readonly sealed: string | null };
  open(masked: AutomationDefinition, sealed: string | null): AutomationDefinition;
}

export function createSealedDefinitions(vault: Vault): SealedDefinitions {
  const maps = createEncryptedMaps(vault);
  return {
    seal(definition, before) {
      const { masked, sealed } = maps.seal({ ...freeFormOf(definition) }, before);
      return { masked: withFreeForm(definition, masked), sealed };
    },
    open: (masked, sealed) => withFreeForm(masked, maps.open({ ...freeFormOf(masked) }, sealed)),
  };
}

const freeFormOf = ({ parameters, tasks }: AutomationDefinition): FreeForm => ({
  parameters,
  tasks: Object.fromEntries(tasks.map((task) => [task.name, task.parameters])),
});

function withFreeForm(definition: AutomationDefinition, tree: object): AutomationDefinition {
  // Masking and restoring replace strings with strings: the shape is that of `freeFormOf`.
  const { parameters, tasks } = tree as FreeForm;
  return {
    ...definition,
    parameters,
    tasks: definition.tasks.map((task) => ({ ...task, parameters: tasks[task.name] ?? {} })),
  };
}
