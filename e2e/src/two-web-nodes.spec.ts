import type { Browser, BrowserContextOptions, Page } from "@playwright/test"
import type { DocketServer } from "./fixtures/docket-server.ts"
import { createGate } from "./fixtures/gate.ts"
import { leadBrowser } from "./fixtures/lead-browser.ts"
import { paragraphs } from "./fixtures/paragraphs.ts"
import { expectSignedIn, typePassword } from "./fixtures/signed-out.ts"
import { adasSignIn, firstOwner, joinTeam, type Newcomer } from "./fixtures/team-people.ts"
import { begin, expect, loaded, send, sessionOf } from "./fixtures/test.ts"
import { test as base } from "./fixtures/web-nodes-test.ts"

const config = {
  agent: { general: { review: "required" } },
  permission: { bash: "ask" },
  delegation: { envelope: false },
}

/** A team with a person at each of two web nodes, and a function that starts workers of one project, which share its files. */
const test = base.extend<{
  startWorker: () => Promise<DocketServer>
  ada: Page
  bo: Page
  webNodes: [DocketServer, DocketServer]
  /** The address of the team, which all web nodes have. */
  address: string
  bosAccount: Newcomer
}>({
  startWorker: async ({ start, project }, use) =>
    use(() => start("worker", { project: project.directory, storage: "team", config })),
  // The second one has the settings of the team, and so its address, from the database.
  webNodes: async ({ start }, use) => use([await start("web", { config, team: {} }), await start("web", { config })]),
  address: async ({ webNodes: [one] }, use) => use(new URL(one.loginUrl).origin),
  bosAccount: async ({ webNodes: [one] }, use) => {
    const owner = await firstOwner(one)
    const bo = await joinTeam(one, owner, "Bo", "member")
    for (const browser of [owner, bo.browser]) await browser.dispose()
    await use(bo)
  },
  ada: async ({ browser, address, bosAccount: _ }, use) => use(await signInAt(browser, address, adasSignIn)),
  bo: async ({ browser, address, webNodes: [, two], bosAccount }, use) => {
    const lead = await leadBrowser(new URL(two.url).port)
    await use(await signInAt(browser, address, bosAccount, { proxy: { server: lead.url } }))
    lead.close()
  },
})

type Account = Pick<Newcomer, "email" | "password">

/** Signs a person in with a browser of their own. */
async function signInAt(browser: Browser, url: string, account: Account, options?: BrowserContextOptions) {
  const page = await (await browser.newContext({ baseURL: url, ...options })).newPage()
  await page.goto("/login")
  await typePassword(page, account)
  await expectSignedIn(page)
  await loaded(page)
  return page
}

/** Notes how long the text of the transcript is after each change that the page shows. */
const watchText = `
  window.lengths = new Set()
  new MutationObserver(() => {
    const feed = document.querySelector("[role=feed]")
    if (feed !== null) window.lengths.add(feed.textContent.length)
  }).observe(document.body, { childList: true, subtree: true, characterData: true })
`

const todos = (page: Page) => page.getByRole("region", { name: "Todos", exact: true })
const todo = (content: string, status: string) => ({ content, status, priority: "medium" })
const alsoHere = (page: Page) => page.getByRole("list", { name: "Also here" })

/** What a procedure answers to the person of a page. */
async function read<Answer>(page: Page, procedure: string, input: object): Promise<Answer> {
  const answer = await page.request.get(`/api/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`)
  await expect(answer).toBeOK()
  return ((await answer.json()) as { result: { data: Answer } }).result.data
}

