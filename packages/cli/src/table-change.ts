import type { EndpointBodyInput, endpoints } from "@lakehelm/contract";

export type TableChange = EndpointBodyInput<typeof endpoints.alterTable>["changes"][number];
