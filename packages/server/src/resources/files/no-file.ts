import { notFound } from "../../core/errors.ts";

export const noFile = (path: string, environment: string) =>
  notFound(`There is no file "${path}" in the environment "${environment}".`);
