import { readFile } from "node:fs/promises";
import type { BodyInput, endpoints } from "@lakehelm/contract";

type Body<Name extends keyof typeof endpoints> = BodyInput<(typeof endpoints)[Name]>;

/** The body of a request that makes something of the shop. */
export type Definition =
  | { readonly kind: "connector"; readonly body: Body<"createConnector"> }
  | { readonly kind: "pipeline"; readonly body: Body<"createPipeline"> }
  | { readonly kind: "flow"; readonly body: Body<"createFlow"> };

/** In the order in which rows pass through them: each finds there what the one before has made. */
const files = [
  ["connector", "orders-in.json"],
  ["connector", "returns-in.json"],
  ["pipeline", "sales.json"],
  ["flow", "customer-value.json"],
  ["connector", "crm-out.json"],
] as const;

/** The requests of this folder, for a shop that is in another one. */
export const definitionsFor = (folder: string): Promise<Definition[]> =>
  Promise.all(
    files.map(async ([kind, file]) => {
      const text = await readFile(new URL(file, import.meta.url), "utf8");
      // As it stands in JSON: a path may have backslashes.
      const place = JSON.stringify(folder).slice(1, -1);
      // The server holds the body against its schema.
      return { kind, body: JSON.parse(text.replaceAll("<shop>", place)) } as Definition;
    }),
  );
