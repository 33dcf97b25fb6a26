import { authorizationHeader, type ConnectionField, type KindForms } from "./form.ts";

const oauth = { field: "auth.type", is: ["client_credentials"] };
const paged = (...types: readonly string[]) => ({ field: "paging.type", is: types });
const fields: readonly ConnectionField[] = [
  { name: "url", label: "URL", hint: "Such as https://api.example.com/v1", isRequired: true },
  {
    name: "auth.type",
    label: "Sign-in",
    options: [
      { value: "none", text: "None, or a header" },
      { value: "client_credentials", text: "OAuth client credentials" },
    ],
  },
  { ...authorizationHeader, when: { field: "auth.type", is: ["none"] } },
  {
    name: "auth.token_url",
    label: "Token URL",
    hint: "Such as https://login.example.com/oauth/token",
    isRequired: true,
    when: oauth,
  },
  { name: "auth.client_id", label: "Client id", isRequired: true, when: oauth },
  {
    name: "auth.client_secret",
    label: "Client secret",
    hint: "Stored encrypted. Or a reference to a secret: {{secrets/scope/key}}",
    isSecret: true,
    isRequired: true,
    when: oauth,
  },
  { name: "auth.scope", label: "Scope", hint: "If the token needs one, such as orders:read", when: oauth },
  { name: "auth.audience", label: "Audience", hint: "If the token needs one", when: oauth },
  {
    name: "auth.client_authentication",
    label: "Client id and secret are sent",
    options: [
      { value: "basic", text: "in the Authorization header" },
      { value: "body", text: "in the body" },
    ],
    when: oauth,
  },
  {
    name: "records_path",
    label: "Place of the records",
    hint: "In the answer, such as data or result.items. Empty: the whole answer",
  },
  {
    name: "paging.type",
    label: "Pages",
    options: [
      { value: "none", text: "One answer has all records" },
      { value: "page", text: "By number" },
      { value: "offset", text: "By offset" },
      { value: "cursor", text: "By a cursor in the answer" },
      { value: "link", text: "By a link to the next page" },
    ],
  },
  {
    name: "paging.next_path",
    label: "Place of the next cursor",
    hint: "In the answer, such as meta.next_cursor. Without one, the page is the last",
    isRequired: true,
    when: paged("cursor"),
  },
  {
    name: "paging.next_path",
    label: "Place of the link",
    hint: "In the answer, such as links.next. Empty: in the Link header",
    when: paged("link"),
  },
  {
    name: "paging.parameter",
    label: "Parameter for the page",
    hint: "Default: page, offset or cursor",
    when: paged("page", "offset", "cursor"),
  },
  {
    name: "page_size",
    label: "Records of a page",
    hint: "Sent as the parameter limit, or as the next field says",
    isNumber: true,
  },
  {
    name: "paging.size_parameter",
    label: "Parameter for the records of a page",
    hint: "Default: limit",
    when: paged("page", "offset", "cursor", "link"),
  },
  {
    name: "watermark_param",
    label: "Parameter for the watermark",
    hint: "Such as updated_since: the API returns records from its value on",
  },
];

export const restForms: KindForms = {
  source: {
    title: "REST API",
    about: "Lists of JSON records of an HTTP API",
    fields,
    listsNothing: true,
    more: [
      "headers",
      "timeout",
      "retries",
      "requests_per_second",
      "requests",
      "paging.first",
      "paging.more_path",
    ],
  },
};
