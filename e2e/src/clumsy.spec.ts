import { createDocketClient, type DocketClient } from "@docket/client"
import type { APIRequestContext, Browser, Page } from "@playwright/test"
import { type DocketServer, startDocket } from "./fixtures/docket-server.ts"
import { createGate } from "./fixtures/gate.ts"
import { modelConfig } from "./fixtures/model-config.ts"
import { createProject } from "./fixtures/project.ts"
import { type ScriptedModel, startScriptedModel } from "./fixtures/scripted-model.ts"
import { selectText } from "./fixtures/select-text.ts"
import { callAs, firstOwner, joinTeam } from "./fixtures/team-people.ts"
import { test as base, expect, idle, loaded, send } from "./fixtures/test.ts"

/** A team in which each test has its own member. */
interface Team {
  server: DocketServer
  model: ScriptedModel
  owner: APIRequestContext
  client: DocketClient
  projectID: string
}

const test = base.extend<object, { team: Team }>({
  team: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from the pattern
    async ({}, use) => {
      const [model, project] = await Promise.all([startScriptedModel(), createProject()])
      const config = modelConfig(model.url, { permission: "allow" })
      const server = await startDocket({ project: project.directory, config, team: {} })
      const client = createDocketClient({ url: server.url, token: server.token })
      const { id: projectID } = await client.project.open.mutate({ directory: project.directory })
      const owner = await firstOwner(server)
      await use({ server, model, owner, client, projectID })
      await owner.dispose()
      await server.stop()
      await model.stop()
      await project.remove()
    },
    { scope: "worker" },
  ],
})

interface UserScreen {
  person: string
  page: Page
  sessionID: string
  /** Opens another tab of the same user. */
  secondTab(): Promise<Page>
}

/** Adds a new member and opens the page of a session that they have just created. */
async function openScreen(browser: Browser, { server, owner, projectID }: Team, name: string): Promise<UserScreen> {
  const { browser: member } = await joinTeam(server, owner, name, "member")
  const { person } = await queryAs<{ person: string }>(member, "me.get")
  const { id: sessionID } = await callAs<{ id: string }>(member, "session.create", { projectID })
  const storageState = await member.storageState()
  await member.dispose()
  const context = await browser.newContext({ baseURL: new URL(server.loginUrl).origin, storageState })
  const openTab = async () => {
    const page = await context.newPage()
    await page.goto(`/s/${sessionID}`)
    return page
  }
  const page = await openTab()
  await loaded(page)
  return { person, page, sessionID, secondTab: openTab }
}

async function queryAs<Answer>(as: APIRequestContext, procedure: string): Promise<Answer> {
  const answer = await as.get(`/api/trpc/${procedure}`)
  return ((await answer.json()) as { result: { data: Answer } }).result.data
}

/** The prompts that users wrote in a session, in order. */
async function promptsOf(client: DocketClient, sessionID: string): Promise<string[]> {
  const { items } = await client.session.messages.query({ sessionID })
  return items
    .filter(({ info }) => info.role === "user")
    .flatMap(({ parts }) => parts.flatMap((part) => (part.type === "text" ? [part.text] : [])))
}

const prompt = (page: Page) => page.getByRole("textbox", { name: "Prompt" })
const queue = (page: Page) => page.getByRole("list", { name: "Queued prompts" }).getByRole("listitem")

test("two tabs that edit one queued prompt lose no text", async ({ browser, team }) => {
  const gate = createGate()
  team.model.script({ "Take your time": [{ text: "I took it.", gate }], Water: [{ text: "Watered." }] })
  const { page, sessionID, secondTab } = await openScreen(browser, team, "Edith")
  await send(page, "Take your time")
  await gate.reached
  await send(page, "Water the plants")
  const other = await secondTab()
  const field = (tab: Page) => tab.getByRole("textbox", { name: "Queued prompt" })
  for (const tab of [page, other]) await queue(tab).getByRole("button", { name: "Edit" }).click()
  await field(page).fill("Water the roses")
  await field(page).press("Enter")
  await expect(queue(page)).toContainText("Water the roses")
  await field(other).fill("Water the herbs")
  await field(other).press("Enter")
  await expect(prompt(other)).toHaveValue("Water the herbs")
  for (const tab of [page, other]) await expect(queue(tab)).toContainText("Water the roses")
  gate.open()
  await expect(page.getByText("Watered.")).toHaveCount(1)
  expect(await promptsOf(team.client, sessionID)).toEqual(["Take your time", "Water the roses"])
})

