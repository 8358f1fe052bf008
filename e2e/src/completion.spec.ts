import { findViolationsInLightAndDark } from "./fixtures/find-violations.ts"
import { begin, expect, test } from "./fixtures/test.ts"

/** An MCP server with a prompt, and resources whose addresses have a gap. It proposes values for both. */
const server = `
const { createInterface } = require("node:readline")
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n")
const tables = ["users", "user_roles", "orders"]
const cities = ["Paris", "Porto", "New York"]
const answers = {
  initialize: () => ({
    protocolVersion: "2025-06-18",
    capabilities: { prompts: {}, resources: {}, completions: {} },
    serverInfo: { name: "atlas", version: "1" },
  }),
  "prompts/list": () => ({
    prompts: [{ name: "weather", arguments: [{ name: "city", required: true }, { name: "day" }] }],
  }),
  "prompts/get": ({ arguments: { city } }) => ({
    messages: [{ role: "user", content: { type: "text", text: "What is the weather in " + city } }],
  }),
  "resources/list": () => ({ resources: [{ uri: "doc://guide", name: "The guide" }] }),
  "resources/templates/list": () => ({ resourceTemplates: [{ uriTemplate: "db://table/{table}", name: "A table" }] }),
  "resources/read": ({ uri }) => ({ contents: [{ uri, text: "All about " + uri }] }),
  "completion/complete": ({ argument: { name, value } }) => ({
    completion: { values: (name === "table" ? tables : cities).filter((one) => one.startsWith(value)) },
  }),
}
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const result = answers[method]?.(params)
  say(result === undefined ? { id, error: { code: -32601, message: "no" } } : { id, result })
})
`

test.use({ config: { mcp: { atlas: { type: "local", command: [process.execPath, "-e", server] } } } })

test("resources and values of a server are completed while typing", async ({ desk, model, client, projectID }) => {
  model.script({
    first: [{ text: "Nothing to do." }],
    "Read @atlas": [{ text: "It is about users." }],
    "What is the weather": [{ text: "It rains." }],
  })
  await begin(desk, "first")
  await expect(desk.getByText("Nothing to do.")).toBeVisible()
  // The first turn starts it in the background.
  await client.extension.start.mutate({ projectID, kind: "mcp", name: "atlas" })
  const prompt = desk.getByRole("textbox", { name: "Prompt" })
  const list = desk.getByRole("listbox")
  const option = (name: string | RegExp) => list.getByRole("option", { name })

  await prompt.pressSequentially("Read @atl")
  await expect(option("atlas:")).toBeVisible()
  await desk.keyboard.press("Enter")
  await expect(prompt).toHaveValue("Read @atlas:")
  await expect(option(/doc:\/\/guide/)).toBeVisible()
  await option(/db:\/\/table\//).click()
  await expect(option(/db:\/\/table\/orders/)).toBeVisible()
  await prompt.pressSequentially("use")
  await expect(list.getByRole("option")).toHaveCount(2)
  for (const width of [1440, 390]) {
    await desk.setViewportSize({ width, height: 844 })
    expect(await findViolationsInLightAndDark(desk)).toEqual([])
  }
  await desk.keyboard.press("Enter")
  await expect(prompt).toHaveValue("Read @atlas:db://table/users ")
  await desk.keyboard.press("Enter")
  await expect(desk.getByText("It is about users.")).toBeVisible()
  expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain("All about db://table/users")

  await prompt.pressSequentially("/atlas:weather N")
  await expect(option("New York")).toBeVisible()
  await desk.keyboard.press("Tab")
  await expect(prompt).toHaveValue('/atlas:weather "New York" ')
  // The next argument is optional, and nothing is chosen for it: Enter sends.
  await expect(option("Paris")).toBeVisible()
  await desk.keyboard.press("Enter")
  await expect(desk.getByText("It rains.")).toBeVisible()
  expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain("What is the weather in New York")
})
