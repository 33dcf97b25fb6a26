import type { AutomationDefinition } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import { destinationText } from "../../core/secrets/destination.ts";
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

/** A definition as it is stored. */
export interface StoredDefinition {
  readonly masked: AutomationDefinition;
  readonly sealed: string | null;
}

/** Stores definitions with masked secrets, and the secrets separately, encrypted. */
interface SealedDefinitions {
  /** Where the request contains the mask, keeps the secret of `before`. */
  seal(
    definition: AutomationDefinition,
    before?: StoredDefinition,
  ): { readonly masked: AutomationDefinition; readonly sealed: string | null };
  /** Masks a stored definition by the current rules. */
  reseal(stored: StoredDefinition): StoredDefinition;
  open(masked: AutomationDefinition, sealed: string | null): AutomationDefinition;
}

export function createSealedDefinitions(vault: Vault): SealedDefinitions {
  const maps = createEncryptedMaps(vault);
  return {
    seal(definition, before) {
      const stored = before && { masked: { ...freeFormOf(before.masked) }, sealed: before.sealed };
      const { masked, sealed } = maps.seal({ ...freeFormOf(definition) }, stored, {
        keyed: ["tasks"],
        isSameDestination: ([section, name]) =>
          before === undefined ||
          destinationOf(definition, section, name) === destinationOf(before.masked, section, name),
      });
      return { masked: withFreeForm(definition, masked), sealed };
    },
    reseal(stored) {
      const before = { masked: { ...freeFormOf(stored.masked) }, sealed: stored.sealed };
      const { masked, sealed } = maps.reseal(before, { keyed: ["tasks"] });
      return { masked: withFreeForm(stored.masked, masked), sealed };
    },
    open: (masked, sealed) => withFreeForm(masked, maps.open({ ...freeFormOf(masked) }, sealed)),
  };
}

/**
 * Where a task sends its secrets: to its URL, to the resource that it refers to, or to its program. Any task may use
 * the definition's parameters, so a secret in a parameter may go wherever any task sends something. A URL with
 * placeholders depends on the parameters and other tasks.
 */
function destinationOf({ tasks, parameters }: AutomationDefinition, section?: string, name?: string): string {
  const own = tasks.filter((task) => section !== "tasks" || task.name === name);
  const isFilled = own.some(({ url, reference }) => `${url}${reference}`.includes("{{"));
  const receivers = (isFilled ? tasks : own)
    .map((task) => [
      task.name,
      task.kind,
      task.url ?? "",
      task.reference ?? "",
      task.query ?? "",
      task.script ?? "",
      ...(task.command ?? []),
    ])
    .sort(([a = ""], [b = ""]) => (a < b ? -1 : 1));
  return encodeJson([receivers, isFilled ? destinationText(parameters) : ""]);
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
