import { fileFields, type KindForms } from "./form.ts";

const form = { title: "DuckDB", fields: fileFields, more: [] };

export const duckdbForms: KindForms = {
  source: { ...form, about: "Tables of a database file" },
  target: { ...form, about: "Writes tables of the warehouse to a database file" },
};
