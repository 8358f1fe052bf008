import { execFile } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { inject, onTestFinished } from "vitest"
import { AcpFrame } from "./fixtures/acp-frames.ts"
import { createGate } from "./fixtures/gate.ts"
import { test as base, expect } from "./fixtures/service-test.ts"

const run = promisify(execFile)
const program = fileURLToPath(new URL("../../apps/cli/src/main.js", import.meta.url))

const test = base.override("config", {
  delegation: { envelope: false },
  permission: { "*": "allow", edit: "ask" },
})

/** Installs acpx outside of this workspace, where its parts would change ours. Null where no registry is reached. */
async function installAcpx(): Promise<string | null> {
  const directory = await mkdtemp(path.join(tmpdir(), "docket-acpx-"))
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 3 }))
  await writeFile(path.join(directory, "package.json"), '{ "private": true }')
  const install = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "acpx@0.19.1"]
  const done = await run("npm", install, { cwd: directory }).then(
    () => true,
    () => false,
  )
  return done ? directory : null
}

test.runIf(inject("full"))(
  "acpx prompts, allows, plans, stops and resumes",
  async ({ server, project, model, client, skip }) => {
    const home = await installAcpx()
    if (home === null) return skip("acpx cannot be installed: no registry answers.")
    const agent = `${process.execPath} ${program} acp --data ${server.data}`
    const acpx = async (...args: string[]) => {
      const file = path.join(home, "node_modules/acpx/dist/cli.js")
      const common = [
        "--agent",
        agent,
        "--cwd",
        project.directory,
        "--format",
        "json",
        "--json-strict",
        "--approve-all",
      ]
      const { stdout } = await run(process.execPath, [file, ...common, ...args], {
        env: { PATH: process.env.PATH, HOME: home },
      })
      const lines = stdout.split("\n").filter((line) => line !== "")
      return lines.map((line) => AcpFrame.parse(JSON.parse(line)))
    }
    const gate = createGate()
    const todos = [{ content: "Write the note", status: "completed", priority: "high" }]
    model.script({
      "Write a note": [
        {
          calls: [
            { tool: "todowrite", args: { todos } },
            { tool: "write", args: { filePath: "note.txt", content: "A note\n" } },
          ],
        },
        { text: "It is written." },
      ],
      "Take your time": [{ text: "Never.", gate }],
      "Are you there": [{ text: "Yes." }],
    })
    await acpx("sessions", "new")
    const told = await acpx("prompt", "Write a note")
    expect(await project.read("note.txt")).toBe("A note\n")
    expect(told.map(({ method }) => method)).toContain("session/request_permission")
    expect(told.at(-1)).toMatchObject({ result: { stopReason: "end_turn" } })
    expect(told).toContainEqual(
      expect.objectContaining({
        params: expect.objectContaining({ update: expect.objectContaining({ sessionUpdate: "plan" }) }),
      }),
    )

    const working = acpx("prompt", "Take your time")
    await gate.reached
    await acpx("cancel")
    expect((await working).at(-1)).toMatchObject({ result: { stopReason: "cancelled" } })
    gate.open()

    // Its next process knows the session again.
    await acpx("sessions", "close")
    const { items } = await client.session.list.query({})
    const sessionID = items[0]?.session.id ?? ""
    await acpx("sessions", "new", "--resume-session", sessionID)
    const again = await acpx("prompt", "Are you there?")
    expect(again.at(-1)).toMatchObject({ result: { stopReason: "end_turn" } })
    expect((await client.session.list.query({})).items.map(({ session }) => session.id)).toEqual([sessionID])
    await acpx("sessions", "close")
  },
)
