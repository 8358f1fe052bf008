import { expect, test } from "@playwright/test"
import { type PageWeight, weighPage } from "./fixtures/page-weight.ts"

/** kB of the first load; a value that is left out has no budget. */
const budgets: Record<string, Partial<PageWeight>> = {
  "/share/[secret]": { js: 170, css: 15, fonts: 70 },
  "/share/[secret]/c/[child]": { js: 170, css: 15, fonts: 70 },
  "/share/[secret]/p/[part]": { js: 170, css: 15, fonts: 70 },
  "/embed/[secret]": { js: 170, css: 15, fonts: 70 },
  "/(app)/(desk)/s/[root]": { js: 310, fonts: 70 },
  "/(app)/(desk)/s/[root]/c/[child]": { js: 310, fonts: 70 },
  "/(app)/(desk)/review/[root]": { js: 340, fonts: 70 },
  "/(app)/(desk)/review/[root]/compare": { js: 310 },
  "/(app)/(desk)": { js: 280 },
  "/(app)/(desk)/s/new": { js: 280 },
  "/(app)/(desk)/search": { js: 280 },
  "/(app)/(desk)/settings/shares": { js: 280 },
  "/(app)/(desk)/settings/config": { js: 280 },
  "/(app)/(desk)/settings/tools": { js: 280 },
  "/(app)/(desk)/settings/members": { js: 280 },
  "/(app)/(desk)/settings/keys": { js: 280 },
  "/(app)/(desk)/settings/workspace": { js: 280 },
  "/(app)/(desk)/todos": { js: 280 },
  "/(app)/(desk)/memory": { js: 280 },
  "/(app)/(desk)/schedules": { js: 280 },
  "/(app)/(desk)/settings": { js: 280 },
  "/(app)/login": { js: 220 },
}

test("the first load of each page keeps to its budget", { tag: "@journey" }, async () => {
  const lines: string[] = []
  const over: string[] = []
  for (const [page, budget] of Object.entries(budgets)) {
    const weight = await weighPage(page)
    for (const kind of ["js", "css", "fonts"] as const) {
      const line = `${page} ${kind} ${weight[kind].toFixed(1)} kB${budget[kind] === undefined ? "" : ` of ${budget[kind]}`}`
      lines.push(line)
      if (weight[kind] > (budget[kind] ?? Number.POSITIVE_INFINITY)) over.push(line)
    }
  }
  process.stdout.write(`${lines.join("\n")}\n`)
  expect(over).toEqual([])
})
