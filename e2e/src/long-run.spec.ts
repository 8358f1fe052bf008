import { formatCost, formatTokens, treeUsage } from "@docket/core/usage"
import { treeStatuses } from "@docket/core/work-status"
import type { Browser, Page } from "@playwright/test"
import { createGate } from "./fixtures/gate.ts"
import type { Answer } from "./fixtures/scripted-model.ts"
import { distanceToEnd, turnWheel } from "./fixtures/scroll.ts"
import { begin, expect, sessionOf, test } from "./fixtures/test.ts"

test.use({
  config: { model: "scripted/priced", permission: { bash: { "*": "allow", "git tag *": "ask" } } },
})

const lines = (count: number) => Array.from({ length: count }, (_, index) => `Line ${index + 1}.`).join("\n\n")
const bash = (command: string, description: string): Answer => ({
  calls: [{ tool: "bash", args: { command, description } }],
})
const task = (name: string) => ({
  tool: "task",
  args: { description: name, prompt: `Your part is: ${name}.`, subagent_type: "general" },
})

const sizes = [
  { width: 1440, height: 900 },
  { width: 1920, height: 1200 },
  { width: 390, height: 844 },
]

/** Opens the session on a screen of each size, with the same sign-in. */
async function openAll(desk: Page, browser: Browser): Promise<Page[]> {
  const storageState = await desk.context().storageState()
  const open = async (viewport: { width: number; height: number }) => {
    const page = await (await browser.newContext({ viewport, storageState })).newPage()
    await page.goto(desk.url())
    await page.getByRole("feed").waitFor()
    return page
  }
  return Promise.all(sizes.map(open))
}

/** Every screen is at the end, and offers no button to go there. */
async function expectAtEnd(pages: Page[]): Promise<void> {
  for (const page of pages) {
    await expect.poll(() => distanceToEnd(page)).toBe(0)
    await expect(page.getByRole("button", { name: /Skip to latest|new part/ })).toHaveCount(0)
  }
}

test("a run of eight children keeps every reader's place through all faults", async ({
  desk,
  model,
  client,
  browser,
}) => {
  test.slow()
  const end = createGate()
  const names = ["Tag it", "Tag it twice", "Fail", "Count", "Break off", "Look", "Write", "Give up"]
  model.script({
    "part is: Tag it twice": [bash("git tag twice", "Tag it twice"), { text: "I was not allowed to." }],
    "part is: Tag it": [bash("git tag once", "Tag it"), { text: "Tagged." }],
    "part is: Fail": [bash("echo no >&2; exit 3", "Fail"), { text: "It failed with 3." }],
    "part is: Count": [bash("seq 1 20000", "Count"), { text: "Counted." }],
    "part is: Break off": [{ text: lines(40), cut: true }],
    "part is: Look": [
      { calls: ["README.md", "src/main.js"].map((filePath) => ({ tool: "read", args: { filePath } })) },
      { text: "Looked." },
    ],
    "part is: Write": [
      { calls: [{ tool: "write", args: { filePath: "notes.md", content: "# Notes\n" } }] },
      { text: "Written." },
    ],
    "part is: Give up": [{ failure: { status: 400, message: "The request is too long for this model." } }],
    "Run it all": [
      { text: lines(50), calls: names.map(task) },
      { text: `${lines(30)}\n\nAll parts have ended.`, gate: end },
    ],
  })
  await begin(desk, "Run it all")
  const pages = await openAll(desk, browser)
  const [wide = desk, , phone = desk] = pages

  const bothRequests = (page: Page) => page.getByRole("navigation", { name: "2 requests wait for you" })
  for (const page of pages) await expect(bothRequests(page)).toBeVisible()
  await expectAtEnd(pages)
  await phone.getByRole("button", { name: "Allow once", exact: true }).click()
  for (const page of pages) await expect(bothRequests(page)).toHaveCount(0)
  await expectAtEnd(pages)
  await phone.getByRole("button", { name: "Reject", exact: true }).click()
  await end.reached
  await expectAtEnd(pages)

  // One reader scrolls up; the others stay at the end.
  await wide.getByRole("feed").hover()
  await turnWheel(wide, -600)
  await expect(wide.getByRole("button", { name: "Skip to latest" })).toBeVisible()
  const scrollTop = await wide.evaluate<number>("document.querySelector('[role=feed]').parentElement.scrollTop")
  end.open()
  for (const page of pages.slice(1)) await expect(page.getByText("All parts have ended.")).toBeInViewport()
  await expect(wide.getByRole("button", { name: /new part/ })).toBeVisible()
  expect(await wide.evaluate("document.querySelector('[role=feed]').parentElement.scrollTop")).toBe(scrollTop)

  // Costs and end states on the page are those that core computes.
  const tree = await client.session.tree.query({ sessionID: sessionOf(desk) })
  const { whole } = treeUsage(tree.sessions)
  await wide.getByRole("tab", { name: "Cost" }).click()
  const total = wide.getByRole("row", { name: /^Total/ })
  await expect(total).toContainText(formatTokens(whole.tokens.input))
  await expect(total).toContainText(formatCost(whole.cost))
  const statuses = [...treeStatuses(tree).values()]
  // The root and six children are done; “Give up” failed, and the child whose command was rejected has stopped.
  expect(statuses.toSorted()).toEqual([...Array.from({ length: 7 }, () => "done"), "failed", "stopped"])
  const failed = wide.getByRole("complementary", { name: "Session rail" }).getByRole("img", { name: "Failed" })
  await expect(failed).toHaveCount(1)
})
