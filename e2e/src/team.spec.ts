import { appCode } from "@docket/config/app-code"
import type { Browser, Page } from "@playwright/test"
import { createGate } from "./fixtures/gate.ts"
import { signInThere } from "./fixtures/identity-provider.ts"
import { createAccount, expectSignedIn, forget, newBrowser, setUpCodes, typePassword } from "./fixtures/signed-out.ts"
import { adasSignIn, callAs, teamBrowser } from "./fixtures/team-people.ts"
import { providerTest as test } from "./fixtures/team-test.ts"
import { begin, expect, loaded, send, sessionOf } from "./fixtures/test.ts"

test.use({ config: { permission: { bash: "ask" } } })

const task = { tool: "task", args: { description: "Find the callers", prompt: "List them", subagent_type: "explore" } }
const push = { tool: "bash", args: { command: "git push origin main", description: "Push it" } }

const inputOf = (input: object) => encodeURIComponent(JSON.stringify(input))

/** Subscribes on a page to the events for its lists, from now on. Returns a function that reads what arrived so far. */
async function listen(page: Page): Promise<() => Promise<string>> {
  const heard = await page.evaluateHandle(
    async (input) => {
      const { body } = await fetch(`/api/trpc/event.subscribe?input=${input}`)
      const all = { text: "" }
      const write = (chunk: string) => {
        all.text += chunk
      }
      void body?.pipeThrough(new TextDecoderStream()).pipeTo(new WritableStream({ write }))
      return all
    },
    inputOf({ others: true }),
  )
  return () => heard.evaluate(({ text }) => text)
}

/** The owner creates an invitation in the settings and copies its link. */
async function invite(page: Page, email: string, role: string): Promise<string> {
  await page.getByRole("button", { name: "Invite", exact: true }).click()
  await page.getByRole("textbox", { name: "E-mail" }).fill(email)
  await page.getByRole("combobox", { name: "As", exact: true }).selectOption(role)
  await page.getByRole("button", { name: "Make the invitation" }).click()
  const made = page.getByRole("region", { name: `Invitation for ${email}` })
  const link = await made.getByRole("textbox", { name: "Link" }).inputValue()
  await made.getByRole("button", { name: "Done" }).click()
  return link
}

/** Three users join in different ways: with a password, with a provider's account, and with an authenticator app. */
async function joinThree(browser: Browser, members: Page, origin: string) {
  const bo = await newBrowser(browser, await invite(members, "bo@example.org", "member"))
  await createAccount(bo, "Bo")
  await invite(members, "rita@example.org", "reviewer")
  const rita = await newBrowser(browser, `${origin}/login`)
  await rita.getByRole("button", { name: "Sign in with Example" }).click()
  await signInThere(rita, "rita@example.org")
  await expectSignedIn(rita)
  const vic = await newBrowser(browser, await invite(members, "vic@example.org", "viewer"))
  await createAccount(vic, "Vic")
  await vic.goto(`${origin}/settings/sign-in-methods`)
  const account = { email: "vic@example.org", password: "Vic has a password" }
  const app = await setUpCodes(vic, account)
  await vic.getByLabel("The code that the app shows").fill(appCode(app))
  await vic.getByRole("button", { name: "Turn on" }).click()
  await vic.getByRole("button", { name: "I keep them" }).click()
  await forget(vic)
  await vic.goto(`${origin}/login`)
  await typePassword(vic, account)
  await vic.getByLabel("Code").fill(appCode(app, 1))
  await vic.getByRole("button", { name: "Sign in" }).click()
  await expectSignedIn(vic)
  return { bo, rita, vic }
}

