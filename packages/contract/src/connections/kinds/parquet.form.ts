import { folderField, type KindForms, storageSettings } from "./form.ts";

export const parquetForms: KindForms = {
  target: {
    title: "Parquet files",
    about: "Writes tables of the warehouse to a folder",
    fields: [folderField],
    more: storageSettings,
  },
};
