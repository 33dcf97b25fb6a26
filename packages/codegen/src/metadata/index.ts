/** What a change of descriptions and tags may say, for whoever applies one. */
export { tagText } from "./change.ts";
export { metadataProblems } from "./metadata-problems.ts";
