import { parentPort } from "node:worker_threads"
import { readHtml } from "./read-html.ts"

/** Runs in its own thread: reads one page and ends. */
parentPort?.once("message", ({ html, format }: { html: string; format: "markdown" | "text" }) => {
  parentPort?.postMessage(readHtml(html, format))
})
