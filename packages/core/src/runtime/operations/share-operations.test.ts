import { mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { DocketError } from "../../ground/error/docket-error.ts"
import { createIdSource } from "../../ground/id/create-id.ts"
import { answer, scriptedRuntime } from "../../test/scripted-runtime.ts"

test("a repeated keyed share request returns the same link with its choices", async () => {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "docket-keyed-")))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  await using host = await scriptedRuntime(() => answer("Done."), { directory, titles: false })
  const { share } = host.runtime.as({ person: "ann", workspace: "local" }, "k")
  const choice = { title: "For all", shows: { outputs: false, reasoning: false, files: false, pictures: false } }
  const made = await share.create({ rootID: host.session.id, ...choice })
  expect(await host.runtime.share.get(made.id)).toMatchObject(choice)
  expect(await share.create({ rootID: host.session.id, ...choice })).toEqual(made)
  const other = await share.create({ rootID: host.session.id, ...choice, title: "For few" })
  expect(other.url).not.toBe(made.url)
})

/** An asker to whom nothing belongs. */
const notOwner = {
  requireOwn() {
    throw new DocketError("forbidden", "It is somebody else's.")
  },
}

test("a repeated keyed relink is answered before ownership is checked", async () => {
  await using host = await scriptedRuntime(() => answer("Done."), { titles: false })
  const ann = { person: "ann", workspace: "local" }
  const { share } = host.runtime.as(ann, "k")
  const { id: shareID } = await share.create({ rootID: host.session.id })
  const made = await share.relink({ shareID })
  expect(await share.relink({ shareID }, notOwner)).toEqual(made)
  await expect(host.runtime.as(ann, "other").share.relink({ shareID }, notOwner)).rejects.toMatchObject({
    code: "forbidden",
  })
})

test("a missing share or session is not found, never forbidden", async () => {
  await using host = await scriptedRuntime(() => answer("Done."), { titles: false })
  const { share, session } = host.runtime.as({ person: "ann", workspace: "local" })
  const createID = createIdSource()
  const missing = { code: "share_not_found" }
  await expect(share.revoke({ shareID: createID("share") }, notOwner)).rejects.toMatchObject(missing)
  await expect(session.remove({ sessionID: createID("session") }, notOwner)).rejects.toMatchObject({
    code: "session_not_found",
  })
  await expect(session.remove({ sessionID: host.session.id }, notOwner)).rejects.toMatchObject({ code: "forbidden" })
})
