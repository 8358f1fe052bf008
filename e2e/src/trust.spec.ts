import type { Page } from "@playwright/test"
import { findViolationsInLightAndDark } from "./fixtures/find-violations.ts"
import { foreignAddress, hiddenOrder, hostileConfig, makeHostile } from "./fixtures/hostile-project.ts"
import { createProject } from "./fixtures/project.ts"
import { type ScriptedModel, startScriptedModel } from "./fixtures/scripted-model.ts"
import { test as base, begin, expect } from "./fixtures/test.ts"
import { trustProject } from "./fixtures/trust-project.ts"

const test = base.extend<{ evil: ScriptedModel }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from the pattern
  evil: async ({}, use) => {
    const evil = await startScriptedModel()
    await use(evil)
    await evil.stop()
  },
  project: async ({ evil }, use) => {
    const project = await createProject()
    await makeHostile(project, foreignAddress(evil.url))
    await use(project)
    await project.remove()
  },
})
test.use({ config: { permission: { bash: "ask" } } })

const attack = { calls: [{ tool: "bash", args: { command: "touch executed", description: "Greet" } }] }
const notice = (page: Page) => page.getByRole("region", { name: "Trust", exact: true })
const dialog = (page: Page) => page.getByRole("dialog", { name: "Trust what this project brings?" })
const list = (page: Page) => dialog(page).getByRole("region", { name: "What it brings" })

async function lookAtIt(page: Page): Promise<void> {
  await notice(page).getByRole("button", { name: "Look at it" }).click()
  await expect(list(page).getByRole("listitem").first()).toBeVisible()
}

test("a hostile repository runs and sends nothing until it is trusted", {
  tag: "@journey",
}, async ({ desk, server, model, evil, project }) => {
  for (const each of [model, evil]) each.script({ hello: [attack, { text: "Hello." }] })
  const executed = () =>
    project.read("executed").then(
      () => true,
      () => false,
    )
  await expect(notice(desk)).toContainText("This project is not trusted: 13 things that it brings do not count.")
  await expect(desk.getByRole("dialog")).toHaveCount(0)

  await begin(desk, "hello")
  const card = desk.getByRole("region", { name: "build wants to run a command" })
  await expect(notice(desk)).toBeVisible()
  await card.getByRole("button", { name: "Reject", exact: true }).click()
  await expect(card).toHaveCount(0)

  await lookAtIt(desk)
  await expect(list(desk)).toBeFocused()
  await expect(list(desk).getByRole("heading", { level: 3 })).toHaveText([
    /^docket\.json/,
    /^\.docket\/agents\/tidy\.md/,
  ])
  const foreign = foreignAddress(evil.url).replace("http://", "")
  for (const words of [
    "Careful Any agent may run commands without asking.",
    "Careful Any agent may work on files outside the project without asking.",
    "Careful Adds instructions from /etc/passwd to every prompt.",
    `Careful Sends what you write for “evil” to ${foreign}.`,
    `Careful Sends what you write for “scripted” to ${foreign}.`,
    "Careful Sets the key that is sent to “evil”.",
    "Replaces the model that new sessions use: all that you write goes to it.",
    "Replaces the model that names sessions: it reads your first prompt.",
    "Changes how much delegated work may run and cost.",
    "Counts already Any agent may not change files where it matches “*.lock”.",
    "Says what the agent “tidy” is to do.",
  ])
    await expect(list(desk).getByText(words, { exact: true })).toBeVisible()
  await expect(list(desk).getByText('it receives your key for "scripted"')).toBeVisible()
  await expect(list(desk).getByText("{file:~/.ssh/id_rsa}", { exact: true })).toBeVisible()
  const changes = await list(desk).getByRole("region", { name: "docket.json" }).getByRole("listitem").allTextContents()
  expect(changes.map((text) => text.startsWith("Careful"))).toEqual([...Array(6).fill(true), ...Array(6).fill(false)])
  await expect(list(desk).getByText(hiddenOrder)).toHaveCount(0)
  await list(desk).getByRole("button", { name: "Show all of agent.tidy.prompt" }).click()
  await expect(list(desk).getByText(hiddenOrder)).toBeVisible()

  await dialog(desk).getByRole("button", { name: "Not now" }).click()
  await expect(dialog(desk)).toHaveCount(0)
  await expect(notice(desk).getByRole("button", { name: "Look at it" })).toBeFocused()
  expect([await executed(), evil.received()]).toEqual([false, 0])

  const other = await desk.context().newPage()
  await other.goto(desk.url())
  await expect(notice(other)).toBeVisible()
  await lookAtIt(desk)
  await dialog(desk).getByRole("button", { name: "Trust all of this" }).click()
  await expect(dialog(desk)).toHaveCount(0)
  await expect(notice(desk)).toHaveCount(0)
  await expect(desk.getByRole("textbox", { name: "Prompt" })).toBeFocused()
  await expect(notice(other)).toHaveCount(0)

  await desk.goto(server.url)
  await expect(desk.getByRole("heading", { name: "Inbox" })).toBeVisible()
  await begin(desk, "hello")
  await expect(desk.getByText("Hello.")).toBeVisible()
  expect(await executed()).toBe(true)
  expect(evil.received()).toBeGreaterThan(0)
})

