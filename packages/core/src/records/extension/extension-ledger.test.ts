import { expect, test } from "vitest"
import { createInMemoryStore } from "../../ground/store/index.ts"
import { createManualTime } from "../../test/manual-time.ts"
import { createExtensionLedger, type ExtensionLedgerDeps } from "./extension-ledger.ts"

const ann = { person: "ann", workspace: "local" }
const files = { kind: "mcp", name: "files", projectID: null } as const
const day = 24 * 3_600_000

function open({ time = createManualTime(), store = createInMemoryStore(), ...more } = {}) {
  const make = (fields: Partial<ExtensionLedgerDeps> = {}) =>
    createExtensionLedger({
      ...{ store: store.extension, clock: time.clock, timers: time.timers },
      runner: "one",
      isShared: false,
      onError(error) {
        throw error
      },
      ...fields,
    })
  return { time, store, make, ledger: make(), ...more }
}

test("an extension is on until somebody switches it off", async () => {
  const { ledger, make } = open()
  expect(await ledger.isOn(files)).toBe(true)
  expect(await ledger.isOn(files, { unset: "off" })).toBe(false)
  await ledger.switch(files, "off", ann)
  expect(await ledger.isOn(files)).toBe(false)
  expect(await make().isOn(files)).toBe(false)
  expect(await ledger.isOn({ ...files, projectID: "prj_00000000000000000000000000" })).toBe(true)
  await ledger.switch(files, "on", ann)
  expect(await ledger.isOn(files, { unset: "off" })).toBe(true)
})

test("a runtime sees two seconds later what another one switched", async () => {
  const { time, make } = open()
  const [one, other] = [make({ isShared: true }), make({ isShared: true, runner: "two" })]
  expect(await one.isOn(files)).toBe(true)
  await other.switch(files, "off", ann)
  await time.pass(2_000)
  expect(await one.isOn(files)).toBe(false)
})

test("calls are stored together, and those of several runtimes are added", async () => {
  const { time, store, make } = open()
  const [one, other] = [make(), make({ runner: "two" })]
  one.note(files, { ms: 10, failure: null })
  one.note(files, { ms: 20, failure: "the server is gone" })
  expect(await store.extension.uses()).toEqual([])
  await time.pass(1_000)
  expect((await store.extension.uses()).map(({ days }) => days[0]?.calls)).toEqual([2])
  other.note(files, { ms: 5, failure: null })
  await other.close()
  const [facts] = await one.factsOf([files])
  expect(facts).toMatchObject({
    switched: null,
    use: { calls: 3, failures: 1, ms: 35, failure: { text: "the server is gone" } },
  })
})

test("what is older than seven days counts no more", async () => {
  const { time, store, ledger } = open()
  ledger.note(files, { ms: 10, failure: "old" })
  await time.pass(4 * day)
  ledger.note(files, { ms: 1, failure: null })
  await time.pass(4 * day)
  const facts = async () => (await ledger.factsOf([files]))[0]?.use.calls
  expect(await facts()).toBe(1)
  ledger.note({ ...files, name: "other" }, { ms: 1, failure: null })
  await time.pass(4 * day)
  ledger.note({ ...files, name: "other" }, { ms: 1, failure: null })
  await ledger.close()
  expect((await store.extension.uses()).map(({ name }) => name)).toEqual(["other"])
})

test("a failure is kept in its first 500 characters", async () => {
  const { ledger } = open()
  ledger.note(files, { ms: 1, failure: "x".repeat(100_000) })
  const [facts] = await ledger.factsOf([files])
  expect(facts?.use.failure?.text).toHaveLength(500)
})
