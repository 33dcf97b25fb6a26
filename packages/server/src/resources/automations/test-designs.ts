/** A design that is valid without other resources; as a definition, it can be registered. */
export const validDesign = {
  description: "Refresh the orders every morning",
  tasks: [
    { name: "load", kind: "sql" as const, query: "select 1", parameters: {} },
    { name: "tell", kind: "http" as const, url: "https://example.com/hook", depends_on: ["load"] },
  ],
  schedule: { cron: "0 6 * * *", timezone: "Europe/Berlin" },
};
