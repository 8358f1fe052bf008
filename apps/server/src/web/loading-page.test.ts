import { createServer } from "node:http"
import { expect, it, onTestFinished } from "vitest"
import { listen } from "../listen.ts"
import { type LoadingPage, sendLoadingPage } from "./loading-page.ts"

/** The text that people read, and the whole answer. */
async function shown(page: Omit<LoadingPage, "nonce">) {
  const server = createServer((_req, res) => sendLoadingPage(res, { nonce: "n0nce", ...page }))
  onTestFinished(() => void server.close())
  const answer = await fetch(await listen(server, "127.0.0.1", 0))
  const html = await answer.text()
  const text = html
    .replace(/<script.*<\/script>/s, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
  return { answer, html, text }
}

it("a waiting page says how long the build has taken so far", async () => {
  const { answer, html, text } = await shown({ words: "The web app is being built…", seconds: 12.7 })
  expect(answer.status).toBe(503)
  expect(text).toContain("The web app is being built… 12 s so far. This page opens by itself.")
  expect(html).toContain('<script nonce="n0nce">')
})

it("a waiting page without a build counts no seconds", async () => {
  const { text } = await shown({ words: "Docket is starting…" })
  expect(text.trim()).toMatch(/Docket is starting…$/)
})
