export { Warehouse } from "../warehouse/warehouse.ts";
export { withDuckdb } from "./duckdb.ts";