test("two people at two nodes share a tree while a worker dies", async ({ ada, bo, model, project, startWorker }) => {
  test.slow()
  const [text, held] = [createGate(), createGate()]
  model.script({
    "Do it all": [
      { calls: [{ tool: "todowrite", args: { todos: [todo("Greet", "in_progress"), todo("Look", "pending")] } }] },
      {
        text: paragraphs(1_500),
        calls: [{ tool: "bash", args: { command: "echo hello > said.txt", description: "Greet" } }],
        gate: text,
      },
      { calls: [{ tool: "task", args: { description: "Look", prompt: "Look around", subagent_type: "general" } }] },
      { text: "Everything is done." },
    ],
    "Look around": [{ text: "Nothing is there." }],
    "Wait for me": [{ text: "never", gate: held }],
  })
  const worker = await startWorker()
  // The web node learns of the project when the page asks.
  await ada.reload()
  await begin(ada, "Do it all")
  const rootID = sessionOf(ada)
  const nodeOf = (page: Page) => page.evaluate(async () => Object(await (await fetch("/api/health")).json()).node)
  expect(await nodeOf(bo)).not.toBe(await nodeOf(ada))

  // Each sees who else is there, and Bo who began.
  await bo.goto(`/s/${rootID}`)
  const prompt = bo.getByRole("article", { name: "Prompt: Do it all" })
  await expect(prompt.getByText("Ada", { exact: true })).toBeVisible()
  await expect(alsoHere(ada).getByRole("link", { name: /^Bo/ })).toBeVisible()
  await expect(alsoHere(bo).getByRole("link", { name: /^Ada/ })).toBeVisible()
  await expect(todos(bo).getByText("0 of 2")).toBeVisible()
  await bo.evaluate(watchText)
  text.open()
  const card = bo.getByRole("region", { name: /wants to run a command/ })
  await expect(card.getByText("echo hello > said.txt")).toBeVisible()
  // Text came while it was written, not as a whole.
  expect(await bo.evaluate("window.lengths.size")).toBeGreaterThan(10)
  await bo.getByRole("textbox", { name: "New todo" }).fill("Ask the users")
  await bo.keyboard.press("Enter")
  for (const page of [ada, bo]) await expect(todos(page).getByText("0 of 3")).toBeVisible()

  // The worker dies while it waits for an answer. Bo answers, and another worker goes on.
  await startWorker()
  await worker.kill()
  await card.getByRole("button", { name: "Allow once" }).click()
  await expect.poll(() => project.read("said.txt").catch(() => null)).toBe("hello\n")
  await expect(ada.getByText("allowed by B Bo", { exact: true })).toBeVisible()
  await expect(bo.getByText("allowed by B you", { exact: true })).toBeVisible()

  // Ada reviews, and Bo reads whose verdict it is.
  const tasks = () => read<{ id: string; state: string }[]>(ada, "task.list", { sessionID: rootID })
  await expect.poll(async () => (await tasks()).map(({ state }) => state)).toEqual(["awaiting_review"])
  for (const page of [ada, bo]) await expect(page.getByText("Waits for your review (1)")).toBeVisible()
  const desk = `/review/${rootID}?task=${(await tasks())[0]?.id}`
  for (const page of [ada, bo]) await page.goto(desk)
  await ada.getByRole("button", { name: "Approve", exact: true }).click()
  await expect(bo.getByRole("list", { name: "Verdicts" })).toContainText("Ada")
  await expect(bo.getByRole("list", { name: "Verdicts" })).toContainText(/approved/i)
  await expect(ada.getByRole("list", { name: "Verdicts" })).toContainText("You approved")

  // Bo stops what Ada began.
  for (const page of [ada, bo]) await page.goto(`/s/${rootID}`)
  for (const page of [ada, bo]) {
    await expect(page.getByRole("feed").getByText("Everything is done.")).toBeVisible()
  }
  await send(ada, "Wait for me")
  await held.reached
  await bo.getByRole("button", { name: "Stop", exact: true }).click()
  await expect(ada.getByRole("button", { name: "Stop", exact: true })).toHaveCount(0)
  const { ended } = await read<{ ended?: { how: string } }>(ada, "session.get", { sessionID: rootID })
  expect(ended?.how).toBe("stopped")
  const audited = async () => {
    const answer = await ada.request.get("/api/audit?act=stopped")
    return (await answer.text()).split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line).person.name]))
  }
  await expect.poll(audited).toEqual(["Bo"])
})
