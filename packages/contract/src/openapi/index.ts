export { type OpenApiOptions, openApiDocument } from "./document.ts";
export type { OpenApiDocument } from "./types.ts";
