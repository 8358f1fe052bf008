import type { Browser, BrowserContext, Page } from "@playwright/test"
import { z } from "zod"
import { type DocketServer, startDocket } from "./fixtures/docket-server.ts"
import { findViolationsInLightAndDark } from "./fixtures/find-violations.ts"
import { openAtWidth } from "./fixtures/open-at-width.ts"
import { createProject, type Project } from "./fixtures/project.ts"
import { createAccount } from "./fixtures/signed-out.ts"
import { fillTeam, teamPages } from "./fixtures/team-pages.ts"
import { ada, callAs, firstOwner, joinTeam, teamBrowser } from "./fixtures/team-people.ts"
import { test as base, expect, sessionOf } from "./fixtures/test.ts"
import { widthsOf } from "./fixtures/widths.ts"

const AnswerWithID = z.object({ result: z.object({ data: z.object({ id: z.string() }) }) })

const Answer = z.object({ result: z.object({ data: z.unknown() }) })

interface TeamFixtures {
  directory: Project
  team: DocketServer
  /** The address of the service. */
  address: string
}

const test = base.extend<TeamFixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from the pattern
  directory: async ({}, use) => {
    const project = await createProject()
    await use(project)
    await project.remove()
  },
  team: async ({ directory }, use) => {
    const server = await startDocket({ project: directory.directory, team: {} })
    await use(server)
    await server.stop()
  },
  address: async ({ team }, use) => use(new URL(team.loginUrl).origin),
})

/** A separate browser for a user who signed in elsewhere. */
async function browserOf(browser: Browser, person: { storageState: BrowserContext["storageState"] }): Promise<Page> {
  return await (await browser.newContext({ storageState: await person.storageState() })).newPage()
}

const rowOf = (page: Page, list: string, text: string) =>
  page.getByRole("list", { name: list, exact: true }).getByRole("listitem").filter({ hasText: text })

test("somebody is invited by link, joins, becomes a reviewer and is removed", async ({ browser, team, address }) => {
  const page = await browserOf(browser, await firstOwner(team))
  await page.goto(`${address}/settings/members`)
  await page.getByRole("button", { name: "Invite", exact: true }).click()
  await page.getByRole("textbox", { name: "E-mail" }).fill("Ben@example.org")
  await page.getByRole("button", { name: "Make the invitation" }).click()
  const made = page.getByRole("region", { name: "Invitation for ben@example.org as a member" })
  await expect(made).toContainText("No mail was sent")
  const link = await made.getByRole("textbox", { name: "Link" }).inputValue()
  await expect(rowOf(page, "Waiting invitations", "ben@example.org")).toContainText("invited by Ada")

  const ben = await (await browser.newContext()).newPage()
  await ben.goto(link)
  await createAccount(ben, "Ben")
  await ben.goto(`${address}/settings/members`)
  await expect(rowOf(ben, "Members", "ben@example.org")).toContainText("you")
  // Administrator controls are not shown.
  await expect(rowOf(ben, "Members", ada.email)).toContainText("Owner")
  await expect(ben.getByRole("button", { name: "Invite", exact: true })).toHaveCount(0)
  await expect(ben.getByRole("link", { name: "API keys" })).toHaveCount(0)
  await expect(ben.getByRole("link", { name: "Nodes" })).toHaveCount(0)
  await ben.goto(`${address}/settings/nodes`)
  await expect(ben.getByText(/^Only who runs the service may/)).toBeVisible()

  await page.reload()
  await expect(page.getByText("Nobody is invited at the moment.")).toBeVisible()
  await page.getByRole("combobox", { name: "Role of Ben" }).selectOption("reviewer")
  await expect(page.getByRole("status").filter({ hasText: "Ben is a reviewer now" })).toBeAttached()
  await ben.goto(`${address}/settings/roles`)
  await expect(ben.getByText("You are a reviewer here.")).toBeVisible()

  await page.getByRole("button", { name: "Actions for Ben" }).click()
  await page.getByRole("menuitem", { name: "Remove from the workspace…" }).click()
  await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click()
  await expect(rowOf(page, "Members", "ben@example.org")).toHaveCount(0)
  const gone = page.getByRole("region", { name: "Ben is removed" })
  await expect(gone).toContainText("Nothing of theirs waited or ran.")
  await gone.getByRole("button", { name: "Done" }).click()
  await expect(gone).toHaveCount(0)
  // The open page ends by itself, and a new one asks the user to sign in.
  await expect(ben).toHaveURL(/\/login/)
  await ben.goto(`${address}/settings/members`)
  await expect(ben).toHaveURL(/\/login/)
})

