import { type KindForms, serverFields } from "./form.ts";

const form = { title: "MySQL, MariaDB", fields: serverFields("3306"), more: ["schema", "options"] };

export const mysqlForms: KindForms = {
  source: { ...form, about: "Tables and views of a database" },
  target: { ...form, about: "Writes tables of the warehouse to a database" },
};
