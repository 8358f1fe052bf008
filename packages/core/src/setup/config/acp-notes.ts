import { AcpConfig } from "../../ground/schema/acp-config.ts"
import type { ConfigLeaf } from "./references.ts"
import { hiddenValue, isReference } from "./shown-value.ts"

/** What the program of a project's agent does once it counts, in sentences for the trust dialog. */
export function acpNotes({ path: [section, , key], value }: ConfigLeaf): string[] {
  const read = section === "agent" && key === "acp" ? AcpConfig.safeParse(value) : null
  if (!read?.success) return []
  const { command, args = [], network = "open", writable, sandbox } = read.data
  const reach = {
    open: "reaches the network, this machine too",
    project: "reaches the hosts that commands may reach",
    none: "reaches no network",
  }
  return [
    `Runs \`${[command, ...args].join(" ")}\` as a program whenever this agent works. Where there is a sandbox, it changes only the project and ${reach[network]}; without one it has your rights.`,
    ...(writable === undefined && sandbox === undefined
      ? []
      : ['Its "sandbox" and "writable" do not count: only your own agents change other places.']),
  ]
}

/** The program as it is written, without values that let somebody in. */
export function shownAcp(value: unknown): string {
  const read = AcpConfig.safeParse(value)
  if (!read.success) return JSON.stringify(value)
  const { env, ...rest } = read.data
  const shown = Object.entries(env ?? {}).map(([name, text]) => [name, isReference(text) ? text : hiddenValue])
  return JSON.stringify({ ...rest, ...(env && { env: Object.fromEntries(shown) }) })
}
