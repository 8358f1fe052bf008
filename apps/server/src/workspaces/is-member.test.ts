import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import type { UseCases } from "@docket/core"
import { localPerson } from "@docket/core/schema"
import { expect, it, onTestFinished } from "vitest"
import { openRuntime } from "../open-runtime.ts"
import { type HeldModel, startHeldModel } from "../team/test/start-held-model.ts"

/** A team service whose member Bob works in a project; the model does not answer. */
async function setUp(model: HeldModel) {
  const base = await realpath(await mkdtemp(path.join(tmpdir(), "docket-gone-")))
  const [data, directory] = [path.join(base, "data"), path.join(base, "project")]
  const quiet = { report: () => undefined, onTaken: () => undefined, onError: () => undefined }
  await mkdir(data)
  await mkdir(directory)
  const opened = await openRuntime({ data, config: [model.config], isTeam: true, ...quiet })
  onTestFinished(async () => {
    await opened.runtime.close()
    await model.stop()
    await rm(base, { recursive: true, force: true })
  })
  const client = opened.accounts?.client
  const now = new Date()
  const membership = { organizationId: "local", userId: "bob" }
  await client?.authOrganization.create?.({ data: { id: "local", name: "Docket", slug: "local", createdAt: now } })
  const user = { id: "bob", name: "Bob", email: "bob@example.org", createdAt: now, updatedAt: now }
  await client?.authUser.create?.({ data: user })
  await client?.authMember.create?.({ data: { id: "m", ...membership, role: "member", createdAt: now } })
  const { as, offboarding } = opened.runtime
  const bob = as({ person: "bob", workspace: "local" })
  const service = as({ person: localPerson, workspace: "local" })
  const project = await service.project.open({ directory })
  const session = await bob.session.create({ projectID: project.id })
  return {
    bob,
    service,
    project,
    session,
    async remove() {
      await client?.authMember.deleteMany?.({ where: membership })
      return offboarding.offboard("bob")
    },
  }
}

const parts = [{ type: "text" as const, text: "Work" }]
const schedule = { when: "in 500 weeks", message: "go on" }

async function statuses(service: UseCases, sessionID: string): Promise<string[]> {
  return (await service.session.tree({ sessionID })).turns.map(({ status }) => status)
}

it("late calls of a removed person start nothing", async () => {
  const { bob, service, project, session, remove } = await setUp(await startHeldModel())
  await bob.session.promptAsync({ sessionID: session.id, parts })
  await expect.poll(() => statuses(service, session.id)).toEqual(["running"])
  expect(await remove()).toMatchObject({ running: 1, withdrawn: 0 })
  const refusal = { code: "role_forbidden", message: expect.stringContaining("do not belong") }
  const late = [
    () => bob.session.promptAsync({ sessionID: session.id, parts }),
    () => bob.session.start({ projectID: project.id, parts }),
    () => bob.schedule.create({ projectID: project.id, ...schedule }),
    () => bob.share.create({ rootID: session.id }),
  ]
  for (const act of late) await expect(act()).rejects.toMatchObject(refusal)
  expect([await service.schedule.list({}), await service.share.list({})]).toEqual([[], []])
  expect(await statuses(service, session.id)).toEqual(["running"])
  // The operator's token has no account that could be removed.
  expect(await service.schedule.create({ projectID: project.id, ...schedule })).toMatchObject({ status: "active" })
})

it("prompts that race with a member's removal are withdrawn or refused", async () => {
  const { bob, service, session, remove } = await setUp(await startHeldModel())
  await bob.session.promptAsync({ sessionID: session.id, parts })
  await expect.poll(() => statuses(service, session.id)).toEqual(["running"])
  const submit = () =>
    bob.session.promptAsync({ sessionID: session.id, parts }).then(
      () => 1,
      () => 0,
    )
  const before = Array.from({ length: 8 }, submit)
  const removing = remove()
  const after = Array.from({ length: 8 }, submit)
  const { withdrawn } = await removing
  const taken = (await Promise.all([...before, ...after])).reduce<number>((sum, each) => sum + each, 0)
  expect(withdrawn).toBe(taken)
  expect(await statuses(service, session.id)).toEqual(["running"])
})
