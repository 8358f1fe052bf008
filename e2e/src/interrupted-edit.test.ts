import { existsSync } from "node:fs"
import { readdir } from "node:fs/promises"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { vi } from "vitest"
import { expect, outputsOf, settled, startSession, test, textsOf } from "./fixtures/service-test.ts"

const stopper = fileURLToPath(new URL("fixtures/stop-at-rename.js", import.meta.url))
const pollOptions = { timeout: 60_000, interval: 20 }

const file = "src/names.js"
const read = { calls: [{ tool: "read", args: { filePath: file } }] }
const edit = { calls: [{ tool: "edit", args: { filePath: file, oldString: "parseNames", newString: "splitNames" } }] }
const write = { calls: [{ tool: "write", args: { filePath: "src/new.js", content: "export {}\n" } }] }
const done = { text: "Done." }

/**
 * Where the service is killed; whether somebody else changes the file before the restart; the model's answers after it;
 * the output of the interrupted call; and whether the edit is in the file at the end.
 */
const cases = [
  { at: "before", foreign: false, next: [edit, done], first: /^Not done: /, changed: true },
  { at: "after", foreign: false, next: [done], first: /^Edited src\/names\.js: .* \(Found done/, changed: true },
  // The agent is told to read again: a file that someone else changed is edited only after the agent has read it.
  { at: "before", foreign: true, next: [edit, read, done], first: /somebody has changed it since/, changed: false },
  { at: "after", foreign: true, next: [edit, read, done], first: /somebody has changed it since/, changed: false },
] as const

for (const { at, foreign, next, first, changed } of cases) {
  test.describe(`killed ${at} an edit is in place${foreign ? ", and the file changed by somebody" : ""}`, () => {
    test.override({ variables: { NODE_OPTIONS: `--import ${stopper}`, STOP_AT: at } })

    test("the call's result and the undo match the file on disk", async ({
      client,
      model,
      project,
      projectID,
      server,
    }) => {
      model.script({ "Rename it": [read, edit, ...next] })
      const old = await project.read(file)
      const sessionID = await startSession(client, projectID, "Rename it")
      await vi.waitFor(() => expect(existsSync(path.join(server.data, "stopped"))).toBe(true), pollOptions)
      await server.kill()
      expect(await project.read(file)).toBe(at === "after" ? old.replace("parseNames", "splitNames") : old)
      const theirs = "// Somebody was here.\n"
      if (foreign) await project.write(file, theirs)
      await server.restart()
      await settled(client, sessionID)

      const outputs = await outputsOf(client, sessionID, "edit")
      expect(outputs[0]).toMatch(first)
      for (const text of outputs) expect(text).not.toContain("unknown")
      if (foreign) expect(outputs[1]).toContain("Nothing was written")
      expect((await textsOf(client, sessionID, "assistant")).at(-1)).toBe("Done.")
      const now = changed ? old.replace("parseNames", "splitNames") : theirs
      expect(await project.read(file)).toBe(now)
      expect((await readdir(path.join(project.directory, "src"))).filter((name) => name.endsWith(".tmp"))).toEqual([])

      const { items } = await client.session.messages.query({ sessionID })
      await client.session.revert.mutate({ sessionID, messageID: items[0]?.info.id ?? "" })
      expect(await project.read(file)).toBe(changed ? old : theirs)
    })
  })
}

test.describe("killed before a new file is in place", () => {
  test.override({ variables: { NODE_OPTIONS: `--import ${stopper}`, STOP_AT: "before" } })

  test("the call reports nothing done and can be repeated", async ({ client, model, project, projectID, server }) => {
    model.script({ "Make it": [write, write, done] })
    const sessionID = await startSession(client, projectID, "Make it")
    await vi.waitFor(() => expect(existsSync(path.join(server.data, "stopped"))).toBe(true), pollOptions)
    await server.kill()
    await server.restart()
    await settled(client, sessionID)
    expect(await outputsOf(client, sessionID, "write")).toEqual([
      expect.stringMatching(/^Not done: /),
      expect.stringMatching(/^Created src\/new\.js/),
    ])
    expect(await project.read("src/new.js")).toBe("export {}\n")
  })
})
