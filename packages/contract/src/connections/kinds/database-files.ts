/** Databases that are a file of the server. */
import { text } from "../fields.ts";
import type { ConnectionKind } from "./kind.ts";

export const databaseFile = (name: string, title: string) =>
  ({
    name,
    title,
    fields: { path: text() },
    // Nothing is sent.
    address: () => [undefined],
    lineage: ({ path }, table) => ({ namespace: `${name}://${path}`, name: table }),
  }) satisfies ConnectionKind;
