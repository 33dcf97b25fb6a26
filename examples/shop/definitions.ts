import type { EndpointBodyInput, endpoints } from "@lakehelm/contract";
import { openProject, type Project } from "../../packages/cli/src/project/project.ts";

type ShopRequestBody<Name extends keyof typeof endpoints> = EndpointBodyInput<(typeof endpoints)[Name]>;

/** The request body that creates a connector, pipeline or flow of the shop. */
export type ShopDefinition =
  | { readonly kind: "connector"; readonly body: ShopRequestBody<"createConnector"> }
  | { readonly kind: "pipeline"; readonly body: ShopRequestBody<"createPipeline"> }
  | { readonly kind: "flow"; readonly body: ShopRequestBody<"createFlow"> };

/** In the order of the data flow: each resource reads tables that earlier ones create. */
const names = ["orders-in", "returns-in", "sales", "customer_value", "crm-out"];

/** Reads this folder as a project. `folder` contains the sources. */
export async function readProject(folder: string): Promise<Project> {
  const variables = new Map([["folder", folder]]);
  const project = await openProject(import.meta.dirname, { target: "local", variables });
  const [problem] = project.problems;
  if (!("target" in project) || problem)
    throw new Error(`${problem?.file}:${problem?.line}:${problem?.column}: ${problem?.message}`);
  return project;
}

/** The definitions in the order in which they run. The server validates the bodies. */
export const definitionsOf = ({ resources }: Project): ShopDefinition[] =>
  names.flatMap((name) =>
    resources
      .filter((one) => one.name === name)
      .map(({ kind, definition }) => ({ kind: kind.kind, body: definition }) as unknown as ShopDefinition),
  );

/** The body of the request that creates a resource of the shop. */
export const definitionOf = ({ resources }: Project, kind: string, name: string) =>
  resources.find((one) => one.kind.kind === kind && one.name === name)?.definition ?? {};
