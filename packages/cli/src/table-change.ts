import type { EndpointBodyInput, endpoints } from "@lakehelm/contract";

/** One change of the columns of a table. */
export type TableChange = EndpointBodyInput<typeof endpoints.alterTable>["changes"][number];
