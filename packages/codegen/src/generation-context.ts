import { hidden, shown } from "@lakehelm/contract/text";
import { namePartProblem, titleProblem } from "@lakehelm/sql/names";

/** Where the generated code will live: what an environment says of its platform. */
export interface Place {
  /** The environment's name. */
  readonly environment: string;
  /** Production bundles run as deployed; development bundles are a private copy whose schedules are paused. */
  readonly mode: "production" | "development";
  /** The workspace's address, where it is known. */
  readonly host: string | null;
  /** What names of fewer than three parts are completed with. */
  readonly catalog: string;
  readonly schema: string;
  readonly secretScope: string;
  readonly git: { readonly repository: string; readonly branch: string | null } | null;
  /** A user's address or a service principal's id. */
  readonly runAs: string | null;
}

/** What an environment says may be wrong for a bundle, which replaces `${…}` in every string. */
export function placeProblems(place: Place): string[] {
  const wrong = (what: string, problem: string | undefined) =>
    problem
      ? [`The environment ${shown(place.environment)} cannot be used: its ${what} is wrong: ${problem}`]
      : [];
  const plain = (text: string | null) =>
    text !== null && (hidden.test(text) || text.includes("${"))
      ? `${shown(text)} contains "\${" or a character that cannot be seen.`
      : undefined;
  const address = place.host === null || URL.parse(place.host)?.protocol === "https:";
  return [
    ...wrong("name", titleProblem(place.environment)),
    ...wrong("catalog", namePartProblem(place.catalog)),
    ...wrong("schema", namePartProblem(place.schema)),
    ...wrong("secret scope", /^[\w.@-]{1,128}$/.test(place.secretScope) ? undefined : secretScopeRule(place)),
    ...wrong("host", address ? plain(place.host) : `${shown(place.host ?? "")} is not an https address.`),
    ...wrong("git repository", plain(place.git?.repository ?? null)),
    ...wrong("git branch", plain(place.git?.branch ?? null)),
    ...wrong("run_as", plain(place.runAs)),
  ];
}

const secretScopeRule = ({ secretScope }: Place) =>
  `${shown(secretScope)} is not one to 128 letters, digits, "_", "-", "@" or ".".`;
