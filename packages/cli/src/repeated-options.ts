import { groups } from "./table/index.ts";

/** Options of a call that a command in one of its messages needs too: without them it would mean something else. */
export interface RepeatedOptions {
  readonly env?: string | undefined;
  readonly profile?: string | undefined;
  readonly url?: string | undefined;
  readonly dir?: string | undefined;
  readonly var?: readonly string[] | undefined;
}

/** Commands that read the files of a project. */
const ofProjects = ["plan", "apply", "promote", "adopt", "revert", "validate", "drift"];
/** Commands that no environment is chosen for. */
const withoutEnvironment = ["dev", "init", "login", "plans", "profiles", "promote", "environments"];
const withoutServer = ["dev", "init", "profiles", "validate"];
/** Commands of groups that are written by hand. */
const handWritten = ["alter", "invoke", "list", "logs", "show", "watch"];

/** An argument, as a shell needs it. */
export const shellWord = (text: string): string =>
  /^[\w./:@=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

const flag = (name: string, value: string | undefined): string =>
  value === undefined ? "" : ` --${name} ${shellWord(value)}`;

/** A text whose commands have these options, unless they name their own. */
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
