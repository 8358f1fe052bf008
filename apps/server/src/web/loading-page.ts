import type { ServerResponse } from "node:http"

/** Answers 503 with a page that loads itself again, login code in the fragment included. */
export function sendLoadingPage(res: ServerResponse, nonce: string): void {
  res.writeHead(503, { "content-type": "text/html; charset=utf-8", "cache-control": "no-store", "retry-after": "1" })
  res.end(`<!doctype html><html lang="en"><meta charset="utf-8"><title>Docket</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<body style="font:16px system-ui;margin:20vh auto;max-width:24rem;padding:0 1rem"><p role="status">Docket is starting…</p>
<script nonce="${nonce}">setTimeout(() => location.reload(), 500)</script></body></html>`)
}

/** Answers 404 on a service that runs without the web app. */
export function sendNoWebPage(res: ServerResponse): void {
  res.writeHead(404, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" })
  res.end("This Docket runs without its web app. Start it without --no-web to use it in the browser.\n")
}
