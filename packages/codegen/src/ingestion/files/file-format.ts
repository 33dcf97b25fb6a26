export const fileFormats = ["csv", "json", "parquet", "avro"] as const;
export type FileFormat = (typeof fileFormats)[number];
