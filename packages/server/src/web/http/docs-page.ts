/** The browser loads nothing from another host. Swagger UI styles elements inline and has its icons as data URLs. */
export const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

export const docsPage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <title>Lakehelm API</title>
    <style>body { margin: 0 }</style>
  </head>
  <body>
    <noscript>This page needs JavaScript. The API itself is described in /openapi.json.</noscript>
    <div id="reference"></div>
    <script src="/docs/swagger-ui.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

/** By default Swagger UI sends the document's address to a validator on another host: `null` turns that off. */
export const docsStart = `SwaggerUIBundle({
  dom_id: "#reference",
  url: "/openapi.json",
  validatorUrl: null,
  deepLinking: true,
  docExpansion: "none",
});
`;