test("two tabs that send at once queue both prompts and keep drafts", async ({ browser, team }) => {
  const gate = createGate()
  team.model.script({
    "Take your time": [{ text: "I took it.", gate }],
    "From the first tab": [{ text: "The first is done." }],
    "From the second tab": [{ text: "The second is done." }],
  })
  const { page, sessionID, secondTab } = await openScreen(browser, team, "Tabitha")
  await send(page, "Take your time")
  await gate.reached
  const other = await secondTab()
  await expect(other.getByRole("button", { name: "Stop", exact: true })).toBeVisible()
  await prompt(page).pressSequentially("From the first tab")
  await prompt(other).pressSequentially("From the second tab")
  await expect(prompt(page)).toHaveValue("From the first tab")
  await Promise.all([prompt(page).press("Enter"), prompt(other).press("Enter")])
  for (const tab of [page, other]) {
    await expect(queue(tab)).toHaveCount(2)
    await expect(prompt(tab)).toHaveValue("")
  }
  gate.open()
  for (const tab of [page, other]) {
    await expect(tab.getByText("The first is done.")).toHaveCount(1)
    await expect(tab.getByText("The second is done.")).toHaveCount(1)
    await expect(queue(tab)).toHaveCount(0)
    await idle(tab)
  }
  const [first, ...both] = await promptsOf(team.client, sessionID)
  expect([first, both.sort()]).toEqual(["Take your time", ["From the first tab", "From the second tab"]])
})

test("two tabs change the queue, and the agent reads a prompt now", async ({ browser, team }) => {
  const gate = createGate()
  team.model.script({
    "Take your time": [
      { calls: [{ tool: "read", args: { filePath: "README.md" } }], gate },
      { text: "I use tabs now." },
    ],
    "Use tabs": [{ text: "I use tabs now." }],
    "Write tests first": [{ text: "Tests are written." }],
    "Then the docs": [{ text: "The docs are done." }],
  })
  const { page, sessionID, secondTab } = await openScreen(browser, team, "Quentin")
  await send(page, "Take your time")
  await gate.reached
  const other = await secondTab()
  for (const text of ["Then the docs", "Write tests", "Use tabs"]) await send(page, text)
  await expect(queue(other)).toHaveText(["Then the docs", "Write tests", "Use tabs"])
  await queue(other).nth(1).getByRole("button", { name: "Move forward" }).click()
  await expect(queue(page)).toHaveText(["Write tests", "Then the docs", "Use tabs"])
  await queue(page).nth(0).getByRole("button", { name: "Edit" }).click()
  await page.getByRole("textbox", { name: "Queued prompt" }).fill("Write tests first")
  await page.keyboard.press("Enter")
  await expect(queue(other).nth(0)).toHaveText("Write tests first")
  await queue(other).nth(2).getByRole("button", { name: "Read at the next step" }).click()
  await expect(queue(page)).toHaveText(["Use tabs", "Write tests first", "Then the docs"])
  await expect(queue(page).nth(0).getByRole("img", { name: "Read at the next step" })).toBeVisible()
  gate.open()
  for (const tab of [page, other]) {
    await expect(tab.getByText("The docs are done.")).toHaveCount(1)
    await expect(queue(tab)).toHaveCount(0)
    await idle(tab)
  }
  const said = await promptsOf(team.client, sessionID)
  expect(said).toEqual(["Take your time", "Use tabs", "Write tests first", "Then the docs"])
})

test("two pastes in a row are together held to the limit", async ({ browser, team }) => {
  const { page } = await openScreen(browser, team, "Paula")
  const files = page.getByRole("list", { name: "Attached files" }).getByRole("listitem")
  // A string, because these files are type-checked without the DOM.
  const paste = async (sizes: number[]) => {
    await prompt(page).focus()
    await page.evaluate(`${JSON.stringify(sizes)}.forEach((size, index) => {
      const clipboardData = new DataTransfer()
      clipboardData.items.add(new File([new Uint8Array(size)], "shot-" + index + ".bin"))
      const paste = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true })
      document.activeElement.dispatchEvent(paste)
    })`)
  }
  await paste([1_500_000, 1_500_001])
  await expect(page.getByText("These files have 2.9 MB together and the most is 2 MB.")).toBeVisible()
  await expect(files).toHaveText([/shot-0/])
  await paste([1_000])
  await expect(files).toHaveCount(2)
  await expect(page.getByText("the most is 2 MB")).toHaveCount(0)
})

