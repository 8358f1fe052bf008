import type { ServerResponse } from "node:http"
import type { DocketError } from "@docket/core"
import { healthPath, readyPath } from "./paths.ts"
import { sendBody, sendError, sendJson } from "./respond.ts"

interface AwayAnswer {
  path: string
  away: DocketError
  version: string
  log(text: string, error: unknown): void
}

/** Answers 503 while the database is away. Nothing of the request has begun, so it can be sent again. */
export function sendAway(res: ServerResponse, { path, away, version, log }: AwayAnswer): void {
  res.setHeader("retry-after", "2")
  if (path === healthPath || path === readyPath)
    sendJson(res, 503, { status: "database_away", version, message: away.message })
  else if (path.startsWith("/v1/")) sendJson(res, 503, { error: away.message })
  else if (res.req.headers.accept?.includes("text/html")) void sendAwayPage(res)
  else sendError(res, away, log)
}

/** A page that reloads itself. */
async function sendAwayPage(res: ServerResponse): Promise<void> {
  res.setHeader("content-type", "text/html; charset=utf-8")
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>The database is away · Docket</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="2">
<h1>The database is away</h1>
<p>What runs waits for it. This page reloads by itself until the database is back.</p></html>
`
  await sendBody(res, 503, Buffer.from(page))
}
