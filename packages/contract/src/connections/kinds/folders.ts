/** What the kinds of files have in common. */
import { fileFields } from "../files.ts";
import type { Address, ConnectionKind } from "./kind.ts";

/** Amazon's own endpoint, unless the config names another one. */
const storageAddress: Address = ({ path, endpoint, region }) => {
  if (typeof path === "string" && !/^s3a?:\/\//i.test(path)) return [undefined];
  if (typeof endpoint === "string" && endpoint !== "") return [endpoint];
  return [`https://s3.${typeof region === "string" && region !== "" ? region : "us-east-1"}.amazonaws.com`];
};

export const folder = (name: string, title: string) =>
  ({
    name,
    title,
    fields: fileFields,
    hasStorage: true,
    address: storageAddress,
    lineage: ({ path }, file) => ({ namespace: "file", name: `${path}/${file}`.replace(/\/{2,}/g, "/") }),
  }) satisfies ConnectionKind;
