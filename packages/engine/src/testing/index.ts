export { Warehouse } from "../warehouse/warehouse.ts";
export { withDuckdb as withDuck } from "./duckdb.ts";
