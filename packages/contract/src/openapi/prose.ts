import type { Access, Endpoint } from "../endpoint.ts";
import type { Deprecation } from "../schema/index.ts";

/** Tags, in the order of the documentation. */
export const tags = [
  { name: "System", description: "Health, version and metrics of the server." },
  { name: "Authentication", description: "The caller's identity, and tokens in exchange for credentials." },
  {
    name: "Environments",
    description: "Where resources live and run: each environment has one platform and its settings.",
  },
  {
    name: "Connectors",
    description: "Move data between the platform and other systems, on a schedule.",
  },
  {
    name: "Plans",
    description: "What brings an environment to a desired state, over all kinds of resources.",
  },
  { name: "Pipelines", description: "Declared transformations that the platform keeps up to date." },
  {
    name: "Flows",
    description: "SELECT statements whose rows are published as warehouse tables and kept up to date.",
  },
  { name: "Jobs and runs", description: "Jobs and their triggers, runs and their logs." },
  {
    name: "Drift",
    description:
      "What differs from its definition, because somebody changed it elsewhere: adopt it, or put it back.",
  },
  { name: "Deployments", description: "Records of what was deployed where, and with what result." },
  {
    name: "Automations",
    description: "Scheduled tasks, with their designs, releases, schedules and chat channels.",
  },
  {
    name: "Agents and apps",
    description: "Agents with their versions and components, and apps, which can be an agent's UI.",
  },
  {
    name: "Code generation",
    description: "Generates notebooks, SQL and bundles from a description. Changes nothing.",
  },
  {
    name: "Warehouse",
    description: "The catalog of tables with their descriptions and tags, and queries.",
  },
  { name: "Files", description: "The workspace folder of an environment." },
  { name: "Secrets", description: "A write-only store: only runs and processes can read the values." },
  { name: "Events", description: "The durable log of every change: read, follow and verify it." },
  { name: "Users", description: "The users of the embedded workspace and their personal access tokens." },
] as const;

export const about = `The control API of Lakehelm, a control plane for data platforms.

An error is \`{"detail": "<sentence>"}\`. A validation error is 422, and its \`detail\` has one entry for each
problem. Every path works with and without a trailing slash. Times are in UTC, and ids are UUIDs. Operations
with \`x-extension\` are extensions of Lakehelm; those with an \`x-contract-number\` belong to the
contract.`.replaceAll(/(?<!\n)\n(?!\n)/g, " ");

const requirements: Record<Access, string> = {
  public: "Requires no token.",
  viewer: "Requires a token of any role.",
  operator: "Requires the role `operator`.",
  admin: "Requires the role `admin`.",
};

const deprecationSentence = ({ since, sunset, link }: Deprecation) =>
  `Deprecated since ${since}; it stops working on ${sunset}: ${link}.`;

export function describe(endpoint: Endpoint): string {
  const sentences = [endpoint.description, requirements[endpoint.access]];
  if (endpoint.effect !== undefined)
    sentences.push(`\`dry_run\` is refused: this request ${endpoint.effect}.`);
  if (endpoint.deprecated) sentences.push(deprecationSentence(endpoint.deprecated));
  if (endpoint.number === undefined) sentences.push("An extension of Lakehelm: not part of the contract.");
  return sentences.filter((sentence) => sentence !== undefined).join(" ");
}
