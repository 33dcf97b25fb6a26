import { hidden, shown } from "@lakehelm/contract/text";
import { namePartProblem, titleProblem } from "@lakehelm/sql/names";

/** The settings of an environment that generated code depends on. */
export interface GenerationContext {
  /** The environment's name. */
  readonly environment: string;
  /** The bundle's target that is the environment: production runs as deployed, development is a private copy. */
  readonly mode: "production" | "development";
  /** The address of the workspace, if known. */
  readonly host: string | null;
  /** The defaults for names of fewer than three parts. */
  readonly catalog: string;
  readonly schema: string;
  /** The catalog of the bundle's other target: `prod` of a development environment, otherwise `dev`. */
  readonly otherCatalog: string;
  readonly secretScope: string;
  /** What the notebooks of connectors run on: they use what only Databricks has, or what open-source Spark has too. */
  readonly runtime: "databricks" | "spark";
  /** The environment is a workspace: the code asks the same catalog when it runs. */
  readonly isWorkspace?: boolean;
  /** Of schedules that name no time zone themselves. */
  readonly timezone: string;
  readonly git: { readonly repository: string; readonly branch: string | null } | null;
  /** A user's address or a service principal's id. */
  readonly runAs: string | null;
  /** Who is notified when a job fails. */
  readonly notificationEmail: string | null;
  /** The group that manages what is deployed to production. */
  readonly ownerGroup: string | null;
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
  const address = context.host === null || isAddress(context.host);
  return [
    ...wrong("name", titleProblem(context.environment)),
    ...wrong("catalog", namePartProblem(context.catalog)),
    ...wrong("schema", namePartProblem(context.schema)),
    ...wrong(
      context.mode === "development" ? "prod_catalog" : "dev_catalog",
      // Its default is made from the catalog.
      namePartProblem(context.catalog) ? undefined : namePartProblem(context.otherCatalog),
    ),
    ...wrong(
      "secret scope",
      /^[\w.@-]{1,128}$/.test(context.secretScope) ? undefined : secretScopeRule(context),
    ),
    ...wrong("host", address ? plain(context.host) : `${shown(context.host ?? "")} is not an https address.`),
    ...wrong("git repository", plain(context.git?.repository ?? null)),
    ...wrong("git branch", plain(context.git?.branch ?? null)),
    ...wrong("run_as", plain(context.runAs)),
    ...wrong("owner_group", plain(context.ownerGroup)),
    ...wrong("notification_email", emailProblem(context.notificationEmail)),
  ];
}

const emailProblem = (address: string | null): string | undefined =>
  address === null || /^[\w.+-]{1,64}@[\w.-]{1,190}$/.test(address)
    ? undefined
    : `${shown(address)} is not an email address.`;

const secretScopeRule = ({ secretScope }: GenerationContext) =>
  `${shown(secretScope)} is not one to 128 letters, digits, "_", "-", "@" or ".".`;

/** An https address; http only to this machine, where a workspace for development may be. */
function isAddress(host: string): boolean {
  const url = URL.parse(host);
  if (url?.protocol === "https:") return true;
  return url?.protocol === "http:" && /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
}
