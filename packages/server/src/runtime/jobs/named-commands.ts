import { shellArgument, withEnvironment } from "@lakehelm/contract/changes";
import { DataProblem, type Engine } from "@lakehelm/engine";

/** What the commands in a run's messages are about. */
interface CommandSubject {
  /** The name of the resource's environment. */
  readonly environment: string;
  /** The engine knows resources by their ids. */
  readonly id: string;
  readonly name: string;
}

/** A message with commands that can be typed as they are: with the name of the resource, and with its environment. */
export function withNamedCommands(text: string, { environment, id, name }: CommandSubject): string {
  if (!text.includes("lakehelm ")) return text;
  // A name with a dash at its beginning would be an option.
  const named = name.startsWith("-")
    ? text
    : text.replaceAll(` run ${id}`, () => ` run ${shellArgument(name)}`);
  return withEnvironment(named, environment);
}

/** Wraps an engine, so that commands in its messages name the resource and its environment. */
export function engineFor(engine: Pick<Engine, "request">, subject: CommandSubject): Pick<Engine, "request"> {
  const shown = (text: string) => withNamedCommands(text, subject);
  const tree = (value: unknown): unknown => {
    if (typeof value === "string") return shown(value);
    if (Array.isArray(value)) return value.map(tree);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, tree(item)]));
  };
  return {
    async request(kind, body, options = {}) {
      const { onLogLine, onProgress } = options;
      try {
        const result = await engine.request(kind, body, {
          ...options,
          ...(onLogLine && { onLogLine: (level, text) => onLogLine(level, shown(text)) }),
          ...(onProgress && { onProgress: (values) => onProgress(tree(values) as typeof values) }),
        });
        return tree(result) as typeof result;
      } catch (error) {
        if (error instanceof DataProblem) error.message = shown(error.message);
        throw error;
      }
    },
  };
}
