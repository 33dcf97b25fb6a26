/**
 * No other host, whatever the viewers would like to load. Inline styles are theirs: they style what they draw.
 * Redoc searches in a worker that it makes from a blob.
 */
export const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const page = (viewer: string, start: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="icon" href="data:,">
    <title>Lakehelm API</title>
    <style>body { margin: 0 }</style>
  </head>
  <body>
    <noscript>This page needs JavaScript. The API itself is described in /openapi.json.</noscript>
    <div id="reference"></div>
    <script src="${viewer}"></script>
    <script src="${start}"></script>
  </body>
</html>
`;

export const scalarPage = page("/docs/scalar.js", "/docs/start.js");

/** Fonts, telemetry, the request proxy, the hosted client, the assistants: all on Scalar's servers, none wanted. */
export const scalarStart = `Scalar.createApiReference("#reference", {
  url: "/openapi.json",
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: "",
  hideClientButton: true,
  showDeveloperTools: "never",
  agent: { disabled: true },
  mcp: { disabled: true },
});
`;

export const redocPage = page("/redoc/redoc.js", "/redoc/start.js");

export const redocStart = `const fontFamily = "system-ui, sans-serif";
const theme = { typography: { fontFamily, headings: { fontFamily } } };
Redoc.init("/openapi.json", { theme }, document.getElementById("reference"));
`;
