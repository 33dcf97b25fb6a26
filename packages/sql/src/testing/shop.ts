import type { SelectRules } from "../query/select-analysis.ts";

/** Tables of a shop. Only the columns of `blocked` are known. */
export const shop: SelectRules = {
  tables: [
    { name: { catalog: "shop", schema: "sales", table: "orders" } },
    { name: { catalog: "shop", schema: "sales", table: "Lines" } },
    { name: { catalog: "shop", schema: "crm", table: "customers" } },
    { name: { catalog: "shop", schema: "crm", table: "blocked" }, columns: ["customer_id", "Since"] },
  ],
  catalog: "shop",
  schema: "sales",
  field: "matched_sql",
};
