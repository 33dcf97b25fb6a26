import type { Access, Endpoint } from "../endpoint.ts";

/** In the order in which a reader meets them. */
export const tags = [
  { name: "System", description: "Is the server there, what is it, how is it doing." },
  { name: "Authentication", description: "Who is calling, and tokens in exchange for credentials." },
  { name: "Environments", description: "The places things run in: each has one platform and its settings." },
  {
    name: "Connectors",
    description: "What moves data out of the platform into other systems, on a schedule.",
  },
  { name: "Pipelines", description: "Declared transformations that the platform keeps up to date." },
  {
    name: "Flows",
    description: "SELECTs whose rows are published as tables of the warehouse, and kept up to date.",
  },
  { name: "Jobs and runs", description: "What runs when, how each run went, and its log." },
  { name: "Deployments", description: "Records of what was rolled out where, and how it ended." },
  {
    name: "Automations",
    description: "Scheduled tasks: their designs, releases, schedules and chat channels.",
  },
  {
    name: "Agents and apps",
    description: "Agents with their versions and components, and the apps before them.",
  },
  {
    name: "Code generation",
    description: "Descriptions in, notebooks, SQL and bundles out. Nothing is changed.",
  },
  {
    name: "Warehouse",
    description: "What tables there are, their descriptions and tags, and queries on them.",
  },
  { name: "Files", description: "The workspace folder of an environment." },
  { name: "Secrets", description: "A write-only store: values go in and are only read by what runs." },
  { name: "Events", description: "The durable log of every change: read it, follow it, check it." },
  { name: "Users", description: "The users of the embedded workspace and their personal access tokens." },
] as const;

export const about = `The control API of Lakehelm, a control plane for data platforms.

Every error but a validation failure is \`{"detail": "<sentence>"}\`; a validation failure is 422 with one entry
for each thing that is wrong. Every path answers with and without a trailing slash. Times are UTC, identifiers
UUIDs. Operations marked \`x-extension\` are Lakehelm's own, those with an \`x-contract-number\` belong to the
contract.`.replaceAll(/(?<!\n)\n(?!\n)/g, " ");

const needs: Record<Access, string> = {
  public: "Needs no token.",
  viewer: "Needs a token of any role.",
  operator: "Needs the role `operator`.",
  admin: "Needs the role `admin`.",
};

export function describe(endpoint: Endpoint): string {
  const sentences = [endpoint.description, needs[endpoint.access]];
  if (endpoint.number === undefined) sentences.push("An extension of Lakehelm: not part of the contract.");
  return sentences.filter((sentence) => sentence !== undefined).join(" ");
}
