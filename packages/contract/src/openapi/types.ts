import type { JsonSchema } from "../schema/index.ts";

export interface Reference {
  readonly $ref: string;
}

export interface MediaType {
  readonly schema: JsonSchema;
  readonly example?: unknown;
}
export type Content = Readonly<Record<string, MediaType>>;

export interface Header {
  readonly description: string;
  readonly schema: JsonSchema;
}

export interface Parameter extends Header {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: true;
  readonly deprecated?: true;
}

export interface RequestBody {
  readonly required: boolean;
  readonly content?: Content;
}

export interface ResponseObject {
  readonly description: string;
  readonly headers: Readonly<Record<string, Reference>>;
  readonly content?: Content;
}

type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

export interface OperationObject {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly (Parameter | Reference)[];
  readonly requestBody?: RequestBody;
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>;
  readonly security?: readonly SecurityRequirement[];
  readonly deprecated?: true;
  readonly "x-contract-number"?: number;
  /** What the endpoint changes in an environment: see `EnvironmentChanges`. */
  readonly "x-changes"?: string;
  readonly "x-extension"?: true;
}

export type OperationMethod = "get" | "post" | "put" | "patch" | "delete";
export type PathItem = Readonly<Partial<Record<OperationMethod, OperationObject>>>;

export interface OpenApiDocument {
  readonly openapi: "3.1.0";
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly contact: { readonly name: string };
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly security: readonly SecurityRequirement[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  /** What this server sends. */
  readonly webhooks: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly headers: Readonly<Record<string, Header>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, ResponseObject>>;
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly securitySchemes: Readonly<Record<string, Readonly<Record<string, string>>>>;
  };
}