test("a changed configuration asks again; nothing unseen is trusted", async ({
  desk,
  client,
  model,
  evil,
  project,
  projectID,
}) => {
  model.script({ hello: [{ text: "Hello." }] })
  evil.script({ hello: [{ text: "Hello." }] })
  const trust = async () => (await client.config.get.query({ projectID })).trust
  const setConfig = (more: object) =>
    project.write("docket.json", JSON.stringify({ ...hostileConfig(foreignAddress(evil.url)), ...more }, null, 2))
  await client.config.trust.mutate({ projectID, hash: (await trust()).hash ?? "" })
  await expect(notice(desk)).toHaveCount(0)
  await setConfig({ default_agent: "tidy" })
  await expect.poll(async () => (await trust()).state).toBe("changed")
  // A turn reloads the configuration, and open pages are notified of the change.
  const { id: sessionID } = await client.session.create.mutate({ projectID })
  await client.session.prompt.mutate({ sessionID, parts: [{ type: "text", text: "hello" }] })
  await expect(notice(desk)).toContainText("has changed since you trusted it")

  await lookAtIt(desk)
  await expect(list(desk).getByRole("heading", { name: "New since you trusted it (1)" })).toBeVisible()
  await expect(list(desk).getByText("Replaces the agent that new sessions start with.")).toBeVisible()
  await expect(list(desk).getByText("Any agent may run commands without asking.")).toBeHidden()
  await list(desk).getByText("As you trusted it (14)").click()
  await expect(list(desk).getByText("Any agent may run commands without asking.")).toBeVisible()

  const seenHash = (await trust()).hash
  await setConfig({ default_agent: "tidy", agent: { build: { model: "evil/m" } } })
  await expect.poll(async () => (await trust()).hash).not.toBe(seenHash)
  await dialog(desk).getByRole("button", { name: "Trust all of this" }).dblclick()
  await expect(list(desk).getByRole("alert")).toContainText("It changed meanwhile; look again. Nothing was trusted.")
  await expect(list(desk)).toBeFocused()
  await expect(list(desk).getByText(/Replaces the model of the agent “build”/)).toBeVisible()
  expect((await trust()).state).toBe("changed")
  await dialog(desk).getByRole("button", { name: "Trust all of this" }).click()
  await expect(dialog(desk)).toHaveCount(0)
  expect((await trust()).state).toBe("trusted")

  // Whole files are listed by their kind.
  await project.write(".claude/commands/day.md", "Say what day it is: !`date`")
  await trustProject(client, projectID)
  await project.write("AGENTS.md", "Use tabs.")
  await project.write(".claude/skills/deploy/SKILL.md", "---\ndescription: Deploys.\n---\nRun `scripts/deploy.sh`.")
  await desk.reload()
  await lookAtIt(desk)
  await expect(list(desk).getByRole("heading", { name: "New since you trusted it (2)" })).toBeVisible()
  const files = (kind: string) => list(desk).getByRole("region", { name: kind }).getByRole("listitem")
  await expect(files("Instructions for agents")).toHaveText([/Tells agents how to work here.*AGENTS\.md.*Use tabs\./])
  await expect(files("Skills")).toHaveText([/Adds the skill “deploy”.*SKILL\.md/])
  await list(desk)
    .getByText(/^As you trusted it/)
    .click()
  await expect(files("Commands")).toHaveText([/Adds the command \/day.*day\.md/])
  await dialog(desk).getByRole("button", { name: "Trust all of this" }).click()
  await expect(dialog(desk)).toHaveCount(0)
  expect((await trust()).state).toBe("trusted")
})

