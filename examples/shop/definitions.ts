import { readFile } from "node:fs/promises";
import type { EndpointBodyInput, endpoints } from "@lakehelm/contract";

type ShopRequestBody<Name extends keyof typeof endpoints> = EndpointBodyInput<(typeof endpoints)[Name]>;

/** The request body that creates a connector, pipeline or flow of the shop. */
export type ShopDefinition =
  | { readonly kind: "connector"; readonly body: ShopRequestBody<"createConnector"> }
  | { readonly kind: "pipeline"; readonly body: ShopRequestBody<"createPipeline"> }
  | { readonly kind: "flow"; readonly body: ShopRequestBody<"createFlow"> };

/** In the order of the data: each reads tables that the ones before it create. */
const files = [
  ["connector", "orders-in.json"],
  ["connector", "returns-in.json"],
  ["pipeline", "sales.json"],
  ["flow", "customer-value.json"],
  ["connector", "crm-out.json"],
] as const;

/** Reads the JSON files of this folder; `<shop>` becomes the folder of the sources. */
export const readDefinitions = (folder: string): Promise<ShopDefinition[]> =>
  Promise.all(
    files.map(async ([kind, file]) => {
      const text = await readFile(new URL(file, import.meta.url), "utf8");
      // Escaped for JSON: a path may contain backslashes.
      const escaped = JSON.stringify(folder).slice(1, -1);
      // The server validates the body.
      return { kind, body: JSON.parse(text.replaceAll("<shop>", escaped)) } as ShopDefinition;
    }),
  );
