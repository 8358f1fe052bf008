import type { APIRequestContext, Browser, Page } from "@playwright/test"
import { type DocketServer, startDocket } from "./fixtures/docket-server.ts"
import { createProject, type Project } from "./fixtures/project.ts"
import { callAs, firstOwner, joinTeam } from "./fixtures/team-people.ts"
import { test as base, expect, loaded } from "./fixtures/test.ts"

interface TeamFixtures {
  directory: Project
  /** A project of the other workspace. */
  elsewhere: Project
  team: DocketServer
  address: string
}

/** Lends a project in a directory of its own, and removes it afterwards. */
const withProject = async (use: (project: Project) => Promise<void>) => {
  const created = await createProject()
  await use(created)
  await created.remove()
}

const test = base.extend<TeamFixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from the pattern
  directory: async ({}, use) => withProject(use),
  // biome-ignore lint/correctness/noEmptyPattern: see above
  elsewhere: async ({}, use) => withProject(use),
  team: async ({ directory }, use) => {
    const server = await startDocket({ project: directory.directory, team: {} })
    await use(server)
    await server.stop()
  },
  address: async ({ team }, use) => use(new URL(team.loginUrl).origin),
})

async function pageOf(browser: Browser, person: APIRequestContext): Promise<Page> {
  return await (await browser.newContext({ storageState: await person.storageState() })).newPage()
}

async function createSession(as: APIRequestContext, { directory }: Project, title: string): Promise<string> {
  const { id: projectID } = await callAs<{ id: string }>(as, "project.open", { directory })
  return (await callAs<{ id: string }>(as, "session.create", { projectID, title })).id
}

const workspaces = (page: Page) => page.getByRole("button", { name: /^Workspace / })
const listOf = (page: Page) => page.getByRole("navigation", { name: "Sessions" })

test("switching workspaces affects all tabs; a link opens its own workspace", async ({
  browser,
  team,
  address,
  directory,
  elsewhere,
}) => {
  const ada = await firstOwner(team)
  const docketSession = await createSession(ada, directory, "Session of the first")
  const page = await pageOf(browser, ada)
  await page.goto(address)
  await expect(listOf(page)).toContainText("Session of the first")

  // An operator creates a workspace in the menu, and is switched to it.
  await workspaces(page).click()
  await page.getByRole("menuitem", { name: "New workspace…" }).click()
  await page.getByRole("textbox", { name: "Name" }).fill("Globex")
  await page.getByRole("button", { name: "Make workspace" }).click()
  await page.waitForURL(/\/settings\/workspace/)
  await expect(workspaces(page)).toHaveAccessibleName("Workspace Globex")
  await page
    .getByRole("textbox", { name: "Directory that projects may lie in" })
    .or(page.getByRole("textbox", { name: "Another directory" }))
    .fill(elsewhere.directory)
  await page.keyboard.press("Enter")
  await expect(page.getByRole("list", { name: "Directories" })).toContainText(elsewhere.directory)
  const globexSession = await createSession(ada, elsewhere, "Session of Globex")
  await page.goto(address)
  await expect(listOf(page)).toContainText("Session of Globex")
  await expect(listOf(page)).not.toContainText("Session of the first")

  // A tab that shows a session follows a switch in another tab: it reloads.
  const other = await page.context().newPage()
  await other.goto(`${address}/s/${globexSession}`)
  await expect(workspaces(other)).toHaveAccessibleName("Workspace Globex")
  const field = other.getByRole("textbox", { name: "Prompt" })
  await field.fill("What I began to write")
  await workspaces(page).click()
  await page.getByRole("menuitem", { name: "Docket" }).click()
  await expect(workspaces(page)).toHaveAccessibleName("Workspace Docket")
  await expect(workspaces(other)).toHaveAccessibleName("Workspace Docket")
  await expect(other.getByRole("heading", { name: "Inbox" })).toBeVisible()
  await expect(listOf(page)).toContainText("Session of the first")
  await expect(listOf(page)).not.toContainText("Session of Globex")

  // A link to a session of the other workspace still works.
  await page.goto(`${address}/s/${globexSession}`)
  await expect(page.getByText("This session is in your workspace Globex.")).toBeVisible()
  await page.getByRole("button", { name: "Go to Globex" }).click()
  await expect(workspaces(page)).toHaveAccessibleName("Workspace Globex")
  expect(new URL(page.url()).pathname).toBe(`/s/${globexSession}`)
  await expect(page.getByText("This session is in your workspace")).toHaveCount(0)
  // The other tab follows; the draft written there is restored.
  await expect(workspaces(other)).toHaveAccessibleName("Workspace Globex")
  await other.goto(`${address}/s/${globexSession}`)
  await expect(field).toHaveValue("What I began to write")
  await page.goto(`${address}/s/${docketSession}`)
  await expect(page.getByRole("button", { name: "Go to Docket" })).toBeVisible()
  // The review desk offers it too.
  await page.goto(`${address}/review/${docketSession}`)
  await page.getByRole("button", { name: "Go to Docket" }).click()
  await expect(workspaces(page)).toHaveAccessibleName("Workspace Docket")
})

