export { Warehouse } from "../warehouse/warehouse.ts";
export {
  capturedTables,
  captureRequest,
  changeCapturedTables,
  createCapturedTables,
  startLogServer,
} from "./capture-harness.ts";
export { requestThroughCrashes, transferThroughCrashes } from "./crashing-transfer.ts";
export { withDuckdb } from "./duckdb.ts";
export { startS3, type TestS3, withoutS3 } from "./s3-server.ts";
export { seededRandom } from "./seeded-random.ts";
export {
  rowsBefore,
  rowTexts,
  type SelfReadingStatement,
  selfReadingStatements,
  type WayOfReading,
  waysOfReading,
} from "./self-reads.ts";
