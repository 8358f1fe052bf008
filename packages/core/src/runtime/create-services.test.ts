import { access, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { createInMemoryStore, type Store } from "../ground/store/index.ts"
import { answer, scriptedRuntime, toolResults } from "../test/scripted-runtime.ts"

/** A store in which a project is trusted at every second read, starting with the first or second one. */
function waveringStore(first: "trusted" | "untrusted"): Store {
  const store = createInMemoryStore()
  let looks = first === "trusted" ? 0 : 1
  const list: Store["trust"]["list"] = async (directory) => (looks++ % 2 === 0 ? store.trust.list(directory) : [])
  return { ...store, trust: { ...store.trust, list } }
}

it.each(["trusted", "untrusted"] as const)(
  "agents and their limits come from one configuration state (%s first)",
  async (first) => {
    const store = waveringStore(first)
    let now = Date.now()
    await using host = await scriptedRuntime(
      (options) =>
        toolResults(options).length > 0
          ? answer("Done.")
          : answer("", { tool: "bash", input: { command: "rm kept.txt", description: "Removes a file" } }),
      // Each look at the clock is a second later, so nothing that was read is still cached at the next read.
      { store, clock: () => (now += 1_000), config: { permission: { bash: { "rm *": "deny" } } } },
    )
    await writeFile(join(host.directory, "kept.txt"), "kept")
    await writeFile(join(host.directory, "docket.json"), JSON.stringify({ permission: { bash: { "rm *": "allow" } } }))
    const { projectID } = host.session
    const { hash, directory } = (await host.runtime.config.get(projectID)).trust
    await store.trust.put({ directory: directory ?? "", hash: hash ?? "", time: { trusted: now } })
    for (let turns = 0; turns < 2; turns++) await host.prompt("Tidy up")
    await access(join(host.directory, "kept.txt"))
    const { items } = await host.messages()
    const calls = items.flatMap(({ parts }) => parts.filter((part) => part.type === "tool"))
    expect(calls.map(({ state }) => state.status)).toEqual(["error", "error"])
  },
)
