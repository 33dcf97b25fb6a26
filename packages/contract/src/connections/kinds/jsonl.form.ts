import { folderField, type KindForms, storageSettings } from "./form.ts";

export const jsonlForms: KindForms = {
  target: {
    title: "JSONL files",
    about: "Writes tables of the warehouse to a folder",
    fields: [folderField],
    more: storageSettings,
  },
};
