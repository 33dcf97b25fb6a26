import { authorizationHeader, choices, type KindForms } from "./form.ts";

export const httpForms: KindForms = {
  target: {
    title: "HTTP endpoint",
    about: "Sends rows of the warehouse in batches of JSON",
    fields: [
      { name: "url", label: "URL", hint: "http or https", isRequired: true },
      authorizationHeader,
      { name: "method", label: "Method", options: choices("post", "put", "patch") },
      { name: "batch_size", label: "Rows of a request", hint: "Default: 500", isNumber: true },
    ],
    more: ["headers"],
  },
};
