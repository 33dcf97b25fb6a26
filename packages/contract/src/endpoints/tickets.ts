import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { dateTime } from "./shared.ts";

export const createTicket = endpoint({
  tag: "Agents and apps",
  method: "POST",
  path: "/api/apps/{app_id}/tickets",
  summary: "Get the address that lets a browser into an app",
  description:
    "The address is good for one visit within a minute. The visit leaves a cookie that is good for that app alone, at the port of the apps alone: this API takes no cookies.",
  access: "viewer",
  needsData: true,
  response: s.model("AppTicket", {
    url: s.string().describe("To be opened in a browser, once."),
    expires_at: dateTime(),
  }),
  errors: [404],
  example: {
    response: {
      url: "http://127.0.0.1:8001/apps/local/order-desk-ui/?ticket=lht_PTzHyzPMSuGdRrLsMTV6wcCHe8tiGGvJMOAdBn6X9nU",
      expires_at: "2026-03-01T12:01:00.000Z",
    },
  },
});
