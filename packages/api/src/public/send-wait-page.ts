import type { ServerResponse } from "node:http"
import { sendBody } from "../http/respond.ts"

/**
 * Answers 429 to a form that was sent too often, as a page that needs no script.
 * @param back path of the page with the form
 */
export async function sendWaitPage(res: ServerResponse, seconds: number, back: string): Promise<void> {
  const time = seconds === 1 ? "a second" : `${seconds} seconds`
  res.setHeader("retry-after", String(seconds))
  res.setHeader("x-robots-tag", "noindex, nofollow")
  res.setHeader("content-type", "text/html; charset=utf-8")
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Too many tries · Docket</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<h1>Too many tries</h1>
<p>The password was not checked. You can try again in ${time}.</p>
<p><a href="${quoted(back)}">Back to the page</a></p></html>
`
  await sendBody(res, 429, Buffer.from(page))
}

/** For an attribute between double quotes. */
function quoted(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;")
}
