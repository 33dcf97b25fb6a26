export { type OpenApiOptions, openApiDocument } from "./document.ts";
export { parametersOf } from "./parameters.ts";
export type { OpenApiDocument } from "./types.ts";