test("the last owner keeps the role, with the service's reason shown", async ({ browser, team, address }) => {
  const page = await browserOf(browser, await firstOwner(team))
  await page.goto(`${address}/settings/members`)
  const role = page.getByRole("combobox", { name: "Role of Ada" })
  await role.selectOption("viewer")
  const dialog = page.getByRole("dialog", { name: "Change your own role" })
  await dialog.getByRole("button", { name: "Be a viewer" }).click()
  await expect(dialog.getByRole("alert")).toContainText("owner")
  await dialog.getByRole("button", { name: "Cancel" }).click()
  await expect(role).toHaveValue("owner")
})

test("an invitation is taken back, and its link opens nothing", async ({ browser, team, address }) => {
  const page = await browserOf(browser, await firstOwner(team))
  await page.goto(`${address}/settings/members`)
  await page.getByRole("button", { name: "Invite", exact: true }).click()
  await page.getByRole("textbox", { name: "E-mail" }).fill("ben@example.org")
  await page.getByRole("button", { name: "Make the invitation" }).click()
  const link = await page.getByRole("textbox", { name: "Link" }).inputValue()
  await page.getByRole("button", { name: "Cancel the invitation of ben@example.org" }).click()
  await expect(page.getByText("Nobody is invited at the moment.")).toBeVisible()
  const secret = new URL(link).hash.slice(1)
  const tried = await (await teamBrowser(team)).post("/api/auth/invitation/look", { data: { secret } })
  expect(tried.ok()).toBe(false)
})

test("a read-only key changes nothing and is refused once revoked", async ({ browser, request, team, address }) => {
  const page = await browserOf(browser, await firstOwner(team))
  await page.goto(`${address}/settings/keys`)
  await page.getByRole("button", { name: "New key" }).click()
  await page.getByRole("textbox", { name: "Name" }).fill("Nightly report")
  await page.getByRole("textbox", { name: "Calls in a minute" }).fill("sixty")
  await expect(page.getByRole("button", { name: "Make the key" })).toBeDisabled()
  await page.getByRole("textbox", { name: "Calls in a minute" }).fill("60")
  await page.getByRole("checkbox", { name: "Only some of what a member may do" }).check()
  await page.getByRole("checkbox", { name: /^read sessions/ }).check()
  await page.getByRole("button", { name: "Make the key" }).click()
  const made = page.getByRole("region", { name: "The key “Nightly report”" })
  const key = await made.getByRole("textbox", { name: "Key" }).inputValue()
  const headers = { authorization: `Bearer ${key}` }
  const read = () => request.get(`${address}/api/trpc/workspace.get`, { headers })
  expect((await read()).status()).toBe(200)
  const changed = await request.post(`${address}/api/trpc/workspace.update`, { headers, data: { turns: 1 } })
  expect(changed.status()).toBe(403)

  await made.getByRole("button", { name: "Done" }).click()
  await page.reload()
  const row = rowOf(page, "Keys", "Nightly report")
  await expect(row).toContainText("Member, only: read · 60 calls a minute")
  await expect(row).toContainText("last used")
  await expect(page.getByText(key)).toHaveCount(0)
  await page.getByRole("button", { name: "Revoke the key Nightly report" }).click()
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click()
  await expect(page.getByText("No program has a key to this workspace.")).toBeVisible()
  expect((await read()).status()).toBe(401)
})

test("a /v1 token shows its last use and is refused once revoked", async ({ browser, request, team, address }) => {
  const page = await browserOf(browser, await firstOwner(team))
  await page.goto(`${address}/settings/keys`)
  await expect(page.getByText("No program has a token.")).toBeVisible()
  const data = { name: "Ticket robot" }
  const made = await request.post(`${address}/api/tokens`, { headers: { authorization: `Bearer ${team.token}` }, data })
  const { token } = (await made.json()) as { token: string }
  await page.reload()
  const row = rowOf(page, "Tokens", "Ticket robot")
  await expect(row).toContainText("never used")
  const read = () => request.get(`${address}/v1/todos`, { headers: { authorization: `Bearer ${token}` } })
  expect((await read()).status()).toBe(200)
  await page.reload()
  await expect(row).toContainText("last used")
  await page.getByRole("button", { name: "Revoke the token Ticket robot" }).click()
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click()
  await expect(page.getByText("No program has a token.")).toBeVisible()
  expect((await read()).status()).toBe(401)
})

