import { fileURLToPath } from "node:url"
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { z } from "zod"
import { expect, loaded, test } from "./fixtures/test.ts"

test.use({ config: { agent: { general: { review: "required" } }, permission: { bash: "ask" } } })

const program = fileURLToPath(new URL("../../apps/cli/src/main.js", import.meta.url))
const Answer = z.object({ task: z.string(), state: z.string(), link: z.string(), result: z.string().nullable() })

test("an MCP client's user allows its task, and the desk judges it", async ({ desk, model, server, project }) => {
  model.script({
    "Write the notes": [
      { calls: [{ tool: "bash", args: { command: "echo done > notes.txt", description: "Write notes" } }] },
      { text: "The notes are written." },
    ],
  })
  const asked: string[] = []
  const client = new Client({ name: "editor", version: "1.0.0" }, { capabilities: { elicitation: { form: {} } } })
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    asked.push(params.message)
    return { action: "accept", content: { answer: "once" } }
  })
  const args = [program, "mcp", "serve", "--data", server.data]
  const env = { PATH: process.env.PATH ?? "", HOME: server.data }
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: "ignore" }))
  const call = async (name: string, given: object) =>
    Answer.parse((await client.callTool({ name, arguments: { ...given } })).structuredContent)

  const { task, link } = await call("delegate", {
    ...{ agent: "general", prompt: "Write the notes", description: "Notes" },
    directory: project.directory,
  })
  const held = await call("task_result", { task, wait_seconds: 600 })
  expect(held).toMatchObject({ state: "awaiting_review", result: "The notes are written." })
  expect(asked).toEqual([expect.stringContaining("echo done > notes.txt")])

  await desk.goto(link)
  await loaded(desk)
  await expect(desk.getByText("The notes are written.").first()).toBeVisible()
  const approve = desk.getByRole("button", { name: "Approve", exact: true })
  await expect(approve).toBeEnabled()
  await approve.click()
  await expect.poll(async () => (await call("task_result", { task })).state).toBe("completed")
  await client.close()
})
