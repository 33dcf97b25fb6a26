export { Warehouse } from "../warehouse/warehouse.ts";
export { withDuck } from "./duckdb.ts";
