import type { Tool } from "@docket/core/tool"
import { askForTool, factsOfCall, ownMetadata, resultOfFile, ToolFileResult } from "@docket/core/tool-messages"
import { nameProblem } from "@docket/core/tool-name"
import type { ProcessTimes } from "./plugin-process.ts"
import type { PluginSet } from "./plugin-set.ts"

/** The tools of the plugins of a place, sorted by name, and why others are left out. */
export async function pluginTools(
  set: PluginSet,
  times: Pick<ProcessTimes, "call">,
): Promise<{ tools: Tool[]; refused: Map<PluginSet["entries"][number], string[]> }> {
  const tools = new Map<string, Tool>()
  const refused = new Map<PluginSet["entries"][number], string[]>()
  for (const { entry, loaded } of await set.loaded()) {
    const problems = [...loaded.refused]
    for (const described of loaded.tools) {
      const { id } = described
      const unfit = nameProblem(id)
      if (unfit !== null) problems.push(`The tool "${id}" is left out: ${unfit}`)
      else if (tools.has(id)) problems.push(`The tool "${id}" is left out: another plugin has one of this name.`)
      else tools.set(id, pluginTool(set, times, { entry, described }))
    }
    refused.set(entry, problems)
  }
  return { tools: [...tools.values()].sort((a, b) => (a.id < b.id ? -1 : 1)), refused }
}

type Described = Awaited<ReturnType<PluginSet["loaded"]>>[number]["loaded"]["tools"][number]

function pluginTool(
  set: PluginSet,
  { call: timeoutMs }: Pick<ProcessTimes, "call">,
  { entry, described: { id, description, schema } }: { entry: PluginSet["entries"][number]; described: Described },
): Tool {
  return {
    id,
    origin: { kind: "plugin", name: entry.title, tool: id },
    description,
    parameters: {
      jsonSchema: schema,
      parse: (args: unknown) =>
        typeof args === "object" && args !== null && !Array.isArray(args)
          ? { args }
          : { problems: ["the arguments are an object"] },
    },
    permission: id,
    parallel: true,
    anyFile: true,
    async execute(args, context) {
      const metadata = {
        kind: "other",
        title: `Run ${id} of the plugin ${entry.title}`,
        input: args as object,
      } as const
      await context.ask({ permission: id, patterns: ["run"], always: ["run"], metadata })
      await context.beforeChange()
      const asked = { kind: "tool", tool: id, args, context: factsOfCall(context) } as const
      const { ledger } = set.place
      const began = performance.now()
      const note = (failure: string | null) => ledger.note(entry.ref, { ms: performance.now() - began, failure })
      try {
        const given = await set.groupOf(entry).call(entry, asked, {
          timeoutMs,
          signal: context.signal,
          onShown: ({ title, metadata: shown }) =>
            context.progress({ ...(title !== undefined && { title }), metadata: ownMetadata(shown) }),
          onAsk: (question) => askForTool(context, { id, permission: id }, question),
        })
        const result = ToolFileResult.parse(given)
        note(null)
        return resultOfFile(id, result)
      } catch (error) {
        note(error instanceof Error ? error.message : String(error))
        throw error
      }
    },
  }
}
