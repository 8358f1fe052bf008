import type { LanguageModelV4CallOptions } from "@ai-sdk/provider"
import { projectFixture } from "../../../test/project-fixture.ts"
import { answer, lastUserText, scriptedRuntime, toolResults } from "../../../test/scripted-runtime.ts"

/** A tool file that needs nothing. */
export const plain = (text: string): string =>
  `export default { description: "d", args: {}, execute: async () => "${text}" }\n`

/** A project with tool files, and a model that makes the calls in a prompt (JSON). */
export async function equipped(
  files: Record<string, string>,
  { sandboxed = false, permission = "allow" as "allow" | object, config = {} } = {},
) {
  const { directory, put, env, sandbox } = await projectFixture("tools", files)
  const calls: LanguageModelV4CallOptions[] = []
  const results: string[] = []
  const host = await scriptedRuntime(
    (options) => {
      const text = lastUserText(options)
      calls.push(options)
      const found = toolResults(options)
      results.push(...found)
      return found.length > 0 || !text.startsWith("[") ? answer("Done.") : answer("", ...JSON.parse(text))
    },
    { directory, env, config: { permission, ...config }, ...(sandboxed && { sandbox }) },
  )
  const { projectID } = host.session
  const trust = async () => {
    const { trust } = await host.runtime.config.get(projectID)
    await host.runtime.config.trust({ projectID, hash: trust.hash ?? "" })
    return trust.entries.map(({ kind, path }) => [kind, ...path])
  }
  const offered = async () => {
    await host.prompt("Hello")
    const names = (calls.at(-1)?.tools ?? []).map(({ name }) => name)
    return names.filter((name) => /hello|good|bad|slow|word/.test(name))
  }
  const call = (...made: object[]) => host.prompt(JSON.stringify(made))
  return { host, directory, put, calls, results, trust, offered, call }
}
