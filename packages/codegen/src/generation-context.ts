import { hidden, shown } from "@lakehelm/contract/text";
import { namePartProblem, titleProblem } from "@lakehelm/sql/names";

/** The settings of an environment that generated code depends on. */
export interface GenerationContext {
  /** The environment's name. */
  readonly environment: string;
  /** Production bundles run as deployed; development bundles are a private copy whose schedules are paused. */
  readonly mode: "production" | "development";
  /** The address of the workspace, if known. */
  readonly host: string | null;
  /** The defaults for names of fewer than three parts. */
  readonly catalog: string;
  readonly schema: string;
  readonly secretScope: string;
  readonly git: { readonly repository: string; readonly branch: string | null } | null;
  /** A user's address or a service principal's id. */
  readonly runAs: string | null;
}

/** Settings that a bundle cannot contain: it replaces `${…}` in every string. */
export function contextProblems(context: GenerationContext): string[] {
  const wrong = (what: string, problem: string | undefined) =>
    problem
      ? [`The environment ${shown(context.environment)} cannot be used: its ${what} is wrong: ${problem}`]
      : [];
  const plain = (text: string | null) =>
    text !== null && (hidden.test(text) || text.includes("${"))
      ? `${shown(text)} contains "\${" or an invisible character.`
      : undefined;
  const address = context.host === null || URL.parse(context.host)?.protocol === "https:";
  return [
    ...wrong("name", titleProblem(context.environment)),
    ...wrong("catalog", namePartProblem(context.catalog)),
    ...wrong("schema", namePartProblem(context.schema)),
    ...wrong(
      "secret scope",
      /^[\w.@-]{1,128}$/.test(context.secretScope) ? undefined : secretScopeRule(context),
    ),
    ...wrong("host", address ? plain(context.host) : `${shown(context.host ?? "")} is not an https address.`),
    ...wrong("git repository", plain(context.git?.repository ?? null)),
    ...wrong("git branch", plain(context.git?.branch ?? null)),
    ...wrong("run_as", plain(context.runAs)),
  ];
}

const secretScopeRule = ({ secretScope }: GenerationContext) =>
  `${shown(secretScope)} is not one to 128 letters, digits, "_", "-", "@" or ".".`;
