import type { App, Environment } from "@lakehelm/contract";

/** An app as a URL names it. */
export interface AppReference {
  /** The id or name of the environment; undefined for an app that is named by its id. */
  readonly environment: string | undefined;
  /** The id or name of the app. */
  readonly app: string;
}

/** The maximum length of a DNS label (RFC 1035, 2.3.4). */
const longest = 63;
const between = "--";
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A name that is a valid label and cannot be confused with an id or with two names. */
const isLabel = (name: string): boolean =>
  /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(name) && !name.includes(between) && !uuid.test(name);

/** `<app>`, or `<app>--<environment>` outside the default environment; the app's id if the names are not valid labels. */
export function hostLabel(app: App, environment: Environment, defaultEnvironment: string): string {
  const names = environment.name === defaultEnvironment ? [app.name] : [app.name, environment.name];
  const label = names.join(between);
  return names.every(isLabel) && label.length <= longest ? label : app.id;
}

/** Parses a label; undefined if it names no app. */
export function readLabel(label: string, defaultEnvironment: string): AppReference | undefined {
  if (uuid.test(label)) return { environment: undefined, app: label };
  const [app = "", environment = defaultEnvironment, ...more] = label.split(between);
  return isLabel(app) && more.length === 0 ? { environment, app } : undefined;
}
