import { type KindForms, serverFields } from "./form.ts";

const form = {
  title: "PostgreSQL",
  fields: serverFields("5432"),
  more: ["schema", "options", "capture", "warn_log_mb", "replication_slot", "publication"],
};

export const postgresqlForms: KindForms = {
  source: { ...form, about: "Tables and views of a database" },
  target: { ...form, about: "Writes tables of the warehouse to a database" },
};
