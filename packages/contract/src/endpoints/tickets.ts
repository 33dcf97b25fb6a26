import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { dateTime } from "./shared.ts";

export const createTicket = endpoint({
  isBounded: true,
  tag: "Agents and apps",
  method: "POST",
  changes: "nothing",
  path: "/api/apps/{app_id}/tickets",
  scope: "app",
  summary: "Create a URL that opens an app in a browser",
  description:
    "The URL works once, within one minute. Opening it sets a cookie that is valid for this app and on the apps port only. This API accepts no cookies.",
  access: "viewer",
  needsData: true,
  response: s.model("AppTicket", {
    url: s.string().describe("Open it in a browser. It works once."),
    expires_at: dateTime().describe("When the URL stops working: one minute after it was created."),
  }),
  errors: [404],
  example: {
    response: {
      url: "http://127.0.0.1:8001/apps/local/order-desk-ui/?ticket=lht_PTzHyzPMSuGdRrLsMTV6wcCHe8tiGGvJMOAdBn6X9nU",
      expires_at: "2026-03-01T12:01:00.000Z",
    },
  },
});
