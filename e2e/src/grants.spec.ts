import type { Answer } from "./fixtures/scripted-model.ts"
import { begin, expect, idle, send, sessionOf, test } from "./fixtures/test.ts"

test.use({ shared: true, config: { permission: { bash: "ask" } } })

const tag = (name: string): Answer[] => [
  { calls: [{ tool: "bash", args: { command: `git tag ${name}`, description: `Tag ${name}` } }] },
  { text: `Tagged ${name}.` },
]

const write: Answer[] = [
  { calls: [{ tool: "write", args: { filePath: "notes.md", content: "Written.\n" } }] },
  { text: "Nothing was written." },
]

test("a project's permanent permission counts until revoked; Alt+P chooses a preset", {
  tag: "@journey",
}, async ({ desk, client, model, project, server }) => {
  model.script({ "Tag one": tag("one"), "Tag two": tag("two"), "Tag three": tag("three"), "Write it down": write })
  const card = desk.getByRole("region", { name: "build wants to run a command" })
  await begin(desk, "Tag one")
  await card.getByRole("combobox", { name: /always/ }).selectOption({ label: "in this project" })
  await card.getByRole("button", { name: "Always in this project" }).click()
  await expect(desk.getByText("Tagged one.")).toBeVisible()

  await desk.goto(server.url)
  await begin(desk, "Tag two")
  await expect(desk.getByText("Tagged two.")).toBeVisible()

  await desk.goto(`${server.url}/settings`)
  const listed = desk.getByRole("list", { name: "In projects and everywhere" }).getByRole("listitem")
  await expect(listed).toHaveCount(1)
  await expect(listed).toContainText("Tag one")
  await listed.getByRole("button", { name: /^Revoke/ }).click()
  await expect(listed).toHaveCount(0)

  const trial = desk.getByRole("form", { name: "Try the rules" })
  await trial.getByLabel("May").selectOption("explore")
  await expect(trial.getByLabel("working for")).toHaveValue("build")
  await trial.getByLabel("What").fill("git log && git push origin main")
  await trial.getByRole("button", { name: "Try" }).click()
  const judged = trial.getByRole("listitem")
  await expect(judged).toHaveText([
    /git log/,
    /^Asks you.*git push origin main.*Asks before it may run commands.*docket\.json/,
  ])
  await trial.getByLabel("do this").selectOption({ label: "change the file" })
  await trial.getByLabel("What").fill("src/main.js")
  await trial.getByRole("button", { name: "Try" }).click()
  await expect(judged).toHaveText([/^Refused.*src\/main\.js.*built in/])

  await desk.goto(server.url)
  await begin(desk, "Tag three")
  await card.getByRole("button", { name: "Reject", exact: true }).click()
  await idle(desk)

  // The key goes through the presets: ask for everything, edit freely, plan only, trust in the sandbox, by the rules.
  const preset = desk.getByRole("button", { name: /^Permissions:/ })
  await expect(preset).toHaveAccessibleName("Permissions: By the rules")
  await desk.keyboard.press("Alt+P")
  await desk.keyboard.press("Alt+P")
  await desk.keyboard.press("Alt+P")
  await expect(preset).toHaveAccessibleName("Permissions: Plan only")
  // The choice is saved after a pause without keys, or when the user leaves the page.
  const { pathname: session } = new URL(desk.url())
  const sessionID = sessionOf(desk)
  await desk.reload()
  await expect.poll(() => client.session.get.query({ sessionID }).then(({ preset }) => preset?.name)).toBe("plan")
  await desk.goto(server.url + session)
  await expect(preset).toHaveAccessibleName("Permissions: Plan only")
  await send(desk, "Write it down")
  await expect(desk.getByText("Nothing was written.")).toBeVisible()
  await expect(project.read("notes.md")).rejects.toThrow()
})
