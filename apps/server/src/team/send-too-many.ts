import type { ServerResponse } from "node:http"
import { sendRefusal } from "@docket/api"

/** @param seconds until the next try is allowed */
export function sendTooMany(res: ServerResponse, seconds: number): void {
  res.setHeader("retry-after", String(seconds))
  const minutes = Math.ceil(seconds / 60)
  const message = `Too many tries. Wait ${minutes} ${minutes === 1 ? "minute" : "minutes"}, then try again.`
  sendRefusal(res, { status: 429, code: "TOO_MANY_REQUESTS", message })
}
