import { isObject } from "../schema/index.ts";
import { type Config, commonKeys } from "./config.ts";
import { byName, type CredentialPath, credentialFieldsOf, isCredentialOf } from "./credentials.ts";
import { connectionKind } from "./kinds/index.ts";
import { contextBelow, isSecretKey } from "./secret-keys.ts";

/**
 * Whether the value at this path of a config is a credential: it is masked, and it may be a reference to a secret.
 * `kind` is a connection's `type` or a connector's `target_type`. An unknown kind has no schema, so the names on the
 * path decide.
 */
export function isCredential(kind: string, path: CredentialPath): boolean {
  const known = connectionKind(kind);
  return known ? isCredentialOf(known.fields, path) : byName(path);
}

/**
 * Like `isCredential`, for a connector's `target_config`. If the target is the warehouse, `connection.config` has its
 * own kind.
 */
export function isTargetCredential(targetType: string, targetConfig: Config, path: CredentialPath): boolean {
  if (targetType !== "warehouse") return isCredential(targetType, path);
  const [connection, config, ...rest] = path;
  if (connection !== "connection" || config !== "config") return false;
  const type = sourceType(targetConfig);
  return type !== undefined && isCredential(type, rest);
}

const sourceType = ({ connection }: Config): string | undefined =>
  isObject(connection) && typeof connection.type === "string" ? connection.type : undefined;

/** The fields of a `target_config` that hold credentials, for messages. */
export function credentialFieldNames(targetType: string, targetConfig: Config): string[] {
  const isWarehouse = targetType === "warehouse";
  const fields = connectionKind(isWarehouse ? sourceType(targetConfig) : targetType)?.fields;
  const names = fields ? credentialFieldsOf(fields) : ["keys whose names mark them as secret"];
  return names.map((name) => (isWarehouse && fields ? `connection.config.${name}` : name));
}

/**
 * The credentials of a config, for redaction: values that the kind declares, values whose names mark them as secret,
 * and credentials in addresses. A value that the config also has in a public field is not hidden: for example a user
 * whose password is the same word.
 */
export function credentialsIn(kind: string, config: Config): string[] {
  const found = new Set<string>();
  const shown = new Set<string>();
  const visit = (value: unknown, path: CredentialPath): void => {
    if (Array.isArray(value)) for (const [at, item] of value.entries()) visit(item, [...path, at]);
    else if (isObject(value)) for (const [key, item] of Object.entries(value)) visit(item, [...path, key]);
    else if (typeof value === "string" || typeof value === "number") {
      const text = String(value);
      const isHidden = isCredential(kind, path) || (byName(path) && !isPublicInside(path.at(-1), value));
      if (isHidden) for (const part of partsOf(text)) found.add(part);
      else {
        shown.add(text);
        for (const part of addressCredentials(text)) found.add(part);
      }
    }
  };
  for (const [key, value] of Object.entries(config)) {
    if (!commonKeys.includes(key)) visit(value, [key]);
  }
  return [...found].filter((one) => !shown.has(one));
}

/**
 * In `auth: {type, token_url, client_id}`, these values are beside a credential but are none themselves, and messages
 * contain them.
 */
const isPublicInside = (key: string | number | undefined, value: unknown): boolean =>
  typeof key === "string" && !isSecretKey(key) && contextBelow(key, value, "secret") === "plain";

/** `Bearer <token>` is a credential with and without its scheme. `Basic` encodes a user and a password. */
function partsOf(text: string): string[] {
  const [scheme = "", token, ...more] = text.split(" ");
  if (token === undefined || more.length > 0) return [text];
  if (scheme.toLowerCase() !== "basic") return [text, token];
  const decoded = decodedBase64(token);
  return [text, token, decoded.slice(decoded.indexOf(":") + 1)];
}

/** The password of `https://user:password@host`, and the parameters whose names mark them as secret. */
function addressCredentials(text: string): string[] {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return [];
  const url = URL.parse(text);
  if (url === null) return [];
  const parameters = [...url.searchParams].filter(([name]) => isSecretKey(name)).map(([, value]) => value);
  return [url.password, safelyDecoded(url.password), ...parameters].filter(Boolean);
}

function safelyDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function decodedBase64(text: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0)));
  } catch {
    return text;
  }
}
