export { column, keyless, ordersRequest, place, recheck } from "./requests.ts";
export { type Customer, fillStatements, known, type Order } from "./shop.ts";