test("other sign-ins can be ended, also by a new password", async ({ browser, team, address }) => {
  const page = await browserOf(browser, await firstOwner(team))
  const { email, password } = ada
  const signInElsewhere = async () => {
    const other = await teamBrowser(team)
    expect((await other.post("/api/auth/sign-in/email", { data: { email, password } })).ok()).toBe(true)
    const isIn = async () => (await other.get("/api/trpc/me.get")).status() === 200
    expect(await isIn()).toBe(true)
    return isIn
  }
  const first = await signInElsewhere()
  await page.goto(`${address}/settings/sign-ins`)
  await expect(page.getByRole("list", { name: "Sign-ins" }).getByRole("listitem")).toHaveCount(2)
  await page.getByRole("button", { name: "Sign out all others…" }).click()
  await page.getByRole("dialog").getByRole("button", { name: "Sign out" }).click()
  await expect(page.getByRole("list", { name: "Sign-ins" }).getByRole("listitem")).toHaveCount(1)
  await expect(rowOf(page, "Sign-ins", "this one")).toHaveCount(1)
  expect(await first()).toBe(false)

  const second = await signInElsewhere()
  await page.goto(`${address}/settings/sign-in-methods`)
  const form = page.getByRole("form", { name: "Change the password" })
  await form.getByLabel("Current password").fill("not the password")
  await form.getByLabel("New password").fill("another horse battery")
  await form.getByRole("button", { name: "Change the password" }).click()
  await expect(form.getByRole("alert")).toBeVisible()
  expect(await second()).toBe(true)
  await form.getByLabel("Current password").fill(password)
  await form.getByRole("button", { name: "Change the password" }).click()
  await expect(form.getByRole("alert")).toHaveCount(0)
  await expect(form.getByLabel("Current password")).toHaveValue("")
  expect(await second()).toBe(false)
  await page.goto(`${address}/settings/sign-ins`)
  await expect(page.getByRole("list", { name: "Sign-ins" }).getByRole("listitem")).toHaveCount(1)
})

test("directories, visibility and the limit are set; unknown directories are refused", async ({
  browser,
  team,
  address,
  directory,
}) => {
  const owner = await firstOwner(team)
  const page = await browserOf(browser, owner)
  await page.goto(`${address}/settings/workspace`)
  const root = page.getByRole("textbox", { name: "Directory that projects may lie in" })
  await root.fill("/nowhere/at/all")
  await page.getByRole("button", { name: "Allow only this one" }).click()
  await expect(page.getByText("There is no directory /nowhere/at/all.")).toBeVisible()
  await root.fill(directory.directory)
  await page.getByRole("button", { name: "Allow only this one" }).click()
  await expect(rowOf(page, "Directories", directory.directory)).toHaveCount(1)
  await page.getByRole("radiogroup", { name: "New sessions are seen by" }).getByText("Only who starts it").click()
  await page.getByRole("radiogroup", { name: "What runs for somebody who is removed" }).getByText("Stops").click()
  await page.getByRole("textbox", { name: /^Sessions that work/ }).fill("3")
  const save = page.getByRole("region", { name: "How much works at once" }).getByRole("button", { name: "Save" })
  await save.click()
  const stored = async () => Answer.parse(await (await owner.get("/api/trpc/workspace.get")).json()).result.data
  const changes = { roots: [directory.directory], visibility: "author", turns: 3, whenRemoved: "stop" }
  await expect.poll(stored).toMatchObject(changes)
  await expect(page.getByText("Changed by A you", { exact: true })).toBeVisible()
  await expect(save).toBeDisabled()

  const viewer = await browserOf(browser, (await joinTeam(team, owner, "Eve", "viewer")).browser)
  await viewer.goto(`${address}/settings/workspace`)
  await expect(rowOf(viewer, "Directories", directory.directory)).toHaveCount(1)
  await expect(viewer.getByRole("main").getByText("You are a viewer.")).toBeVisible()
  await expect(viewer.getByRole("button", { name: /^Remove/ })).toHaveCount(0)
  await expect(viewer.getByRole("textbox", { name: /^Sessions that work/ })).toBeDisabled()
})

