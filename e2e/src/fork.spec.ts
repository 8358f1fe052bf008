import { readFile } from "node:fs/promises"
import path from "node:path"
import { begin, expect, idle, send, sessionOf, test } from "./fixtures/test.ts"

test.use({ shared: true, config: { permission: "allow" } })

const write = (filePath: string, content: string) => ({ tool: "write", args: { filePath, content } })

test("a turn is forked with the files before it", async ({ desk, model, client, project }) => {
  model.script({
    "Begin the notes": [{ calls: [write("notes.txt", "first\n")] }, { text: "They have begun." }],
    "Go on with more": [
      { calls: [write("notes.txt", "second\n"), write("more.txt", "more\n")] },
      { text: "There is more." },
    ],
    "Take another way": [{ calls: [write("other.txt", "other\n")] }, { text: "Another way." }],
  })
  await begin(desk, "Begin the notes")
  await expect(desk.getByText("They have begun.")).toBeVisible()
  await idle(desk)
  await send(desk, "Go on with more")
  await expect(desk.getByText("There is more.")).toBeVisible()
  await idle(desk)
  const source = sessionOf(desk)
  await desk.getByRole("button", { name: "Fork from before this turn" }).last().click()
  const dialog = desk.getByRole("dialog", { name: "Fork session" })
  await dialog.getByRole("checkbox", { name: "With its files of that moment" }).check()
  await dialog.getByRole("button", { name: "Fork", exact: true }).click()
  await expect(dialog).toHaveCount(0)
  await expect.poll(() => sessionOf(desk)).not.toBe(source)
  await expect(desk.getByText("They have begun.")).toBeVisible()
  await expect(desk.getByText("There is more.")).toHaveCount(0)
  await send(desk, "Take another way")
  await expect(desk.getByText("Another way.")).toBeVisible()
  const fork = await client.session.get.query({ sessionID: sessionOf(desk) })
  const read = (name: string) => readFile(path.join(fork.directory, name), "utf8").catch(() => null)
  expect([await read("notes.txt"), await read("more.txt"), await read("other.txt")]).toEqual([
    "first\n",
    null,
    "other\n",
  ])
  expect(await project.read("notes.txt")).toBe("second\n")
  expect(fork.branch).toBe(`docket/${fork.id}`)
})
