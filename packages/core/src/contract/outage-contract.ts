import { expect, test } from "vitest"
import type { StoreAway } from "../ground/event/final-writes.ts"
import type { Turn } from "../ground/schema/index.ts"
import type { Store } from "../ground/store/port/index.ts"
import { answer, type Script, type ScriptedRuntime, scriptedRuntime, toolResults } from "../test/scripted-runtime.ts"

/** A store whose server a test can stop and restart, with a clock of the test. */
export interface FaultyStore {
  store: Store
  /** Tells whether the store can be reached. This and `watchStore` are those of `RuntimeDeps`. */
  storeAway: StoreAway
  watchStore(onLost: (reason: string) => void): void
  /** Stops the server of the store. */
  halt(): Promise<void>
  /** Starts the server again. */
  resume(): Promise<void>
  /** Advances the clock of the test. */
  pass(ms: number): Promise<void>
  dispose(): Promise<void>
}

const minute = 60_000
const call = { tool: "glob", input: { pattern: "*" } }

/** Declares tests of turns that run while the server of their store is away. */
export function outageContract(name: string, open: () => Promise<FaultyStore>): void {
  test(`a turn waits through a shorter store outage and completes: ${name}`, async () => {
    const faulty = await open()
    const [gate, halted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const script: Script = async (options) => {
      if (toolResults(options).length > 0) return answer("Done.")
      await gate.promise
      await faulty.halt()
      halted.resolve()
      return answer("I look.", call)
    }
    const host = await scriptedRuntime(script, { ...faulty, config: { permission: "allow" } })
    await host.runtime.prompt.submit(host.session.id, { parts: [{ type: "text", text: "Start" }] })
    gate.resolve()
    await halted.promise
    await expect.poll(() => faulty.storeAway.reason()).not.toBeNull()
    await faulty.pass(minute)
    await faulty.resume()
    expect(await endOf(faulty, host)).toMatchObject({ status: "completed", error: null, attempt: 1 })
    const { items } = await host.messages()
    const parts = items.flatMap((item) => item.parts)
    expect(parts.filter(({ type }) => type === "tool")).toMatchObject([{ state: { status: "completed" } }])
    // Two steps and the answer that names the session, each with 10 input and 5 output tokens.
    const tokens = async () => (await host.runtime.session.get(host.session.id)).tokens
    await expect.poll(tokens).toMatchObject({ input: 30, output: 15 })
    await host[Symbol.asyncDispose]()
    await faulty.dispose()
  })

  test(`a two-minute store outage ends the turn; the next works: ${name}`, async () => {
    const faulty = await open()
    const [gate, halted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let prompts = 0
    const script: Script = async () => {
      prompts += 1
      if (prompts > 1) return answer("Here again.")
      await gate.promise
      await faulty.halt()
      halted.resolve()
      return answer("Never stored.", call)
    }
    const host = await scriptedRuntime(script, { ...faulty, config: { permission: "allow" } })
    await host.runtime.prompt.submit(host.session.id, { parts: [{ type: "text", text: "Start" }] })
    gate.resolve()
    await halted.promise
    await expect.poll(() => faulty.storeAway.reason()).not.toBeNull()
    await faulty.pass(2 * minute)
    expect(faulty.storeAway.reason()?.message).toContain("could not be reached for two minutes")
    // Now calls fail at once.
    const refused = host.runtime.prompt.submit(host.session.id, { parts: [{ type: "text", text: "Refused" }] })
    await expect(refused).rejects.toMatchObject({ code: "store_unavailable" })
    await faulty.resume()
    const ended = await endOf(faulty, host)
    expect(ended).toMatchObject({ status: "failed", attempt: 1 })
    expect(ended?.error?.message).toContain("could not be reached for two minutes")
    expect((await host.prompt("Again")).status).toBe("completed")
    const { items } = await host.messages()
    const texts = items.flatMap(({ info, parts }) =>
      parts.flatMap((part) => (part.type === "text" && info.role === "user" ? [part.text] : [])),
    )
    expect(texts).toEqual(["Start", "Again"])
    await host[Symbol.asyncDispose]()
    await faulty.dispose()
  })
}

/** Returns the session's only turn after it ended. The clock advances meanwhile. */
async function endOf({ store, pass }: FaultyStore, { session }: ScriptedRuntime): Promise<Turn | undefined> {
  let turns: Turn[] = []
  const isEnded = async () => {
    await pass(100)
    turns = await Promise.race([store.turn.tree(session.id), pass(1_000).then(() => [])])
    return turns[0]?.time.ended ?? null
  }
  await expect.poll(isEnded, { timeout: 30_000 }).not.toBeNull()
  return turns[0]
}