test("a session is hidden from others by its menu, and shown again", async ({ browser, team, address, directory }) => {
  const owner = await firstOwner(team)
  const { browser: ben } = await joinTeam(team, owner, "Ben", "admin")
  const call = async (procedure: string, data: object) => {
    const answer = await owner.post(`/api/trpc/${procedure}`, { data })
    return AnswerWithID.parse(await answer.json()).result.data.id
  }
  const projectID = await call("project.open", { directory: directory.directory })
  const sessionID = await call("session.create", { projectID, title: "A first try" })
  const statusForBen = async () => {
    const input = encodeURIComponent(JSON.stringify({ sessionID }))
    return (await ben.get(`/api/trpc/session.get?input=${input}`)).status()
  }
  const page = await browserOf(browser, owner)
  await page.goto(`${address}/s/${sessionID}`)
  const choose = async (item: string) => {
    await page.getByRole("main").getByRole("button", { name: "Actions for A first try" }).click()
    await page.getByRole("menuitem", { name: item }).click()
  }
  expect(await statusForBen()).toBe(200)
  await choose("Hide from others")
  await expect(page.getByText("Only you", { exact: true })).toBeVisible()
  expect(await statusForBen()).toBe(404)
  await choose("Show to everybody")
  await expect(page.getByText("Only you", { exact: true })).toHaveCount(0)
  expect(await statusForBen()).toBe(200)
})

test("a session begins hidden when its author or the workspace says so", async ({ browser, team, address }) => {
  const owner = await firstOwner(team)
  const { browser: ben } = await joinTeam(team, owner, "Ben", "admin")
  const seenByBen = async () => {
    const answer = await ben.get("/api/trpc/session.list?input=%7B%7D")
    const { items } = (await answer.json()).result.data
    return items.map(({ session }: { session: { id: string } }) => session.id)
  }
  const page = await browserOf(browser, owner)
  const begin = async (prompt: string) => {
    await page.getByRole("textbox", { name: "Prompt" }).fill(prompt)
    await page.getByRole("textbox", { name: "Prompt" }).press("Enter")
    await page.waitForURL(/\/s\/ses_/)
    return sessionOf(page)
  }
  const seenBy = page.getByRole("button", { name: /^Seen by:/ })
  const choose = async (name: RegExp) => {
    await seenBy.click()
    await page.getByRole("menuitem", { name }).click()
  }
  await page.goto(address)
  await expect(seenBy).toHaveAccessibleName("Seen by: Everybody here")
  await choose(/^Only me/)
  await expect(seenBy).toHaveAccessibleName("Seen by: Only me")
  const hidden = await begin("Nobody else reads this")
  expect(await seenByBen()).toEqual([])
  await expect(page.getByText("Only you", { exact: true })).toBeVisible()
  const row = page.getByRole("treeitem", { name: /only you see it/ })
  await expect(row).toHaveCount(1)
  await expect(row).toHaveAttribute("data-session", hidden)
  await page.goto(`${address}/search?q=Nobody`)
  await expect(page.getByRole("main").getByRole("heading", { name: /only you see it/ })).toHaveCount(1)

  await callAs(owner, "workspace.update", { visibility: "author" })
  await page.goto(address)
  await expect(seenBy).toHaveAccessibleName("Seen by: Only me")
  await choose(/^Everybody here/)
  const shown = await begin("Everybody reads this")
  expect(await seenByBen()).toEqual([shown])
  await expect(row).toHaveCount(1)
})

test("axe finds nothing on team pages, light and dark, wide and phone", async ({
  browser,
  team,
  address,
  directory,
}) => {
  test.slow()
  const page = await browserOf(browser, await fillTeam(team, directory.directory))
  const found: Record<string, string[]> = {}
  for (const [index, { name, path, open }] of teamPages().entries()) {
    for (const width of widthsOf(index)) {
      await openAtWidth(page, address + path, width)
      await expect(page.getByRole("heading").first()).toBeVisible()
      await open?.(page)
      await expect(page.getByText(/^Loading/)).toHaveCount(0)
      const list = await findViolationsInLightAndDark(page)
      if (list.length > 0) found[`${name}, ${width} px`] = list
    }
  }
  expect(found).toEqual({})
})
