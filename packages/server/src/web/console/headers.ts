/** The browser loads nothing from another host, runs nothing inline, and shows the console in no frame. */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types lakehelm",
].join("; ");

const shared = { "x-content-type-options": "nosniff", "cross-origin-resource-policy": "same-origin" };

export const pageHeaders = {
  ...shared,
  "content-security-policy": contentPolicy,
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "x-frame-options": "DENY",
  "cache-control": "no-cache",
};

/** The name of a file changes with its content. */
export const assetHeaders = { ...shared, "cache-control": "public, max-age=31536000, immutable" };
