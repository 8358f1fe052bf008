import type { APIRequestContext, Browser, Page } from "@playwright/test"
import { createAccount } from "./fixtures/signed-out.ts"
import type { TeamServer } from "./fixtures/team-people.ts"
import { test } from "./fixtures/team-test.ts"
import { begin, expect, loaded, send, sessionOf } from "./fixtures/test.ts"

test.use({ config: { permission: { bash: "ask" } } })

const task = { tool: "task", args: { description: "Find the callers", prompt: "List them", subagent_type: "explore" } }
const push = { tool: "bash", args: { command: "git push origin main", description: "Push it" } }
const script = {
  "Tidy the greeting": [{ calls: [task] }, { text: "It is tidy now." }],
  "List them": [{ text: "There are two of them." }],
  "Push it out": [{ calls: [push] }, { text: "It is out." }],
}

/** A user follows their invitation link in their own browser, to the inbox. */
async function joinByLink(browser: Browser, owner: APIRequestContext, name: string, role: string): Promise<Page> {
  const email = `${name.toLowerCase()}@example.org`
  const invited = await owner.post("/api/trpc/team.invite", { data: { email, role } })
  const { result } = (await invited.json()) as { result: { data: { url: string } } }
  const link = result.data.url
  const page = await (await browser.newContext({ baseURL: new URL(link).origin })).newPage()
  await page.goto(link)
  await createAccount(page, name)
  await loaded(page)
  return page
}

async function personOf(page: Page): Promise<string> {
  const asked = await page.request.get("/api/trpc/me.get")
  return ((await asked.json()) as { result: { data: { person: string } } }).result.data.person
}

/** Calls a procedure like a page of the service does. */
async function call(page: Page, server: TeamServer, procedure: string, data: object) {
  const { origin } = new URL(server.loginUrl)
  const headers = { origin, "sec-fetch-site": "same-origin" }
  return await page.request.post(`${origin}/api/trpc/${procedure}`, { data, headers })
}

/** Names of controls that change something. */
const writes =
  /^(Send|Queue|Stop|Share…|New session|Open project|Open a project|Add|New schedule|New agent|Run on…|Change it here…|Add key for .*|Change key for .*|Look for local servers|Undo from .*|Comment.*|Approve.*|Needs changes|Reject.*|Viewed|Allow once|Answer|Resolve|Take back|Read at the next step|Move forward|Import a session…|Cancel task .*|Run task .*|Go on with task .*|Select|Revoke.*)$/

