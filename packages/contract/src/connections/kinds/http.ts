import { httpFields, httpMethodFields } from "../http.ts";
import type { ConnectionKind } from "./kind.ts";
import { urlLineage } from "./web.ts";

export const http: ConnectionKind = {
  name: "http",
  title: "an HTTP endpoint",
  fields: httpFields,
  address: ({ url }) => [url],
  lineage: urlLineage("http"),
  target: { fields: httpMethodFields, byEngine: true, byGeneratedCode: true, holds: "requests" },
};
