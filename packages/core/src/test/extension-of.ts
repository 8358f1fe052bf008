import type { ExtensionHost, Plug } from "../engine/extension/extension-host.ts"
import type { ToolSource } from "../engine/loop/tool-source.ts"

/** Runs one extension without a program: its tools, or what it sees and changes of turns. */
export function extensionOf({ plug, tools }: { plug?: Plug; tools?: ToolSource["tools"] }): ExtensionHost {
  return {
    kind: "plugin",
    ...(plug && { plug: () => plug }),
    ...(tools && { tools: async (turn) => tools(turn) }),
    list: async () => [],
    close: async () => {},
  }
}