test("members prompt by name, reviewers judge, viewers can change nothing", {
  tag: "@journey",
}, async ({ browser, client, model, owner, server }) => {
  test.slow()
  model.script(script)
  const bo = await joinByLink(browser, owner, "Bo", "member")
  const rita = await joinByLink(browser, owner, "Rita", "reviewer")
  const vic = await joinByLink(browser, owner, "Vic", "viewer")
  await expect(bo.getByRole("button", { name: /^Signed in as\s+Bo\s+member$/ })).toBeVisible()

  await begin(bo, "Tidy the greeting")
  const rootID = sessionOf(bo)
  for (const page of [rita, vic]) {
    await page.goto(`/s/${rootID}`)
    await expect(page.getByText("It is tidy now.")).toBeVisible()
    const prompt = page.getByRole("article", { name: "Prompt: Tidy the greeting" })
    await expect(prompt.getByText("Bo", { exact: true })).toBeVisible()
    await expect(page.getByRole("textbox", { name: "Prompt" })).toHaveCount(0)
  }
  await expect(rita.getByText("You read along, comment and judge.")).toBeVisible()
  await expect(vic.getByText("You read along. Prompts are for members.")).toBeVisible()

  // All users see a pending request; only those with the right can answer it.
  await send(bo, "Push it out")
  for (const page of [rita, vic]) {
    await expect(page.getByRole("article", { name: "Prompt: Push it out" })).toBeVisible()
    await expect(page.getByText("Waits for an answer by a member.")).toBeVisible()
    await expect(page.getByRole("button", { name: "Allow once" })).toHaveCount(0)
    await page.keyboard.press("Alt+y")
  }
  await bo.getByRole("button", { name: "Allow once" }).click()
  await expect(vic.getByText("Waits for an answer by a member.")).toHaveCount(0)
  await expect(vic.getByText("It is out.")).toBeVisible()
  await expect(vic.getByText("Bo allowed once")).toHaveCount(0)

  // A reviewer comments on the session and judges its task.
  await rita.getByRole("tab", { name: /Comments/ }).click()
  await rita.getByRole("button", { name: "Comment on this session" }).click()
  await rita.getByLabel("Comment", { exact: true }).fill("Tidy indeed.")
  await rita.getByRole("button", { name: "Post" }).click()
  await vic.getByRole("tab", { name: /Comments/ }).click()
  await expect(vic.getByRole("article", { name: "Comment of Rita" })).toContainText("Tidy indeed.")
  const [judged] = await client.task.list.query({ sessionID: rootID })
  await rita.goto(`/review/${rootID}?task=${judged?.id}`)
  await rita.getByRole("button", { name: "Approve", exact: true }).click()
  await expect(rita.getByRole("list", { name: "Verdicts" })).toContainText("You")
  await vic.goto(rita.url())
  await expect(vic.getByRole("list", { name: "Verdicts" })).toContainText("Rita")

  // A viewer's pages have no control or shortcut that changes something.
  const pages = ["/", `/s/${rootID}`, rita.url(), "/s/new", "/todos", "/memory", "/schedules", "/agents"]
  for (const address of [...pages, "/settings/models", "/settings/shares"]) {
    await vic.goto(address)
    await loaded(vic)
    await expect(vic.getByRole("button", { name: writes })).toHaveCount(0)
    await vic.keyboard.press("n")
  }
  await expect(vic).toHaveURL(/settings\/shares/)

  // A prompt that the browser sends anyway is refused, with the user's own role as the reason.
  const parts = [{ type: "text", text: "Tidy the greeting" }]
  for (const [page, role] of [
    [vic, "viewer"],
    [rita, "reviewer"],
  ] as const) {
    const refused = await call(page, server, "session.promptAsync", { sessionID: rootID, parts })
    expect(refused.status()).toBe(403)
    expect(await refused.text()).toContain(`You are a ${role}.`)
  }
  const comment = { sessionID: rootID, place: { kind: "session" }, text: "No." }
  expect((await call(vic, server, "review.thread.create", comment)).status()).toBe(403)
})

test("a changed role applies at once; a removed person sees the reason", async ({ browser, model, owner }) => {
  model.script(script)
  const bo = await joinByLink(browser, owner, "Bo", "member")
  const vic = await joinByLink(browser, owner, "Vic", "viewer")
  await begin(bo, "Tidy the greeting")
  await vic.goto(`/s/${sessionOf(bo)}`)
  await expect(vic.getByText("You read along. Prompts are for members.")).toBeVisible()
  const [field, person] = [vic.getByRole("textbox", { name: "Prompt" }), await personOf(vic)]

  await owner.post("/api/trpc/team.setRole", { data: { person, role: "member" } })
  await expect(field).toBeVisible()
  await field.fill("What I began to write")
  await owner.post("/api/trpc/team.setRole", { data: { person, role: "viewer" } })
  await expect(vic.getByText("You read along. Prompts are for members.")).toBeVisible()
  await expect(field).toHaveCount(0)
  // A user whose role is restored finds their draft again.
  await owner.post("/api/trpc/team.setRole", { data: { person, role: "member" } })
  await expect(field).toHaveValue("What I began to write")

  await owner.post("/api/trpc/team.remove", { data: { person } })
  await expect(vic).toHaveURL(/\/login\?/)
  await expect(vic.getByText(/you were removed from the workspace/)).toBeVisible()
  await expect(bo.getByRole("textbox", { name: "Prompt" })).toBeVisible()
})