test("a server killed while a person types loses nothing and repeats nothing", async ({ browser, team }) => {
  team.model.script({ "Say it once": [{ text: "It is said." }] })
  const { page, sessionID } = await openScreen(browser, team, "Kim")
  const chip = page.getByRole("main").getByText("Reconnecting")
  await prompt(page).pressSequentially("Say it ")
  await team.server.kill()
  await prompt(page).pressSequentially("once")
  await expect(chip).toBeVisible()
  await prompt(page).press("Enter")
  await expect(page.getByText("Docket cannot be reached, so nothing was sent.")).toBeVisible()
  await expect(prompt(page)).toHaveValue("Say it once")
  await team.server.restart()
  await expect(chip).toHaveCount(0)
  await expect(prompt(page)).toHaveValue("Say it once")
  await prompt(page).press("Enter")
  await expect(page.getByText("It is said.")).toHaveCount(1)
  await expect(prompt(page)).toHaveValue("")
  await idle(page)
  expect(await promptsOf(team.client, sessionID)).toEqual(["Say it once"])
})

test("a comment written during an undo of its subject keeps its quote", async ({ browser, team }) => {
  team.model.script({ "Name two colours": [{ text: "Red and **dark green** it is." }] })
  const { page, sessionID } = await openScreen(browser, team, "Carla")
  await send(page, "Name two colours")
  await expect(page.getByText("dark green")).toBeVisible()
  await idle(page)
  await selectText(page, "dark green")
  await page.getByRole("region", { name: "Selected words" }).getByRole("button", { name: "Comment" }).click()
  const panel = page.getByRole("region", { name: "Comments" })
  const draft = panel.getByRole("article", { name: "Draft: These words" })
  await draft.getByLabel("Comment", { exact: true }).pressSequentially("Not ")
  const { items } = await team.client.session.messages.query({ sessionID })
  const messageID = items[0]?.info.id ?? ""
  await callAs(team.owner, "session.revert", { sessionID, messageID })
  await expect(page.getByRole("feed").getByText("dark green")).toHaveCount(0)
  await draft.getByLabel("Comment", { exact: true }).pressSequentially("so dark")
  await draft.getByRole("button", { name: "Post" }).click()
  const thread = panel.getByRole("article", { name: "Thread: These words" })
  await expect(thread).toContainText("Not so dark")
  await expect(thread).toContainText("Its place was undone or changed. It said:")
  await expect(thread).toContainText("dark green")
})

test("losing rights with the share dialog open is shown; nothing is published", async ({ browser, team }) => {
  team.model.script({ "Say hello": [{ text: "Hello." }] })
  const { page, person, sessionID } = await openScreen(browser, team, "Vicky")
  await send(page, "Say hello")
  await expect(page.getByText("Hello.", { exact: true })).toBeVisible()
  await idle(page)
  await page.getByRole("button", { name: "Share…" }).click()
  const dialog = page.getByRole("dialog", { name: "Share this session" })
  await expect(dialog.getByRole("button", { name: "Publish" })).toBeEnabled()
  await callAs(team.owner, "team.setRole", { person, role: "viewer" })
  await expect(dialog.getByRole("alert")).toContainText(/^To .*share.* You are a viewer\.$/)
  await expect(dialog.getByRole("button", { name: "Publish" })).toBeDisabled()
  await dialog.getByRole("textbox", { name: "Title" }).press("Enter")
  await expect(page.getByText(/FORBIDDEN|TRPC|\{"/)).toHaveCount(0)
  expect(await team.client.share.list.query({ rootID: sessionID })).toEqual([])
})

test("a todo keeps its place while the code of its editor loads", async ({ browser, team }) => {
  const { page, sessionID } = await openScreen(browser, team, "Toni")
  await team.client.todo.create.mutate({ sessionID, content: "Ship it" })
  await page.getByRole("tab", { name: "Todos" }).click()
  const row = page.getByRole("checkbox", { name: "Ship it, To do" })
  await page.getByRole("button", { name: "Actions for Ship it" }).click()
  // Requests of the code reach `asked`, which is opened at once; `code` holds them back.
  const [asked, code] = [createGate(), createGate()]
  await page.route(/_next\/static\/chunks/, async (route) => {
    await asked.wait().then(() => code.wait())
    await route.continue()
  })
  asked.open()
  await page.getByRole("menuitem", { name: "Edit" }).click()
  await asked.reached
  await expect(row).toBeVisible()
  code.open()
  await expect(page.getByRole("form", { name: "Edit Ship it" }).getByRole("textbox", { name: "Todo" })).toBeFocused()
  await page.keyboard.press("Escape")
  await expect(row).toBeVisible()
})
