import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { answer, scriptedRuntime } from "../../test/scripted-runtime.ts"

/** A directory whose config sets a default model. */
async function project(): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "docket-trusts-")))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  await writeFile(join(directory, "docket.json"), JSON.stringify({ model: "scripted/other" }))
  return directory
}

test("trusted directories are listed once, newest first, and revoked by name", async () => {
  const [first, second] = [await project(), await project()]
  let time = 0
  await using host = await scriptedRuntime(() => answer("Done."), { clock: () => ++time * 1_000 })
  const { project: projects, config } = host.runtime
  const trust = async (directory: string) => {
    const { id } = await projects.open(directory)
    await config.trust({ projectID: id, hash: (await config.get(id)).trust.hash ?? "" })
    return id
  }
  const listed = async () => (await config.trusted()).map(({ directory }) => directory)
  const projectID = await trust(first)
  await trust(second)
  await writeFile(join(first, "docket.json"), JSON.stringify({ model: "scripted/third" }))
  await trust(first)
  expect(await listed()).toEqual([first, second])

  const stop = new AbortController()
  const told = host.runtime.feed({ others: true }, stop.signal)[Symbol.asyncIterator]().next()
  await config.revokeDirectory(first)
  expect((await told).value).toMatchObject({ type: "config.updated", properties: { projectID } })
  stop.abort()
  expect((await config.get(projectID)).trust.state).toBe("untrusted")
  await rm(second, { recursive: true })
  await config.revokeDirectory(second)
  expect(await listed()).toEqual([])
})
