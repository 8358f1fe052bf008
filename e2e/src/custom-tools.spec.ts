import { begin, expect, test } from "./fixtures/test.ts"

const greet = `import { tool } from "@opencode-ai/plugin"
export default tool({
  description: "Greets somebody.",
  args: { name: tool.schema.string() },
  execute: async ({ name }) => ({ title: "Greeted " + name, output: "Hello " + name + ", from a file." }),
})
`

test("a project's tool is trusted, allowed, runs and shows its card", async ({ desk, model, project, server }) => {
  await project.write(".docket/tool/greet.ts", greet)
  await project.write(".docket/tool/broken.ts", "export default {{")
  model.script({
    hello: [{ calls: [{ tool: "greet", args: { name: "Ada" } }] }, { text: "She was greeted." }],
  })
  await desk.goto(server.url)
  const notice = desk.getByRole("region", { name: "Trust", exact: true })
  await expect(notice).toContainText("2 things that it brings do not count")
  await notice.getByRole("button", { name: "Look at it" }).click()
  const dialog = desk.getByRole("dialog", { name: "Trust what this project brings?" })
  await expect(dialog.getByText("Runs as a program when an agent calls it").first()).toBeVisible()
  await dialog.getByRole("button", { name: "Trust all of this" }).click()
  await expect(notice).toHaveCount(0)

  await begin(desk, "hello")
  const card = desk.getByRole("region", { name: /^build wants to/ })
  await expect(card).toContainText("greet")
  await card.getByRole("button", { name: "Allow once" }).click()
  await expect(desk.getByText("She was greeted.")).toBeVisible()
  const call = desk.getByRole("feed").getByRole("button", { name: /Greeted Ada/ })
  await call.click()
  await expect(desk.getByRole("feed").getByText("Hello Ada, from a file.")).toBeVisible()

  await desk.goto(`${server.url}/settings/tools`)
  await expect(desk.getByRole("list", { name: "Tools", exact: true })).toContainText(
    /greetOffered, and asks first: permission greet/,
  )
  await expect(desk.getByRole("list", { name: "Problems of tool files" })).toContainText('"broken" is left out')
})
