export { column, keyless, ordersRequest, recheck } from "./requests.ts";
export { type CustomerRow, defaultCustomers, fillStatements, type OrderRow } from "./shop.ts";
