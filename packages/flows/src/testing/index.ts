export { column, keyless, ordersRequest, recheck } from "./requests.ts";
export { type Customer, fillStatements, known, type Order } from "./shop.ts";
