import type { Answer } from "./fixtures/scripted-model.ts"
import { begin, expect, send, test } from "./fixtures/test.ts"

test.use({ shared: true })

const call = (args: Record<string, unknown>, text: string): Answer[] => [{ calls: [{ tool: "bash", args }] }, { text }]

test.beforeEach(async ({ client }) => {
  const { state, reason } = await client.sandbox.state.query()
  test.skip(state !== "on", `there is no sandbox here: ${reason}`)
})

test("a card grants a failed command the file it could not read", async ({ desk, model, project, server }) => {
  await project.write(".env", "TOKEN=hunter2\n")
  await project.write("run.sh", "cat .env\n")
  const command = { command: "sh run.sh", description: "Run it" }
  const again = { ...command, read: [".env"] }
  model.script({ One: call(command, "It failed."), Two: call(again, "It ran."), Three: call(command, "It ran again.") })
  await begin(desk, "One")
  await expect(desk.getByText("It failed.")).toBeVisible()
  await expect(desk.getByText("no leave to read: .env")).toBeVisible()

  await send(desk, "Two")
  const card = desk.getByRole("region", { name: "build wants to let this command read .env" })
  await expect(card).toContainText(".env is a file of a kind that often holds secrets.")
  await expect(card).toContainText("sh run.sh < .env")
  const reach = card.getByRole("combobox", { name: /always/ })
  await expect(reach.getByRole("option")).toHaveText(["for this session", "in this project"])
  await reach.selectOption({ label: "in this project" })
  await card.getByRole("button", { name: "Always in this project" }).click()
  await expect(desk.getByText("It ran.")).toBeVisible()

  await desk.goto(server.url)
  await begin(desk, "Three")
  await expect(desk.getByText("It ran again.")).toBeVisible()
  await expect(desk.getByText("no leave to read: .env")).toHaveCount(0)
})

test("configuration moved aside is allowed on the card and revoked in Settings", async ({
  desk,
  model,
  project,
  server,
}) => {
  const make = { command: "mkdir .vscode && echo wanted > .vscode/settings.json", description: "Set up the editor" }
  model.script({ One: call(make, "It is set up.") })
  await begin(desk, "One")
  await expect(desk.getByText("It is set up.")).toBeVisible()
  await expect(project.read(".vscode/settings.json")).rejects.toThrow()
  await desk.getByRole("button", { name: /Set up the editor/ }).click()
  const leftFiles = desk.getByRole("region", { name: "Left by this command" })
  await leftFiles.getByRole("button", { name: "Allow .vscode" }).click()
  await expect(leftFiles.getByRole("listitem")).toContainText("allowed")
  expect(await project.read(".vscode/settings.json")).toBe("wanted\n")

  await desk.goto(`${server.url}/settings`)
  const listed = desk.getByRole("list", { name: "In projects and everywhere" }).getByRole("listitem")
  await expect(listed).toContainText("leave, as a command left it: .vscode")
  await listed.getByRole("button", { name: /^Revoke/ }).click()
  await expect(listed).toHaveCount(0)
})
