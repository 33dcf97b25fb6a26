import { groups } from "./table/index.ts";

/**
 * Options of a call that are added to the commands in its messages: without them a command would act on something else.
 */
export interface RepeatedOptions {
  readonly env?: string | undefined;
  readonly profile?: string | undefined;
  readonly url?: string | undefined;
  readonly dir?: string | undefined;
  readonly var?: readonly string[] | undefined;
}

/** Commands that read the files of a project. */
const ofProjects = ["plan", "apply", "promote", "adopt", "revert", "validate", "drift"];
/** Commands without an option for the environment. */
const withoutEnvironment = ["dev", "init", "login", "plans", "profiles", "promote", "environments"];
const withoutServer = ["dev", "init", "profiles", "validate"];
/** Subcommands that are written by hand, not made from the contract. */
const handWritten = ["alter", "invoke", "list", "logs", "show", "watch"];

/** Quotes an argument for a shell, if necessary. */
export const shellWord = (text: string): string =>
  /^[\w./:@=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

const flag = (name: string, value: string | undefined): string =>
  value === undefined ? "" : ` --${name} ${shellWord(value)}`;

/** Adds these options to the commands in a text, except to commands that have their own. */
export function withOptions(text: string, options: RepeatedOptions = {}): string {
  const { env, profile, url, dir, var: variables = [] } = options;
  if (env === undefined && profile === undefined && url === undefined && dir === undefined && !variables[0])
    return text;
  const connection = flag("profile", profile) + flag("url", url);
  return text.replace(
    /\blakehelm ([a-z]+)(?: ([a-z][a-z-]*))?((?:(?!\blakehelm )[^\n])*)/g,
    (_, group: string, second: string | undefined, rest: string) => {
      const commands: Readonly<Record<string, unknown>> | undefined = Object.hasOwn(groups, group)
        ? groups[group]?.commands
        : undefined;
      const isVerb =
        second !== undefined && commands && (Object.hasOwn(commands, second) || handWritten.includes(second));
      const line = `${isVerb ? "" : second === undefined ? "" : ` ${second}`}${rest}`;
      const isOfProject = ofProjects.includes(group) && (!isVerb || second === "show");
      const added = [
        withoutEnvironment.includes(group) || / --env\b/.test(line) ? "" : flag("env", env),
        withoutServer.includes(group) || / --(?:profile|url)\b/.test(line) ? "" : connection,
        isOfProject && !/ --dir\b/.test(line)
          ? flag("dir", dir) + variables.map((one) => flag("var", one)).join("")
          : "",
      ];
      return `lakehelm ${group}${isVerb ? ` ${second}` : ""}${added.join("")}${line}`;
    },
  );
}
