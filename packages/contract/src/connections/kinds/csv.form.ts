import { folderField, type KindForms, storageSettings } from "./form.ts";

export const csvForms: KindForms = {
  target: {
    title: "CSV files",
    about: "Writes tables of the warehouse to a folder",
    fields: [folderField],
    more: storageSettings,
  },
};
