import { createHash } from "node:crypto"
import type { PluginAdditions } from "@docket/core/schema"
import type { LoadedPlugin } from "./child-messages.ts"
import type { PluginEntry } from "./plugin-entries.ts"

/** What all plugins of a place may add. */
const most = { agents: 100, commands: 200, characters: 2_000_000 } as const
/** Names of agents are read by people, and those of commands are typed as one word. */
const agentName = /^[^\p{C}\s](?:[^\p{C}]{0,98}[^\p{C}\s])?$/u
const commandName = /^[\w.:-]{1,100}$/

export type Additions = Pick<PluginAdditions, "agents" | "commands" | "tools">

/** Changes when other code or other options would be loaded. */
export function digestOfEntries(entries: readonly PluginEntry[]): string {
  const loaded = entries.map(({ ref, at, options, version }) => [ref, at, options, version])
  return createHash("sha256").update(JSON.stringify(loaded)).digest("hex")
}

/** What plugins added to the configuration. Of equal names the last one counts, and the user's own plugins before a project's. */
export function additionsOf(found: readonly { entry: PluginEntry; loaded: LoadedPlugin }[]): Additions {
  const byRank = found.toSorted((a, b) => Number(a.entry.isOwn) - Number(b.entry.isOwn))
  const agents = byRank.flatMap(({ entry: { isOwn, title: by, origin }, loaded: { changed } }) =>
    Object.entries(changed.agent).flatMap(([name, value]) =>
      agentName.test(name) ? [{ name, value, isOwn, by, file: origin?.file ?? by }] : [],
    ),
  )
  const commands = byRank.flatMap(({ entry: { isOwn }, loaded: { changed } }) =>
    Object.entries(changed.command).flatMap(([name, value]) =>
      commandName.test(name) ? [{ name, value, isOwn }] : [],
    ),
  )
  const room = { characters: most.characters }
  return {
    agents: lastOfEach(agents).slice(0, most.agents).filter(within(room)),
    commands: lastOfEach(commands).slice(0, most.commands).filter(within(room)),
    tools: [...new Set(found.flatMap(({ loaded }) => loaded.tools.map(({ id }) => id)))],
  }
}

function lastOfEach<T extends { name: string }>(items: readonly T[]): T[] {
  return [...new Map(items.map((item) => [item.name, item])).values()]
}

/** Whether there is still room for an item; it takes it. */
function within(room: { characters: number }): (item: object) => boolean {
  return (item) => {
    const { length } = JSON.stringify(item)
    if (length > room.characters) return false
    room.characters -= length
    return true
  }
}
