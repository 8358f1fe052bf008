import { expect, test } from "vitest"
import { localCaller } from "../test/as-local.ts"
import type { ScriptedRuntime } from "../test/scripted-runtime.ts"
import type { TwoRuntimes } from "../test/two-runtimes.ts"

type Start = () => Promise<TwoRuntimes>
type Made = { id: string } | { session: { id: string } }

/** Operations that create something, by name, and a count of the results. */
const creations = {
  "session.create": {
    make: (host, key) => useCases(host, key).session.create({ projectID: host.session.projectID, title: "Sent" }),
    count: (host) => sessionsNamed(host, "Sent"),
  },
  "session.start": {
    make: (host, key) =>
      useCases(host, key).session.start({ projectID: host.session.projectID, title: "Begun", parts: said("Begin") }),
    count: (host) => sessionsNamed(host, "Begun"),
  },
  "prompt.submit": {
    make: (host, key) => useCases(host, key).session.promptAsync({ sessionID: host.session.id, parts: said("Work") }),
    count: async (host) => {
      const { items } = await host.messages()
      return items.filter(({ info }) => info.role === "user").length
    },
  },
  "todo.create": {
    make: (host, key) => useCases(host, key).todo.create({ sessionID: host.session.id, content: "Look" }, byUser),
    count: async (host) => (await host.runtime.todo.list(host.session.id)).length,
  },
  "todo.create for everyone": {
    make: (host, key) => useCases(host, key).todo.create({ sessionID: null, content: "Look" }, byUser),
    count: async (host) => (await host.runtime.todo.find({ scope: { kind: "tenant" } })).length,
  },
  "memory.create": {
    make: (host, key) => useCases(host, key).memory.create({ type: "project", title: "Fact", content: "It is so." }),
    count: async (host) => (await host.store.memory.list({ limit: 10 })).length,
  },
  "schedule.create": {
    make: (host, key) =>
      useCases(host, key).schedule.create({
        projectID: host.session.projectID,
        when: "daily at 09:00",
        message: "Check",
      }),
    count: async (host) => (await host.runtime.schedule.list()).length,
  },
} satisfies Record<
  string,
  { make(host: ScriptedRuntime, key: string): Promise<Made>; count(host: ScriptedRuntime): Promise<number> }
>

const names = Object.keys(creations) as (keyof typeof creations)[]
const byUser = { actor: { kind: "user", name: "user" } } as const

/**
 * Declares tests of requests that are sent again with the same key, to the same runtime or to another one on the store.
 */
export function sentAgainContract(start: Start): void {
  test.each(names)("%s, sent again under its key, returns the original without a duplicate", async (name) => {
    const { one, other } = await start()
    const { make, count } = creations[name]
    // First in parallel, as when a client gives up too early; then later; then to the other runtime, as after a
    // restart.
    const together = await Promise.all([make(one, "k1"), make(one, "k1"), make(one, "k1")])
    await idle(one)
    const ids = [...together, await make(one, "k1"), await make(other, "k1")].map(idOf)
    expect(new Set(ids).size).toBe(1)
    await idle(one)
    expect(await count(one)).toBe(1)
    expect(idOf(await make(one, "k2"))).not.toBe(ids[0])
    await idle(one)
    expect(await count(one)).toBe(2)
  })

  test.each(["session.create", "session.start", "prompt.submit"] as const)(
    "%s sent to both runtimes under one key takes effect once",
    async (name) => {
      const { one, other } = await start()
      const { make, count } = creations[name]
      const ids = (await Promise.all([make(one, "k"), make(other, "k"), make(one, "k"), make(other, "k")])).map(idOf)
      expect(new Set(ids).size).toBe(1)
      await idle(one)
      expect(await count(one)).toBe(1)
    },
  )
}

function useCases({ runtime }: ScriptedRuntime, key: string) {
  return runtime.as(localCaller, key)
}

function said(text: string) {
  return [{ type: "text" as const, text }]
}

function idOf(made: Made): string {
  return "id" in made ? made.id : made.session.id
}

async function sessionsNamed({ runtime }: ScriptedRuntime, title: string): Promise<number> {
  return (await runtime.session.list({})).items.filter(({ session }) => session.title === title).length
}

/** Resolves when no turn is queued or running. */
async function idle({ runtime, store }: ScriptedRuntime): Promise<void> {
  for (const { id } of await store.turn.open()) await runtime.prompt.wait(id)
}
