import { mkdir, mkdtemp, readFile, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test, vi } from "vitest"
import { dyingStore } from "../../contract/dying-store.ts"
import { createInMemoryStore } from "../../ground/store/index.ts"
import { answer, type lastUserText, scriptedRuntime } from "../../test/scripted-runtime.ts"

const template = "One: !`echo a >> one; echo ran one`\nTwo: !`echo b >> two; echo ran two`"
const config = { permission: "allow", command: { both: { template } } }

/**
 * Kills the process before the write after `kept` and starts another one. Returns what the model read of the prompt.
 */
async function crash(root: string, kept: number): Promise<{ read: string[]; lines: string[]; survived: boolean }> {
  const directory = join(root, String(kept))
  await mkdir(directory, { recursive: true })
  const store = createInMemoryStore()
  const first = dyingStore(store, () => {})
  const read: string[] = []
  const script = (options: Parameters<typeof lastUserText>[0]) => {
    const texts = options.prompt.flatMap(({ role, content }) =>
      role === "user" ? content.flatMap((part) => (part.type === "text" ? [part.text] : [])) : [],
    )
    read.push(...texts.filter((text) => text.startsWith("One:")))
    return answer("Fine.")
  }
  const host = await scriptedRuntime(script, { store: first.store, directory, config })
  const sessionID = host.session.id
  first.dieAfter(kept)
  const finished = (async () => {
    const turn = await host.runtime.prompt.submit(sessionID, {
      parts: [{ type: "command", name: "both", arguments: "" }],
    })
    await host.runtime.prompt.wait(turn.id)
    return true
  })()
  finished.catch(() => {})
  const survived = await Promise.race([finished, first.dead.then(() => false)])
  if (survived) await Promise.race([host.runtime.close(), first.dead])
  await using next = await scriptedRuntime(script, { store, directory, config })
  await vi.waitFor(async () => expect((await next.runtime.session.tree(sessionID)).turns).toEqual([]), {
    timeout: 60_000,
    interval: 10,
  })
  const linesOf = (file: string) => readFile(join(directory, file), "utf8").catch(() => "")
  return { read, lines: await Promise.all(["one", "two"].map(linesOf)), survived }
}

test("commands of a prompt run at most once, with each outcome reported", async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), "docket-command-crash-")))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const ends: string[] = []
  for (let kept = 0, survived = false; !survived; kept++) {
    const outcome = await crash(root, kept)
    survived = outcome.survived
    for (const [index, letter] of ["a", "b"].entries()) {
      expect(["", `${letter}\n`], `${kept} writes kept`).toContain(outcome.lines[index])
    }
    const said = new Set(
      outcome.read.map((text) => text.replace(/\[The command .*? gave no output: .*?\](?=\n|$)/g, "lost")),
    )
    ends.push(...said)
  }
  expect(ends).toContain("One: ran one\nTwo: ran two")
  expect(ends).toContain("One: lost\nTwo: ran two")
  for (const end of ends) expect(end).toMatch(/^One: (ran one|lost)\nTwo: (ran two|lost)$/)
})
