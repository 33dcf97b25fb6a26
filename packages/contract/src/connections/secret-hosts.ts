/** Where the credentials of a config go. A secret scope lists the hosts that its secrets may be sent to. */
import { isMap } from "./config.ts";
import type { CredentialPath } from "./credentials.ts";
import { bracketed } from "./hosts.ts";
import { connectionKind, connectionKinds } from "./kinds/index.ts";

/**
 * Listed instead of a host: allows code of callers, such as apps and tasks that run a program, which may send a secret
 * anywhere.
 */
export const programs = "programs";
/** Listed instead of a host: allows any host, and programs. */
export const anyHost = "*";

/**
 * The normalized host of an address, or of a field that has only a host, with the port if it is known:
 * `db.example.com:5432`. Undefined: there is no host, or a placeholder is in it.
 */
export function hostIn(address: unknown, usualPort?: number): string | undefined {
  if (typeof address !== "string" || address === "") return undefined;
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(address)?.[1]?.toLowerCase();
  const rest = scheme === undefined ? bracketed(address) : address.slice(scheme.length + 3);
  // For an unknown scheme, URL.parse does not normalize IP addresses. http and https do, but each drops its own default
  // port.
  const [plain, secure] = ["http", "https"].map((known) => URL.parse(`${known}://${rest}`));
  const host = plain?.hostname.replace(/\.$/, "");
  if (host === undefined || host === "" || /\{\{|\}\}/.test(host)) return undefined;
  const port = plain?.port || secure?.port || usualPort || schemePorts[scheme ?? ""];
  return port ? `${host}:${port}` : host;
}

const schemePorts: Readonly<Record<string, number>> = { http: 80, https: 443 };

/** Splits `[::1]:443`, `db:5432`, `*.example.com` or `programs` into name and port. */
function partsOf(entry: string): { readonly name: string; readonly port: string | undefined } {
  const [, name = entry, port] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? [];
  return { name, port };
}

/**
 * Whether a scope with this list may send its secrets to a host. `*.example.com` allows every host below it, and an
 * entry without a port allows all ports.
 */
export function allowsHost(hosts: readonly string[], host: string): boolean {
  const to = partsOf(host);
  return hosts.some((one) => {
    if (one === anyHost || one === host) return true;
    const { name, port } = partsOf(one);
    if (port !== undefined && port !== to.port) return false;
    return (
      name === to.name || (name.startsWith("*.") && host !== programs && to.name.endsWith(name.slice(1)))
    );
  });
}

/** Default ports of HTTP and of databases, which `hostEntry` leaves out. */
const isUsualPort = (port: string) =>
  port === "80" || port === "443" || connectionKinds.some(({ defaultPort }) => port === String(defaultPort));

/** The entry that allows a host, with the port unless it is a default port. */
export function hostEntry(host: string): string {
  const { name, port } = partsOf(host);
  return port === undefined || isUsualPort(port) ? name : `${name}:${port}`;
}

/** A normalized entry of the list; undefined: the entry is invalid. */
export function secretHost(entry: string): string | undefined {
  const text = entry.trim().toLowerCase();
  if (text === anyHost || text === programs) return text;
  if (text.startsWith("*.")) {
    const below = secretHost(text.slice(2));
    return below === undefined || below === anyHost || below === programs || below.startsWith("*.")
      ? undefined
      : `*.${below}`;
  }
  return /[\s/@?#*]|:\/\//.test(text) ? undefined : hostIn(text);
}

/**
 * The hosts that get the credential at a path of a config, or a token obtained with it; undefined: not all of them are
 * known.
 */
export function connectionHosts(
  kind: string,
  config: Readonly<Record<string, unknown>>,
  path: CredentialPath,
): readonly string[] | undefined {
  const hosts = connectionKind(kind)
    ?.address(config, path)
    .map((address) => hostIn(address));
  return hosts?.every((host) => host !== undefined) ? hosts : undefined;
}

/** Like `connectionHosts`, for a connector's `target_config`. */
export function targetHosts(
  targetType: string,
  targetConfig: Readonly<Record<string, unknown>>,
  path: CredentialPath,
): readonly string[] | undefined {
  if (targetType !== "warehouse") return connectionHosts(targetType, targetConfig, path);
  const { connection } = targetConfig;
  if (!isMap(connection) || !isMap(connection.config) || typeof connection.type !== "string")
    return undefined;
  return connectionHosts(connection.type, connection.config, path.slice(2));
}
