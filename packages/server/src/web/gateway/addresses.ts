import type { App, Environment } from "@lakehelm/contract";
import type { Settings } from "../../settings.ts";
import { type AppReference, hostLabel, readLabel } from "./host-label.ts";

/** The app that a request to the gateway is addressed to. */
export interface Address {
  readonly named: AppReference;
  /** The path prefix of the app; empty if it has its own host. */
  readonly prefix: string;
  /** Identifies the address: a session is valid for one of them. */
  readonly audience: string;
  /** The path and query after the prefix. */
  readonly rest: string;
  /** The origin of the app's pages. */
  readonly origin: string;
}

export interface Addresses {
  /** Whether browsers use https, terminated in front of this port. */
  readonly isSecure: boolean;
  /** Undefined if the address names no app. */
  read(host: string | undefined, target: string): Address | undefined;
  /** Why the apps of an environment have no address. */
  refusal(environment: Pick<Environment, "id" | "name">): string | undefined;
  /** The URL of the app, with a trailing slash. */
  urlOf(app: App, environment: Environment): string;
}

type AddressSettings = Pick<
  Settings,
  "PLATFORM_APPS_URL" | "PLATFORM_APPS_DOMAIN" | "PLATFORM_DEFAULT_ENVIRONMENT"
> &
  Partial<Pick<Settings, "PLATFORM_ENV">>;

/**
 * If the settings name a domain, each app is served on its own host below the domain; otherwise apps are served by
 * path. Never both: an app would share its origin with pages of another app. By path, all apps share one origin, so in
 * production only the apps of the default environment are served: this environment never changes by itself, and
 * browsers keep what the pages of an origin have stored.
 */
export function createAddresses(settings: AddressSettings, ownUrl: () => string): Addresses {
  const domain = settings.PLATFORM_APPS_DOMAIN?.toLowerCase();
  const fixed = settings.PLATFORM_APPS_URL === undefined ? undefined : new URL(settings.PLATFORM_APPS_URL);
  const front = () => fixed ?? new URL(ownUrl());
  const isSecure = fixed?.protocol === "https:";
  const scheme = isSecure ? "https" : "http";
  const defaultEnvironment = settings.PLATFORM_DEFAULT_ENVIRONMENT;

  const isOnlyDefault = domain === undefined && settings.PLATFORM_ENV === "production";

  function byHost(host: string, target: string, below: string): Address | undefined {
    const name = host.toLowerCase().replace(/:\d*$/, "");
    if (!name.endsWith(`.${below}`)) return undefined;
    const label = name.slice(0, -below.length - 1);
    const named = readLabel(label, defaultEnvironment);
    return named && { named, prefix: "", audience: label, rest: target, origin: `${scheme}://${host}` };
  }

  function byPath(host: string, target: string): Address | undefined {
    const found = /^\/apps\/([^/?]+)\/([^/?]+)(.*)$/s.exec(target);
    const environment = found && decoded(found[1] as string);
    const app = found && decoded(found[2] as string);
    if (!environment || !app || (isOnlyDefault && environment !== defaultEnvironment)) return undefined;
    const prefix = prefixOf(environment, app);
    const origin = fixed?.origin ?? `${scheme}://${host}`;
    return { named: { environment, app }, prefix, audience: prefix, rest: found[3] as string, origin };
  }

  return {
    isSecure,
    refusal: ({ name }) =>
      !isOnlyDefault || name === defaultEnvironment
        ? undefined
        : `In production without a domain for apps, only those of the default environment "${defaultEnvironment}" can be opened: by path, the apps of all environments would share one origin. An operator of the server can give each app its own: PLATFORM_APPS_DOMAIN.`,
    read(host = "", sent) {
      // A proxy may send the absolute URL (RFC 9112, 3.2.2).
      const target = sent.startsWith("/") ? sent : sent.replace(/^https?:\/\/[^/?]*/i, "") || "/";
      return domain === undefined ? byPath(host, target) : byHost(host, target, domain);
    },
    urlOf(app, environment) {
      const { port, origin } = front();
      if (domain === undefined) {
        return `${origin}${prefixOf(pathName(environment), pathName(app))}/`;
      }
      const label = hostLabel(app, environment, defaultEnvironment);
      return `${scheme}://${label}.${domain}${port && `:${port}`}/`;
    },
  };
}

const prefixOf = (environment: string, app: string): string =>
  `/apps/${encodeURIComponent(environment)}/${encodeURIComponent(app)}`;

/** Browsers resolve the segments `.` and `..`, however they are encoded: such a name is replaced by the id. */
const pathName = ({ id, name }: { readonly id: string; readonly name: string }): string =>
  name === "." || name === ".." ? id : name;

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
