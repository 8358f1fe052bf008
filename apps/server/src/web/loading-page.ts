import type { ServerResponse } from "node:http"

/** Answers 503 with a page that reloads itself, keeping the login code in the fragment. */
export function sendLoadingPage(res: ServerResponse, nonce: string): void {
  const reload = `<script nonce="${nonce}">setTimeout(() => location.reload(), 500)</script>`
  res.setHeader("retry-after", "1")
  sendNote(res, 503, `Docket is starting…${reload}`)
}

/** Answers 500 when Next could not be loaded. */
export function sendBrokenPage(res: ServerResponse): void {
  sendNote(res, 500, "The web app could not be loaded. The terminal where Docket runs says why; its API goes on.")
}

function sendNote(res: ServerResponse, status: number, html: string): void {
  res.writeHead(status, { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" })
  res.end(`<!doctype html><html lang="en"><meta charset="utf-8"><title>Docket</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<body style="font:16px system-ui;margin:20vh auto;max-width:24rem;padding:0 1rem"><p role="status">${html}</p></body></html>`)
}

/** Answers 404 on a service that runs without the web app. */
export function sendNoWebPage(res: ServerResponse): void {
  res.writeHead(404, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" })
  res.end("This Docket runs without its web app. Start it without --no-web to use it in the browser.\n")
}
