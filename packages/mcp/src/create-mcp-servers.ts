import type { ExtensionHost, ExtensionPlace } from "@docket/core/extension-host"
import { lazily } from "@docket/core/lazily"
import type { McpHost, McpServersDeps } from "./mcp-host.ts"
import { mentionedResources } from "./mentioned-resources.ts"
import { serversIn } from "./servers-in.ts"

/** Runs MCP servers. Its code is loaded when the first of them is there, so that without any nothing is paid for. */
export function createMcpServers(deps: McpServersDeps): ExtensionHost {
  let loaded: McpHost | null = null
  const load = lazily(async () => {
    const { createMcpHost } = await import("./mcp-host.ts")
    loaded = createMcpHost(deps)
    return loaded
  })
  let isAsked = false
  const host = () => {
    isAsked = true
    return load()
  }
  /** Null where no server is and none ever was. */
  const hostIn = async (place: ExtensionPlace) => (isAsked || hasServers(place) ? host() : null)
  return {
    kind: "mcp",
    hasOtherTools: (turn) => loaded?.hasOtherTools(turn) ?? false,
    tools: async (turn, place) => (await hostIn(place))?.tools(turn, place) ?? [],
    arrivalOf: async (turn, place, tool) => (await hostIn(place))?.arrivalOf(turn, place, tool) ?? null,
    commands: async (place, person) => (await hostIn(place))?.commands(place, person) ?? [],
    complete: async (text, asking) => (await hostIn(asking.place))?.complete(text, asking) ?? null,
    plug(placeOf) {
      const plug = lazily(async () => (await host()).plug(placeOf))
      return {
        messages: async (messages, turn) =>
          loaded === null ? messages : ((await plug()).messages?.(messages, turn) ?? messages),
        async userMessage(message, turn) {
          const named = message.parts.some((part) => part.type === "text" && mentionedResources(part.text).length > 0)
          if (!named) return message
          const found = await hostIn(await placeOf(turn.project))
          return found === null ? message : ((await plug()).userMessage?.(message, turn) ?? message)
        },
      }
    },
    list: async (place, person) => (await hostIn(place))?.list(place, person) ?? [],
    start: async (place, name, person) => (await hostIn(place))?.start(place, name, person),
    restart: async (place, name) => (await hostIn(place))?.restart(place, name),
    forget: async (place, name, person) => (await hostIn(place))?.forget(place, name, person),
    signIn: {
      begin: async (...asked) => (await host()).signIn.begin(...asked),
      finish: async (...asked) => (await host()).signIn.finish(...asked),
      signOut: async (...asked) => (await host()).signIn.signOut(...asked),
    },
    async close() {
      if (isAsked) await (await host()).close()
    },
  }
}

/** Those that wait for trust are shown, too. */
function hasServers(place: ExtensionPlace): boolean {
  return serversIn(place).length > 0 || place.provided.some(({ kind }) => kind === "mcp-server")
}