test("workspaces see nothing of each other; members of one get no menu", { tag: "@journey" }, async ({
  browser,
  team,
  address,
  directory,
  elsewhere,
}) => {
  const ada = await firstOwner(team)
  const docketSession = await createSession(ada, directory, "Quetzalcoatl")
  const { id } = await callAs<{ id: string }>(ada, "workspace.create", { name: "Globex" })
  await callAs(ada, "workspace.switch", { workspace: id })
  await callAs(ada, "workspace.update", { roots: [elsewhere.directory] })
  const gus = await joinTeam(team, ada, "Gus", "admin")
  const globexSession = await createSession(gus.browser, elsewhere, "Zanzibar")
  await callAs(ada, "workspace.switch", { workspace: "local" })

  const page = await pageOf(browser, gus.browser)
  await page.goto(address)
  await loaded(page)
  await expect(listOf(page)).toContainText("Zanzibar")
  await expect(page.getByText("Quetzalcoatl")).toHaveCount(0)
  await expect(workspaces(page)).toHaveCount(0)
  const missing = `There is no session ${docketSession} that you can see.`
  await page.goto(`${address}/s/${docketSession}`)
  await expect(page.getByText(missing)).toBeVisible()
  await page.goto(`${address}/review/${docketSession}`)
  await expect(page.getByText(missing)).toBeVisible()
  await page.goto(`${address}/search?q=Quetzalcoatl`)
  await loaded(page)
  await expect(page.getByRole("link", { name: /Quetzalcoatl/ })).toHaveCount(0)
  const opened = await gus.browser.post("/api/trpc/project.open", { data: { directory: directory.directory } })
  expect([opened.status(), await opened.text()]).toEqual([403, expect.not.stringContaining("Quetzalcoatl")])

  const own = await pageOf(browser, ada)
  await own.goto(address)
  await loaded(own)
  await expect(listOf(own)).toContainText("Quetzalcoatl")
  await expect(own.getByText("Zanzibar")).toHaveCount(0)
  const input = encodeURIComponent(JSON.stringify({ sessionID: globexSession }))
  expect((await ada.get(`/api/trpc/session.get?input=${input}`)).status()).toBe(404)
})

test("an owner removes a workspace by typing its name; members are out", async ({ browser, team, address }) => {
  const ada = await firstOwner(team)
  const { id } = await callAs<{ id: string }>(ada, "workspace.create", { name: "Doomed" })
  await callAs(ada, "workspace.switch", { workspace: id })
  const gus = await joinTeam(team, ada, "Gus", "member")
  const his = await pageOf(browser, gus.browser)
  await his.goto(address)
  await expect(his.getByRole("heading", { name: "Inbox" })).toBeVisible()

  const page = await pageOf(browser, ada)
  await page.goto(`${address}/settings/workspace`)
  const remove = page.getByRole("button", { name: "Remove workspace" })
  await expect(remove).toBeDisabled()
  await page.getByRole("textbox", { name: /write its name: Doomed/ }).fill("Doomed")
  await remove.click()
  await expect(page.getByRole("heading", { name: "Inbox" })).toBeVisible()
  await expect(workspaces(page)).toHaveAccessibleName("Workspace Docket")
  await page.goto(`${address}/settings/workspace`)
  await expect(page.getByRole("textbox", { name: "Name of the workspace" })).toHaveValue("Docket")
  await expect(page.getByRole("button", { name: "Remove workspace" })).toHaveCount(0)
  await his.goto(address)
  await expect(his).toHaveURL(/\/login/)
})