test("three people see each other's work live; other workspaces stay hidden", async ({
  browser,
  elsewhere,
  model,
  origin,
  owner,
  server,
}) => {
  test.slow()
  const [answer, stay] = [createGate(), createGate()]
  model.script({
    "Tidy the greeting": [{ calls: [task] }, { text: "It is tidy now.", gate: answer }],
    "List them": [{ text: "There are two of them." }],
    "Push it out": [{ calls: [push] }, { text: "It is out." }],
    "Stay on it": [{ text: "Still there.", gate: stay }],
  })
  // The page of Ada, the owner, first at the members.
  const members = await (await browser.newContext({ storageState: await owner.storageState() })).newPage()
  await members.goto(`${origin}/settings/members`)
  const { bo, rita, vic } = await joinThree(browser, members, origin)

  // A member prompts; the others see at once who it was, what is queued, and who withdrew it.
  await bo.goto(origin)
  await loaded(bo)
  await begin(bo, "Tidy the greeting")
  const rootID = sessionOf(bo)
  for (const page of [rita, vic]) {
    await page.goto(`${origin}/s/${rootID}`)
    const prompt = page.getByRole("article", { name: "Prompt: Tidy the greeting" })
    await expect(prompt.getByText("Bo", { exact: true })).toBeVisible()
  }
  const presenceOf = (page: Page, name: RegExp) =>
    page.getByRole("list", { name: "Also here" }).getByRole("link", { name })
  await expect(presenceOf(rita, /^Bo/)).toBeVisible()
  // A phone has one button for everybody who is here. It opens the list of their places, also by keyboard.
  await rita.setViewportSize({ width: 390, height: 844 })
  const opener = rita.getByRole("button", { name: "Also here: 2 people", exact: true })
  await opener.press("Enter")
  const here = rita.getByRole("dialog", { name: "Also here" })
  await expect(here.getByRole("link")).toHaveText([/^BBo\s*reads “.+”$/, /^VVic\s*reads “.+”$/])
  await expect(here.getByRole("link", { name: /^Bo/ })).toBeFocused()
  await rita.keyboard.press("Escape")
  await expect(opener).toBeFocused()
  await rita.setViewportSize({ width: 1440, height: 900 })
  await send(bo, "Never mind this one")
  const queue = (page: Page) => page.getByRole("list", { name: "Queued prompts" })
  for (const page of [rita, vic]) {
    await expect(queue(page)).toContainText("Bo")
    await expect(queue(page)).toContainText("Never mind this one")
    await expect(queue(page).getByRole("button")).toHaveCount(0)
  }
  await members.goto(`${origin}/s/${rootID}`)
  await queue(members).getByRole("button", { name: "Take back" }).click()
  for (const page of [bo, rita, vic]) await expect(queue(page)).toContainText("took back “Never mind this one”")
  await expect(queue(bo)).toContainText("Ada")
  await queue(bo).getByRole("button", { name: "Dismiss" }).click()
  await expect(queue(bo)).toHaveCount(0)
  answer.open()
  for (const page of [rita, vic]) await expect(page.getByText("It is tidy now.")).toBeVisible()

  // An answered permission request shows who allowed it.
  await send(bo, "Push it out")
  await expect(vic.getByText("Waits for an answer by a member.")).toBeVisible()
  await members.getByRole("button", { name: "Allow once" }).click()
  for (const page of [bo, rita, vic]) await expect(page.getByText("allowed by A Ada", { exact: true })).toBeVisible()
  await expect(members.getByText("allowed by A you", { exact: true })).toBeVisible()

  // A reviewer comments and judges, and the viewer can read it.
  await rita.getByRole("tab", { name: /Comments/ }).click()
  await rita.getByRole("button", { name: "Comment on this session" }).click()
  await rita.getByLabel("Comment", { exact: true }).fill("Tidy indeed.")
  await rita.getByRole("button", { name: "Post" }).click()
  await vic.getByRole("tab", { name: /Comments/ }).click()
  await expect(vic.getByRole("article", { name: "Comment of rita" })).toContainText("Tidy indeed.")
  const tasks = await rita.request.get(`${origin}/api/trpc/task.list?input=${inputOf({ sessionID: rootID })}`)
  const { result } = (await tasks.json()) as { result: { data: { id: string }[] } }
  await rita.goto(`${origin}/review/${rootID}?task=${result.data[0]?.id}`)
  await rita.getByRole("button", { name: "Approve", exact: true }).click()
  await vic.goto(rita.url())
  await expect(vic.getByRole("list", { name: "Verdicts" })).toContainText("rita")
  await expect(vic.getByRole("button", { name: /^(Approve|Needs changes|Reject|Comment|Viewed)/ })).toHaveCount(0)

  // A prompt, which the viewer's page does not offer, is refused with the reason when the browser sends it.
  const headers = { origin, "sec-fetch-site": "same-origin" }
  const post = (page: Page, procedure: string, data: object) =>
    page.request.post(`${origin}/api/trpc/${procedure}`, { data, headers })
  const read = (page: Page, procedure: string, input: object) =>
    page.request.get(`${origin}/api/trpc/${procedure}?input=${inputOf(input)}`, { headers })
  const prompt = { sessionID: rootID, parts: [{ type: "text", text: "Tidy the greeting" }] }
  const refused = await post(vic, "session.promptAsync", prompt)
  expect([refused.status(), await refused.text()]).toEqual([403, expect.stringContaining("You are a viewer.")])

  // A second workspace with only Ada: its content cannot be found, read or received here, and the reverse.
  const heard = await listen(bo)
  const there = await teamBrowser(server)
  await there.post("/api/auth/sign-in/email", { data: adasSignIn })
  const globex = await callAs<{ id: string }>(there, "workspace.create", { name: "Globex" })
  await callAs(there, "workspace.switch", { workspace: globex.id })
  await callAs(there, "workspace.update", { roots: [elsewhere.directory] })
  const { id: projectID } = await callAs<{ id: string }>(there, "project.open", { directory: elsewhere.directory })
  const foreign = await callAs<{ id: string }>(there, "session.create", { projectID, title: "Zanzibar" })
  const link = await callAs<{ id: string }>(there, "share.create", { rootID: foreign.id })
  await callAs(owner, "session.update", { sessionID: rootID, title: "The greeting, renamed" })
  await expect.poll(heard).toContain("The greeting, renamed")
  expect(await heard()).not.toMatch(new RegExp(`Zanzibar|${foreign.id}`))
  await vic.goto(origin)
  await loaded(vic)
  await expect(vic.getByRole("navigation", { name: "Sessions" })).toContainText("The greeting, renamed")
  await expect(vic.getByText("Zanzibar")).toHaveCount(0)
  for (const [procedure, input] of [
    ["session.get", { sessionID: foreign.id }],
    ["session.tree", { sessionID: foreign.id }],
    ["session.messages", { sessionID: foreign.id }],
  ] as const)
    expect([procedure, (await read(bo, procedure, input)).status()]).toEqual([procedure, 404])
  expect((await post(bo, "session.promptAsync", { ...prompt, sessionID: foreign.id })).status()).toBe(404)
  expect((await post(bo, "share.revoke", { shareID: link.id })).status()).toBe(404)
  for (const [procedure, input] of [
    ["session.list", {}],
    ["session.list", { search: "Zanzibar" }],
    ["search.find", { text: "Zanzibar" }],
    ["share.list", {}],
    ["project.list", {}],
  ] as const)
    expect(await (await read(bo, procedure, input)).text()).not.toMatch(new RegExp(`Zanzibar|${foreign.id}|${link.id}`))
  const seenThere = await there.get(`/api/trpc/session.list?input=%7B%7D`)
  expect(await seenThere.text()).not.toContain("The greeting")

  // A member is removed: their page says why, their queued prompts are withdrawn, and their name stays on what they
  // did.
  await send(bo, "Stay on it")
  await stay.reached
  await send(bo, "Then this")
  await rita.goto(`${origin}/s/${rootID}`)
  await expect(queue(rita)).toContainText("Then this")
  await members.goto(`${origin}/settings/members`)
  await members.getByRole("button", { name: "Actions for Bo" }).click()
  await members.getByRole("menuitem", { name: "Remove from the workspace…" }).click()
  await members.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click()
  await bo.waitForURL(/\/login\?/)
  await expect(members.getByRole("list", { name: "What they left" }).getByRole("listitem")).toHaveText([
    "1 prompt that waited was withdrawn",
    "1 running turn goes on to its end",
  ])
  await expect(bo.getByText(/you were removed from the workspace/)).toBeVisible()
  expect((await read(bo, "session.get", { sessionID: rootID })).status()).toBe(401)
  await expect(queue(rita)).toHaveCount(0)
  await expect(presenceOf(rita, /^Bo/)).toHaveCount(0)
  stay.open()
  await expect(rita.getByText("Still there.")).toBeVisible()
  await rita.reload()
  const promptOfBo = rita.getByRole("article", { name: "Prompt: Stay on it" })
  await expect(promptOfBo.getByText("Bo", { exact: true })).toBeVisible()
  await expect(rita.getByText("Former member")).toHaveCount(0)
})
