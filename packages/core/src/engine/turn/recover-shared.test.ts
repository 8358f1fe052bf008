import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { root, turn } from "../../contract/rows.ts"
import { createBus } from "../../ground/event/bus.ts"
import { createJournal } from "../../ground/event/journal.ts"
import { createInMemoryStore } from "../../ground/store/index.ts"
import { createMarkerFiles } from "../../records/session/marker-files.ts"
import { noLimits, noTaskUsage } from "../delegation/tree-budgets.ts"
import { recover } from "./recover.ts"

const noTurns = { turns: new Set<string>(), parts: new Set<string>() }

test("recovery after a dead runtime does not touch trees of others", async () => {
  const directory = await mkdtemp(join(tmpdir(), "docket-recover-"))
  onTestFinished(() => rm(directory, { recursive: true }))
  const store = createInMemoryStore()
  const journal = createJournal({ store, bus: createBus(console.error) })
  const tree = { usage: noTaskUsage, worked: 5, since: 7, limits: { ...noLimits, wallClock: 60_000 } }
  const [left, busy] = [root({ tree }), root({ tree })]
  const [dead, live] = [turn(left, { status: "running" }), turn(busy, { status: "running" })]
  for (const [session, value] of [[left, dead] as const, [busy, live] as const]) {
    await journal.commit(session.id, [
      { kind: "session", value: session },
      { kind: "turn", value },
    ])
  }
  const stopMarkers = createMarkerFiles(join(directory, "stopped-turns"))
  for (const { id } of [dead, live]) await stopMarkers.add(id)
  const isLeft = ({ rootID }: { rootID: string }) => rootID === left.id
  await recover({ store, journal, stopMarkers, clock: () => 10, isLeft, stepFiles: async () => [], waiting: noTurns }, [
    dead,
  ])
  expect((await store.turn.get(dead.id))?.status).toBe("aborted")
  expect((await store.session.get(left.id))?.tree?.since).toBeNull()
  expect(await store.turn.get(live.id)).toEqual(live)
  expect((await store.session.get(busy.id))?.tree).toEqual(tree)
  expect(await stopMarkers.list()).toEqual([live.id])
})
