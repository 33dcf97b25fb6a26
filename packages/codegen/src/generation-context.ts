import { hidden, shown } from "@lakehelm/contract/text";
import { namePartProblem, titleProblem } from "@lakehelm/sql/names";

/** The settings of an environment that generated code depends on. */
export interface GenerationContext {
  /** The environment's name. */
  readonly environment: string;
  /**
   * Which target of the bundle stands for the environment: production runs as deployed, development is a private copy.
   */
  readonly mode: "production" | "development";
  /** The address of the workspace, if known. */
  readonly host: string | null;
  /** The defaults for names with fewer than three parts. */
  readonly catalog: string;
  readonly schema: string;
  /** The catalog of the bundle's other target: `prod` if the environment is a development one, otherwise `dev`. */
  readonly otherCatalog: string;
  readonly secretScope: string;
  /**
   * The platform of connector notebooks: Databricks, or open-source Spark, where they use nothing that only Databricks
   * has.
   */
  readonly runtime: "databricks" | "spark";
  /** Whether the environment is a workspace: generated code then reads the same catalog when it runs. */
  readonly isWorkspace?: boolean;
  /** The time zone of schedules without one. */
  readonly timezone: string;
  readonly git: { readonly repository: string; readonly branch: string | null } | null;
  /** The address of a user or the id of a service principal. */
  readonly runAs: string | null;
  /** The address that is notified when a job fails. */
  readonly notificationEmail: string | null;
  /** The group that manages the resources deployed to production. */
  readonly ownerGroup: string | null;
}

/** The settings that a bundle cannot contain, because it replaces `${…}` in every string. */
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
      // By default, the other catalog is derived from the catalog, which is checked above.
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

/** Whether a URL uses https, or http to this machine, where a development workspace may run. */
function isAddress(host: string): boolean {
  const url = URL.parse(host);
  if (url?.protocol === "https:") return true;
  return url?.protocol === "http:" && /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
}
