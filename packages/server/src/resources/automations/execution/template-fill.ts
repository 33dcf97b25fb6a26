import { type CredentialPath, isSecretKey, type Redaction } from "@lakehelm/contract/connections";
import { Problem } from "../../../core/errors.ts";
import { pathText, type SecretReference, withValues } from "../../../core/secrets/references.ts";
import type { SecretDestination } from "../../../core/secrets/secret-destination.ts";
import type { System } from "../../../core/system.ts";
import type { SecretStore } from "../../secrets/secret-store.ts";
import { credentialFieldsSentence } from "../task-credentials.ts";
import { type DefinitionTree, fillTree, type TemplateValues } from "../templates.ts";
import { PermanentError } from "./permanent-error.ts";

/**
 * Fills a task's request: placeholders with the values of the run, secret references with the secrets. A secret outside
 * a credential field of the request is a permanent error.
 */
export type TemplateFill = (
  tree: DefinitionTree,
  values: TemplateValues,
  isCredential: (path: CredentialPath, isWhole: boolean) => boolean,
  /**
   * Where the secret at a path is sent. In `filled`, the values of the run and the secrets of the url are filled in.
   */
  destinationAt: (path: CredentialPath, filled: DefinitionTree) => SecretDestination,
) => Promise<DefinitionTree>;

/**
 * Secrets are filled in only for references in the definition, and in parameters whose name marks them as secret. A
 * value from another server that looks like a reference stays unchanged: while values are filled in, an unguessable
 * marker stands for each secret.
 */
export function createTemplateFill(
  environmentId: string,
  secrets: Pick<SecretStore, "resolve" | "missing">,
  system: Pick<System, "randomBytes">,
  redaction: Redaction,
): TemplateFill {
  async function secretOf({ scope, key }: SecretReference, to: SecretDestination): Promise<string> {
    const secret = await secrets.resolve(environmentId, scope, key, to).catch((error) => {
      // The limits of the scope refuse the secret, which is permanent until an admin changes them.
      throw error instanceof Problem ? new PermanentError(error.message) : error;
    });
    if (secret === undefined) throw new PermanentError(await secrets.missing(environmentId, scope, key));
    redaction.add(secret);
    return secret;
  }

  return async (tree, values, isCredential, destinationAt) => {
    const prefix = system.randomBytes(16).toString("hex");
    const references: SecretReference[] = [];
    const withMarkers = <Value>(part: Value): Value =>
      withValues(part, (reference) => `${prefix}.${references.push(reference) - 1};`) as Value;
    const parameters = underSecretKeys(values.parameters, withMarkers);
    const filled = fillTree(withMarkers(tree), { ...values, parameters });
    if (references.length === 0) return filled as DefinitionTree;
    const marker = new RegExp(`${prefix}\\.(\\d+);`, "g");
    const used = new Map<number, string>();
    const places: [number, CredentialPath][] = [];
    const misplaced: CredentialPath[] = [];
    const visit = (value: unknown, path: CredentialPath, change: TextChange): unknown => {
      if (typeof value === "string") return value.includes(prefix) ? change(value, path) : value;
      if (Array.isArray(value)) return value.map((item, at) => visit(item, [...path, at], change));
      if (!isTree(value)) return value;
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, visit(item, [...path, key], change)]),
      );
    };
    visit(filled, [], (text, path) => {
      const found = [...text.matchAll(marker)];
      if (!isCredential(path, found[0]?.[0] === text)) misplaced.push(path);
      for (const [, at] of found) places.push([Number(at), path]);
      return text;
    });
    const [first] = misplaced;
    if (first) throw new PermanentError(`${pathText(first)}: ${credentialFieldsSentence}`);
    const change: TextChange = (text) => text.replace(marker, (_, at) => used.get(Number(at)) ?? "");
    // The url may contain secrets. They come first, because the url decides where the other secrets are sent.
    const isAddress = ([, path]: (typeof places)[number]) => path[0] === "url";
    for (const [at, path] of [...places.filter(isAddress), ...places.filter((one) => !isAddress(one))]) {
      const known = visit(filled, [], change) as DefinitionTree;
      used.set(at, await secretOf(references[at] as SecretReference, destinationAt(path, known)));
    }
    return visit(filled, [], change) as DefinitionTree;
  };
}

type TextChange = (text: string, path: CredentialPath) => string;

/** Maps the values whose keys mark them as secrets. */
const underSecretKeys = (tree: DefinitionTree, change: (value: unknown) => unknown): DefinitionTree =>
  Object.fromEntries(
    Object.entries(tree).map(([key, value]) => {
      if (isSecretKey(key) && typeof value === "string") return [key, change(value)];
      return [key, isTree(value) ? underSecretKeys(value, change) : value];
    }),
  );

const isTree = (value: unknown): value is DefinitionTree =>
  typeof value === "object" && value !== null && !Array.isArray(value);
