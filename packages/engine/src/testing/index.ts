export { withDuck } from "../transfer/testing/duck.ts";
export { Warehouse } from "../warehouse/warehouse.ts";
