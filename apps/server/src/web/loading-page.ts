import type { ServerResponse } from "node:http"

export interface LoadingPage {
  nonce: string
  words: string
  /** How long it has taken so far; left out when it takes no time to speak of. */
  seconds?: number
}

/**
 * Answers 503 with a page that asks until there is something else, and then reloads itself: that keeps the login code in
 * the fragment, and a page that stands still for a minute can be read. It says when nobody answers any more.
 */
export function sendLoadingPage(res: ServerResponse, { nonce, words, seconds }: LoadingPage): void {
  const count =
    seconds === undefined
      ? ""
      : `</p><p id="progress"><span id="seconds">${Math.floor(seconds)}</span> s so far. This page opens by itself.`
  const script = `<script nonce="${nonce}">
const count = document.getElementById("seconds")
const began = Date.now() - 1000 * Number(count?.textContent)
let stopped = false
const ask = async () => {
  if (count) count.textContent = Math.floor((Date.now() - began) / 1000)
  const answer = await fetch(location.pathname, { method: "HEAD" }).catch(() => null)
  if (answer !== null && (stopped || answer.status !== 503)) return location.reload()
  if (answer === null && !stopped) {
    stopped = true
    document.querySelector("[role=status]").textContent = "${stoppedWords}"
    document.getElementById("progress")?.remove()
  }
  setTimeout(ask, 500)
}
setTimeout(ask, 500)
</script>`
  res.setHeader("retry-after", "1")
  sendNote(res, 503, `${words}${count}${script}`)
}

const stoppedWords =
  "Docket has stopped. The terminal where it ran says why. This page opens by itself when it runs again."

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
