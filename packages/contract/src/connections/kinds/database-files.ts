/** Kinds of databases that are a file on the server. */
import { text } from "../fields.ts";
import type { ConnectionKind } from "./kind.ts";

export const databaseFile = (name: string, title: string) =>
  ({
    name,
    title,
    fields: { path: text() },
    // No credential is sent to another system.
    address: () => [undefined],
    lineage: ({ path }, table) => ({ namespace: `${name}://${path}`, name: table }),
  }) satisfies ConnectionKind;
