interface Entries {
  readonly script: string;
  readonly style: string;
  readonly preloads: readonly string[];
}

/** The icon is a data URL, which saves a request. */
const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='7' fill='%230f766e'/%3E%3Cpath d='M7 20c3-3 6-3 9 0s6 3 9 0M7 13c3-3 6-3 9 0s6 3 9 0' fill='none' stroke='%23fff' stroke-width='2.6' stroke-linecap='round'/%3E%3C/svg%3E";

/** The page has no inline scripts or styles, because the content security policy would block them. */
export const indexPage = ({ script, style, preloads }: Entries): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Lakehelm</title>
    <link rel="icon" href="${icon}">
    <link rel="stylesheet" href="/console/assets/${style}">
${preloads.map((name) => `    <link rel="modulepreload" href="/console/assets/${name}">\n`).join("")}    <script type="module" src="/console/assets/${script}"></script>
  </head>
  <body>
    <noscript>The console needs JavaScript. The API is described at /docs.</noscript>
    <div id="app"></div>
  </body>
</html>
`;
