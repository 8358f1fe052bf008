import { mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { answer, scriptedRuntime } from "../../test/scripted-runtime.ts"

test("a repeated keyed share request returns the same link with its choices", async () => {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "docket-keyed-")))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  await using host = await scriptedRuntime(() => answer("Done."), { directory, titles: false })
  const { share } = host.runtime.as({ person: "ann", workspace: "local" }, "k")
  const choice = { title: "For all", shows: { outputs: false, reasoning: false, files: false } }
  const made = await share.create({ rootID: host.session.id, ...choice })
  expect(await host.runtime.share.get(made.id)).toMatchObject(choice)
  expect(await share.create({ rootID: host.session.id, ...choice })).toEqual(made)
  const other = await share.create({ rootID: host.session.id, ...choice, title: "For few" })
  expect(other.url).not.toBe(made.url)
})
