export { Warehouse } from "../warehouse/warehouse.ts";
export { transferThroughCrashes } from "./crashing-transfer.ts";
export { withDuckdb } from "./duckdb.ts";
export { startS3, type TestS3, withoutS3 } from "./s3-server.ts";
