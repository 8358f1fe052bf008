import type { Plug } from "@docket/core/hooks"
import type { PluginPlugDeps } from "./plugin-plug.ts"

type Found = Pick<PluginPlugDeps, "ofTurn" | "ofSession" | "ofProject" | "ended">
type TurnOf = Parameters<PluginPlugDeps["ofTurn"]>[0]
type ProjectOf = Parameters<PluginPlugDeps["ofProject"]>[0]
type AnyHook = (value: unknown, at: unknown) => Promise<unknown>

/** Hooks whose second argument is the turn, has the turn, or has the project. */
const byTurn = [
  "userMessage",
  "messages",
  "systemPrompt",
  "parameters",
  "headers",
  "toolDefinition",
  "compaction",
  "goesOn",
]
const byCall = ["beforeCall", "afterCall", "shellEnv", "text"]
const byProject = ["command", "smallModel"]

/** Passes on what is about a place with plugins, and everything else unchanged: only then the hooks' code is loaded. */
export function lightPlug(find: Found, load: () => Promise<Plug>): Plug {
  const passing = (name: string, has: (at: unknown) => Promise<boolean>): [string, AnyHook] => [
    name,
    async (value, at) => {
      if (!(await has(at))) return value
      // The names are those of hooks that take a value and return it.
      const hook = ((await load()) as Record<string, AnyHook | undefined>)[name]
      return hook === undefined ? value : hook(value, at)
    },
  ]
  return {
    ...(Object.fromEntries([
      ...byTurn.map((name) => passing(name, async (turn) => (await find.ofTurn(turn as TurnOf)) !== null)),
      ...byCall.map((name) => passing(name, async (at) => (await find.ofTurn((at as { turn: TurnOf }).turn)) !== null)),
      ...byProject.map((name) =>
        passing(name, async (at) => (await find.ofProject((at as { project: ProjectOf }).project)) !== null),
      ),
    ]) as Plug),
    async permission(ask) {
      if ((await find.ofSession(ask.session)) === null) return null
      return (await load()).permission?.(ask) ?? null
    },
    async turnEnded(sessionID) {
      find.ended(sessionID)
    },
  }
}
