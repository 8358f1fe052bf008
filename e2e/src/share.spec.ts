import { gzipSync } from "node:zlib"
import type { Page } from "@playwright/test"
import { begin, expect, sessionOf, test } from "./fixtures/test.ts"

test.use({ shared: true })

/** Creates a link in the share dialog and reads it there. */
async function share(desk: Page): Promise<string> {
  await desk.getByRole("button", { name: "Share" }).click()
  const dialog = desk.getByRole("dialog")
  await dialog.getByRole("button", { name: "Publish" }).click()
  const field = dialog.getByRole("textbox", { name: "Public link" })
  await expect(field).toHaveValue(/\/share\//)
  await expect(dialog.getByText("It opens only on the machine where Docket runs", { exact: false })).toBeVisible()
  return await field.inputValue()
}

test("an unknown share link answers 404 in the reader's colour scheme", async ({ page, server }) => {
  await page.emulateMedia({ colorScheme: "dark" })
  const response = await page.goto(`${server.url}/share/aaaaaaaaaaaaaaaaaaaaaa`)
  expect(response?.status()).toBe(404)
  await expect(page.getByRole("heading").first()).toBeVisible()
  await expect(page.locator("html")).toHaveCSS("color-scheme", "dark")
  await expect(page.getByRole("button", { name: "Open" })).toBeEnabled()
  // An open page follows the system's colour scheme.
  await page.emulateMedia({ colorScheme: "light" })
  await expect(page.locator("html")).toHaveCSS("color-scheme", "light")
})

test("a long shared transcript opens small and loads more in place", async ({ desk, model, browser }) => {
  const steps = 30
  const words = (step: number) =>
    `Step ${step} reads **one** file and says what \`greeting\` does there.\n\n- first\n- then\n`
  const list = { tool: "todowrite", args: { todos: [{ content: "Only once", status: "completed", priority: "high" }] } }
  model.script({
    "Read it again and again": [
      ...Array.from({ length: steps }, (_, step) => ({
        text: words(step),
        calls: [
          { tool: "read", args: { filePath: "src/names.js", limit: step + 1 } },
          ...(step % 10 === 0 ? [list] : []),
        ],
      })),
      { text: "That is all." },
    ],
  })
  await begin(desk, "Read it again and again")
  await expect(desk.getByText("That is all.")).toBeVisible({ timeout: 60_000 })
  const url = await share(desk)
  const stranger = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const page = await stranger.newPage()
  await page.goto(url)
  const rows = page.getByRole("region", { name: "Transcript" }).getByRole("article")
  await expect(rows.first()).toContainText("Read it again and again")
  await expect(page.getByText("Only once")).toHaveCount(1)
  // A string, because these files are type-checked without the DOM.
  const elements = Number(await page.evaluate("document.querySelectorAll('*').length"))
  const css = Number(await page.evaluate(cssBytes))
  console.log(`share page: ${elements} elements, ${await rows.count()} rows, ${css} bytes of CSS`)
  expect(elements).toBeLessThanOrEqual(1_000)
  const html = gzipSync(await (await stranger.request.get(url)).body()).length
  expect(html).toBeLessThanOrEqual(60_000)

  // After hydration, the link adds messages to the page instead of opening a new one.
  await expect(page.getByRole("status")).toContainText("as of")
  await page.evaluate("document.querySelector('article').dataset.here = ''")
  const before = await rows.count()
  await page.getByRole("link", { name: "Later messages" }).click()
  await expect.poll(() => rows.count()).toBeGreaterThan(before)
  // The existing rows are kept.
  await expect(page.locator("article[data-here]")).toHaveCount(1)

  const withoutScripts = await browser.newContext({ javaScriptEnabled: false })
  const plainPage = await withoutScripts.newPage()
  await plainPage.goto(`${url}?end=1`)
  await expect(plainPage.getByText("That is all.")).toBeVisible()
  await plainPage.getByRole("link", { name: "From the beginning" }).click()
  await expect(plainPage.getByRole("article").first()).toContainText("Read it again and again")
  await plainPage.getByRole("link", { name: "Later messages" }).click()
  await expect.poll(() => plainPage.getByRole("article").count()).toBeGreaterThan(before)
  await expect(plainPage.getByRole("article").first()).toContainText("Read it again and again")
  await stranger.close()
  await withoutScripts.close()
})

/** Transferred size of the page's style sheets. */
const cssBytes =
  "performance.getEntriesByType('resource').filter(({ name }) => name.includes('.css')).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)"

test("a hostile transcript runs, loads and redirects nothing on its link's pages", {
  tag: "@journey",
}, async ({ desk, model, client, browser }) => {
  const outside = "http://outside.example"
  const hostile = [
    `<script src="${outside}/s.js"></script><script>window.pwned = 1</script>`,
    `<img src="${outside}/beacon.png" onerror="window.pwned = 1">`,
    `![beacon](${outside}/image.png) [press](javascript:window.pwned=1) [data](data:text/html,x)`,
    `<svg onload="window.pwned=1"><image href="${outside}/svg.png"/></svg>`,
    `<style>@import "${outside}/s.css"; body { background: url(${outside}/css.png) }</style>`,
    `<iframe src="${outside}"></iframe><base href="${outside}"><meta http-equiv="refresh" content="0;${outside}">`,
    "turned \u202Etxt.exe and \u001B]8;;javascript:window.pwned=1\u0007coloured\u001B[31m",
  ].join("\n\n")
  const task = { description: hostile.slice(0, 200), prompt: `Look at it\n${hostile}`, subagent_type: "explore" }
  const name = '<img src=x onerror="window.pwned=1">.svg'
  model.script({
    "Show what is hostile": [
      {
        text: hostile,
        calls: [
          { tool: "todowrite", args: { todos: [{ content: hostile, status: "pending", priority: "high" }] } },
          { tool: "task", args: task },
          { tool: "write", args: { filePath: name, content: hostile } },
          {
            tool: "bash",
            args: { command: "printf '\\033[31m<b>\\033]0;x\\007'; ls", description: hostile.slice(0, 90) },
          },
        ],
      },
      { text: "That was all." },
    ],
    "Look at it": [{ text: hostile }],
  })
  await begin(desk, `Show what is hostile ${hostile}`)
  await expect(desk.getByText("That was all.")).toBeVisible()
  const rootID = sessionOf(desk)
  await client.session.update.mutate({ sessionID: rootID, title: hostile.slice(0, 200) })
  const url = await share(desk)
  const [child] = await client.session.children.query({ sessionID: rootID })
  const { items } = await client.session.messages.query({ sessionID: rootID })
  const parts = items.flatMap((item) => item.parts)
  const call = parts.find((part) => part.type === "tool" && part.tool === "write")

  const stranger = await browser.newContext()
  const attempts: string[] = []
  const page = await stranger.newPage()
  page.on("dialog", (dialog) => void dialog.dismiss().then(() => attempts.push("a dialog")))
  await stranger.route(
    (address) => address.origin !== new URL(url).origin,
    (route) => {
      attempts.push(route.request().url())
      return route.abort()
    },
  )
  const pages = [url, `${url}/c/${child?.id}`, `${url}/p/${call?.id}`, url.replace("/share/", "/embed/")]
  for (const address of pages) {
    await page.goto(address)
    await expect(page.getByRole("status")).toContainText("as of")
    await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    await expect(page.getByRole("region", { name: "Transcript" })).toContainText("onerror")
    expect(await page.evaluate(whatRuns)).toEqual({ pwned: false, elements: 0, links: [], turned: false })
  }
  expect(attempts).toEqual([])

  const image = await page.request.get(`${url}/p/${call?.id}/opengraph-image`)
  expect(image.headers()["content-type"]).toBe("image/png")
  const card = await page.request.get(url)
  expect(await card.text()).toMatch(/<meta property="og:image" content="http:\/\/127\.0\.0\.1:\d+\/share\/[^"]+"/)
  const markdown = await page.request.get(`${url.replace("/share/", "/api/share/")}.md`)
  expect(markdown.headers()).toMatchObject({
    "content-type": "text/markdown; charset=utf-8",
    "x-content-type-options": "nosniff",
  })
  const words = (await markdown.text()).replace(/^(`{3,})[^\n]*\n[\s\S]*?^\1$/gm, "")
  expect(words).toContain("\\![beacon](")
  expect(words).not.toMatch(/(?<!\\)(?:<[a-z/]|!\[)/)
  // No site was allowed to embed it.
  const frame = await page.request.get(url.replace("/share/", "/embed/"))
  expect(frame.headers()["content-security-policy"]).toContain("frame-ancestors 'none'")
  await stranger.close()
})

/**
 * Everything in a transcript that is more than text; `turned` means that characters which reverse text are left. A
 * string, because these files are type-checked without the DOM.
 */
const whatRuns = `(() => {
  const main = document.querySelector("main")
  const links = [...main.querySelectorAll("a[href]")].map((link) => new URL(link.href).protocol)
  return {
    pwned: "pwned" in window,
    elements: main.querySelectorAll("script, img, iframe, style, link, meta, object, embed, form, image, [onerror], [onload]").length,
    links: links.filter((protocol) => !["http:", "https:", "mailto:"].includes(protocol)),
    turned: /[\\u202A-\\u202E\\u2066-\\u2069]/.test(document.body.innerText),
  }
})()`
