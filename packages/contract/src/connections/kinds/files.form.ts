import { choices, folderField, type KindForms, storageSettings } from "./form.ts";

export const filesForms: KindForms = {
  source: {
    title: "Files",
    about: "CSV, JSON and Parquet, in a folder or in object storage",
    fields: [
      folderField,
      { name: "format", label: "Format", isRequired: true, options: choices("csv", "json", "parquet") },
    ],
    more: ["columns", "options", ...storageSettings],
  },
};