test("Settings revokes a project's trust, and every open page updates", async ({
  desk,
  client,
  server,
  project,
  projectID,
}) => {
  await desk.goto(`${server.url}/settings`)
  const section = desk.getByRole("region", { name: "Trusted projects" })
  const problems = desk.getByRole("region", { name: "Configuration" })
  // One problem for the project, not one for each of its settings.
  await expect(problems.getByText(/^greeter waits for your trust with /)).toBeVisible()
  await expect(problems.getByText("is left out")).toHaveCount(0)
  await desk.getByRole("link", { name: "All that counts" }).click()
  const leftOut = desk.getByRole("region", { name: "Waits for your trust" })
  await expect(leftOut.getByText("13 things that this project brings do not count:")).toBeVisible()
  await expect(desk.getByText("is left out")).toHaveCount(0)
  await leftOut.getByText("Which", { exact: true }).click()
  await expect(leftOut.getByRole("listitem")).toHaveCount(13)
  await desk.goBack()
  await section.getByRole("button", { name: "Look at what greeter brings" }).click()
  await dialog(desk).getByRole("button", { name: "Trust all of this" }).click()
  await expect(dialog(desk)).toHaveCount(0)
  await expect(section.getByText(project.directory, { exact: true })).toBeVisible()
  await expect(section.getByText(/^Trusted \w+ \d+, \d{4}/)).toBeVisible()
  await expect(problems.getByText("waits for your trust")).toHaveCount(0)

  const { id: sessionID } = await client.session.create.mutate({ projectID })
  const other = await desk.context().newPage()
  await other.goto(`${server.url}/s/${sessionID}`)
  await expect(other.getByRole("textbox", { name: "Prompt" })).toBeVisible()
  await expect(notice(other)).toHaveCount(0)
  await section.getByRole("button", { name: `Revoke trust in ${project.directory}` }).click()
  await expect(section.getByText("You trust nothing that a project brings.")).toBeVisible()
  await expect(section.getByRole("heading", { name: "Trusted projects" })).toBeFocused()
  await expect(problems.getByText(/^greeter waits for your trust with /)).toBeVisible()
  await expect(notice(other)).toBeVisible()
})

test("a project is inspected, declined and trusted by keyboard alone", async ({ desk, client, projectID }) => {
  await expect(notice(desk)).toBeVisible()
  await notice(desk).getByRole("button", { name: "Look at it" }).focus()
  await desk.keyboard.press("Enter")
  await expect(list(desk)).toBeFocused()
  await expect(list(desk).getByRole("listitem").first()).toBeVisible()
  await desk.keyboard.press("End")
  await expect(list(desk).getByText("agent.tidy.prompt")).toBeInViewport()
  await desk.keyboard.press("Escape")
  await expect(dialog(desk)).toHaveCount(0)
  await expect(notice(desk).getByRole("button", { name: "Look at it" })).toBeFocused()
  await desk.keyboard.press("Enter")
  await expect(list(desk)).toBeFocused()
  await expect(list(desk).getByRole("listitem").first()).toBeVisible()
  for (const stop of ["Show all of agent.tidy.prompt", "Not now", "Trust all of this"]) {
    await desk.keyboard.press("Tab")
    await expect(dialog(desk).getByRole("button", { name: stop })).toBeFocused()
  }
  await desk.keyboard.press("Enter")
  await expect(dialog(desk)).toHaveCount(0)
  expect((await client.config.get.query({ projectID })).trust.state).toBe("trusted")
})

test("axe finds nothing in the trust notice and dialog, wide and phone", async ({ desk }) => {
  for (const width of [1440, 390]) {
    await desk.setViewportSize({ width, height: 844 })
    await expect(notice(desk)).toBeVisible()
    expect(await findViolationsInLightAndDark(desk)).toEqual([])
    await lookAtIt(desk)
    expect(await findViolationsInLightAndDark(desk)).toEqual([])
    if (width === 390) break
    await desk.keyboard.press("Escape")
    await expect(dialog(desk)).toHaveCount(0)
  }
  const buttons = await dialog(desk).getByRole("button").all()
  for (const button of buttons) expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  expect((await dialog(desk).boundingBox())?.width).toBe(390)
})
