import { createHash } from "node:crypto";
import { type Config, isMap, secretMask } from "@lakehelm/contract/connections";
import { shown } from "@lakehelm/contract/text";
import { tableSlug } from "@lakehelm/sql/names";
import type { RequiredSecret } from "../artifact.ts";
import type { GenerationContext } from "../generation-context.ts";
import { mayBeSecret } from "./secret-keys.ts";
import { referencesIn, referenceText, withoutReferences } from "./secret-references.ts";

interface WithheldConfig {
  /** The config with references instead of secret values. */
  readonly config: Config;
  /** All secrets that the config refers to. Those that do not exist yet must be created. */
  readonly secrets: readonly RequiredSecret[];
  /** The removed values. No artifact may contain them. */
  readonly withheld: readonly string[];
  /** The removed values by the key of their new secret, which is in the environment's scope. */
  readonly values: ReadonlyMap<string, string>;
  readonly problems: readonly string[];
}

/** A limit, because every file is searched for each secret. */
const mostSecrets = 200;

/** Replaces the secret values of a config with references. `where` names the config in problems. */
export function withholdSecrets(
  config: Config,
  name: string,
  context: Pick<GenerationContext, "secretScope">,
  where: string,
): WithheldConfig {
  const secrets = new Map<string, RequiredSecret>();
  const withheld = new Set<string>();
  const values = new Map<string, string>();
  const problems: string[] = [];
  const refer = (reference: RequiredSecret) => {
    secrets.set(referenceText(reference), reference);
    return referenceText(reference);
  };

  function take(value: string, path: readonly string[]): string {
    if (value !== secretMask) withheld.add(value);
    const known = (key: string) => secrets.has(referenceText({ scope: context.secretScope, key }));
    const usual = secretKey(name, path);
    const key = known(usual) ? `${usual}-${digest(path)}` : usual;
    values.set(key, value);
    return refer({ scope: context.secretScope, key });
  }

  function visitText(text: string, path: readonly string[], secret: boolean): string {
    const field = `${where}.${path.map((part) => (/^\w+$/.test(part) ? part : shown(part))).join(".")}`;
    const rest = withoutReferences(text);
    if (rest.includes("{{secrets/")) {
      problems.push(`${field}: a reference to a secret is written {{secrets/<scope>/<key>}}.`);
      return text;
    }
    if (hasCredentials(text)) {
      // The message does not quote the value, because it contains a secret.
      problems.push(
        `${field}: a URL must not contain credentials. Put them into user and password, or into a header.`,
      );
      withheld.add(text);
      return text;
    }
    const references = referencesIn(text);
    if ((secret || containsSecret(rest)) && rest !== "" && references.length === 0) return take(text, path);
    // "Bearer {{secrets/crm/token}}" is a complete value; any further text beside the reference may be a secret.
    if (secret && references.length > 0 && !/^([A-Za-z]+ )?$/.test(rest)) {
      problems.push(
        `${field}: it contains a reference to a secret and other text. Put the whole text into the secret.`,
      );
      withheld.add(text);
    }
    for (const reference of references) refer(reference);
    return text;
  }

  function visit(value: unknown, path: readonly string[], secret: boolean): unknown {
    if (typeof value === "string") return visitText(value, path, secret);
    if (typeof value === "number" && secret) return take(String(value), path);
    if (Array.isArray(value)) return value.map((item, at) => visit(item, [...path, String(at)], secret));
    if (!isMap(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        visit(item, [...path, key], secret || mayBeSecret([...path, key])),
      ]),
    );
  }

  // These maps contain only names, although a table can be called `tokens`.
  const entries = Object.entries(config).map(([key, value]) => [
    key,
    namesOnly.has(key) ? value : visit(value, [key], mayBeSecret([key])),
  ]);
  if (withheld.size > mostSecrets) problems.push(`${where}: it has more than ${mostSecrets} secret values.`);
  return {
    config: Object.fromEntries(entries),
    secrets: [...secrets.values()],
    withheld: [...withheld],
    values,
    problems,
  };
}

const namesOnly = new Set([
  "primary_keys",
  "watermark_columns",
  "pii_columns",
  "partition_columns",
  "partition_bounds",
  "columns",
]);

/** `orders_to_crm.headers.x-api-key`. A slug has no dot, so two connectors never share a key. */
export function secretKey(name: string, path: readonly string[]): string {
  const words = path.map((part) => part.toLowerCase().replace(/[^a-z0-9_-]+/g, "-")).join(".");
  return words.length > 48 || words.includes("--")
    ? `${tableSlug(name)}.${words.slice(0, 40)}-${digest(path)}`
    : `${tableSlug(name)}.${words}`;
}

const digest = (path: readonly string[]) =>
  createHash("sha256").update(JSON.stringify(path), "utf8").digest("hex").slice(0, 8);

/** A private key, or a connection string with a password in it. */
const containsSecret = (text: string) =>
  text.includes("-----BEGIN ") ||
  /\b(password|pwd|secret|token|accountkey|accesskey|sharedaccesskey|sharedaccesssignature)\s*=/i.test(text);

/**
 * Whether an address contains `user:password@` or a parameter that is a key. `abfss://container@account` is an ordinary
 * path.
 */
function hasCredentials(text: string): boolean {
  const address = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(text.trim().replace(/^jdbc:/i, ""));
  if (!address) return false;
  const before = address[1]?.split("@").slice(0, -1).join("@") ?? "";
  if (before.includes(":") || (before !== "" && /^https?:/i.test(text.trim()))) return true;
  return [...text.matchAll(/[?&;]([^=&;#?]+)=[^&;#]/g)].some(
    ([, key = ""]) => mayBeSecret([key]) || /^(code|sig|signature|auth|x-amz-signature)$/i.test(key),
  );
}
