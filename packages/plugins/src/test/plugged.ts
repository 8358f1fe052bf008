import type { LanguageModelV4CallOptions } from "@ai-sdk/provider"
import { createIdSource } from "@docket/core"
import type { ExtensionHost } from "@docket/core/extension-host"
import { createProgramRoom } from "@docket/core/program-room"
import { projectFixture } from "@docket/core/test/project-fixture"
import { answer, lastUserText, scriptedRuntime, toolResults } from "@docket/core/test/scripted-runtime"
import { nodeTimers } from "@docket/core/timers"
import { createPlugins, type PluginsDeps } from "../create-plugins.ts"

/** A plugin file whose function returns these hooks. */
export const returning = (hooks: string): string => `export default async (input, options) => (${hooks})\n`

interface Options extends Partial<PluginsDeps> {
  sandboxed?: boolean
  config?: object
  permission?: unknown
  /** What the model answers in place of "Done.". */
  says?: string
  context?: number
}

/** A project with plugins, and a model that makes the calls in a prompt (JSON). Files below `~` are the user's own. */
export async function plugged(files: Record<string, string>, options: Options = {}) {
  const { sandboxed = false, config = {}, permission = "allow", says = "Done.", context, ...deps } = options
  const { directory, put, env, sandbox } = await projectFixture("plugins", files)
  const calls: LanguageModelV4CallOptions[] = []
  const results: string[] = []
  let ahead = 0
  const clock = () => Date.now() + ahead
  /** What was read of the configuration is old. */
  const later = () => {
    ahead += 1_000
  }
  const plugins: ExtensionHost = createPlugins({
    ...{ timers: nodeTimers, now: () => performance.now(), clock: Date.now, createID: createIdSource() },
    room: createProgramRoom({ most: 8, names: "plugin processes" }),
    packages: { find: async () => null, directoryOf: ({ name }) => name },
    modelInfo: async () => null,
    ...deps,
  })
  const host = await scriptedRuntime(
    (made) => {
      const text = lastUserText(made)
      calls.push(made)
      const found = toolResults(made)
      results.push(...found)
      // Some plugins write more into the prompt.
      const asked = /^\[\{.*\}\]/m.exec(text)?.[0]
      return found.length > 0 || asked === undefined ? answer(says) : answer("", ...JSON.parse(asked))
    },
    {
      ...{ directory, env, clock, extensions: [plugins], config: { permission, ...config } },
      ...(sandboxed && { sandbox }),
      ...(context !== undefined && { context }),
    },
  )
  const { projectID } = host.session
  const trust = async () => {
    const { trust } = await host.runtime.config.get(projectID)
    await host.runtime.config.trust({ projectID, hash: trust.hash ?? "" })
    return trust.entries.map(({ kind, path }) => [kind, ...path])
  }
  const call = (...made: object[]) => host.prompt(JSON.stringify(made))
  const list = () => host.runtime.extension.list(projectID)
  /** The last call of a tool. */
  const lastCall = async () => {
    const { items } = await host.messages()
    const part = items.flatMap(({ parts }) => parts).findLast((one) => one.type === "tool")
    if (part?.type !== "tool") throw new Error("no call was made")
    return part.state
  }
  return { host, directory, put, later, calls, results, trust, call, list, lastCall }
}
