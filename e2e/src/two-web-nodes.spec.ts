import { randomBytes } from "node:crypto"
import { createDocketClient } from "@docket/client"
import { startPostgres } from "@docket/db/start-postgres"
import type { Page } from "@playwright/test"
import { type DocketServer, startDocket } from "./fixtures/docket-server.ts"
import { createGate } from "./fixtures/gate.ts"
import { modelConfig } from "./fixtures/model-config.ts"
import { paragraphs } from "./fixtures/paragraphs.ts"
import { test as base, begin, expect, send, sessionOf, signIn } from "./fixtures/test.ts"

const config = {
  agent: { general: { review: "required" } },
  permission: { bash: "ask" },
  delegation: { envelope: false },
}

/** Two web nodes with a person at each, and a function that starts workers of one project, which share its files. */
const test = base.extend<{
  startWorker: () => Promise<DocketServer>
  ada: Page
  bo: Page
  webNodes: [DocketServer, DocketServer]
  start: (role: "web" | "worker", project: string | null) => Promise<DocketServer>
}>({
  start: async ({ model }, use) => {
    const postgres = await startPostgres()
    if (typeof postgres === "string") return test.skip(true, `PostgreSQL is not there: ${postgres}`)
    const env = { DATABASE_URL: postgres.url, DOCKET_SECRET_KEY: randomBytes(32).toString("base64") }
    const started: DocketServer[] = []
    await use(async (role, project) => {
      const args = ["--role", role, ...(role === "worker" ? ["--storage", "team"] : [])]
      const server = await startDocket({
        project,
        web: role === "web",
        env,
        args,
        config: modelConfig(model.url, config),
      })
      started.push(server)
      return server
    })
    for (const server of started) await server.stop()
    await postgres.stop()
  },
  startWorker: async ({ start, project }, use) => use(() => start("worker", project.directory)),
  webNodes: async ({ start }, use) => use([await start("web", null), await start("web", null)]),
  ada: async ({ browser, webNodes }, use) => use(await signedIn(await browser.newPage(), webNodes[0])),
  bo: async ({ browser, webNodes }, use) => use(await signedIn(await browser.newPage(), webNodes[1])),
})

async function signedIn(page: Page, server: DocketServer): Promise<Page> {
  await signIn(page, server)
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

test("people at two web nodes share a tree while a worker dies", async ({
  ada,
  bo,
  model,
  project,
  startWorker,
  webNodes,
}) => {
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
  await bo.goto(`${webNodes[1].url}/s/${rootID}`)
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

  // The worker dies while it waits for an answer, and another one goes on.
  await startWorker()
  await worker.kill()
  await card.getByRole("button", { name: "Allow once" }).click()
  await expect.poll(() => project.read("said.txt").catch(() => null)).toBe("hello\n")

  const client = createDocketClient({ url: webNodes[0].url, token: webNodes[0].token })
  const tasks = async () => (await client.session.tree.query({ sessionID: rootID })).tasks
  await expect.poll(async () => (await tasks()).map(({ state }) => state)).toEqual(["awaiting_review"])
  for (const page of [ada, bo]) await expect(page.getByText("Waits for your review (1)")).toBeVisible()
  await bo.goto(`${webNodes[1].url}/review/${rootID}?task=${(await tasks())[0]?.id}`)
  await bo.getByRole("button", { name: "Approve", exact: true }).click()
  await expect(ada.getByText("Everything is done.")).toBeVisible()

  await bo.goto(`${webNodes[1].url}/s/${rootID}`)
  await send(ada, "Wait for me")
  await held.reached
  await bo.getByRole("button", { name: "Stop", exact: true }).click()
  await expect(ada.getByRole("button", { name: "Stop", exact: true })).toHaveCount(0)
  expect((await client.session.get.query({ sessionID: rootID })).ended?.how).toBe("stopped")
})
